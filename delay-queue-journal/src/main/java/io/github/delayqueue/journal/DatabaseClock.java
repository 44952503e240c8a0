package io.github.delayqueue.journal;

import java.time.Instant;
import java.time.InstantSource;

/**
 * The clock of the database, by which all times in the table count: those of instances
 * may show anything. This one shows what another does; see {@link MeasuredDatabaseClock}
 * for a database that is asked. Thread-safe.
 */
class DatabaseClock implements InstantSource {

	private final InstantSource source;

	DatabaseClock(InstantSource source) {
		this.source = source;
	}

	/**
	 * What it shows now, or shows in a moment: what counts from there is not too early.
	 * Does not ask the database.
	 */
	@Override
	public Instant instant() {
		return this.source.instant();
	}

	/** What it shows, or did a moment ago: what is left from there is not too short. */
	Instant earliest() {
		return instant();
	}

	/**
	 * Whether the database is to be asked before its clock is gone by. Of threads that
	 * want to know, one is told so, unless what is known is not to be relied on.
	 */
	boolean isToBeAsked() {
		return false;
	}

	/**
	 * Ask the database, in the transaction of the calling thread if there is one.
	 * @throws org.springframework.dao.DataAccessException if it does not answer
	 */
	void ask() {
	}

}
