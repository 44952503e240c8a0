package io.github.delayqueue.journal;

import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.time.ZoneOffset;

/**
 * The clock of the database, by which all times in the table count: those of instances
 * may show anything. This one shows what another does; see {@link MeasuredDatabaseClock}
 * for a database that is asked. Thread-safe.
 */
class DatabaseClock extends Clock {

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

	/**
	 * What it shows now, or did a moment ago: what is left from there is not too short.
	 */
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

	@Override
	public ZoneId getZone() {
		return ZoneOffset.UTC;
	}

	@Override
	public Clock withZone(ZoneId zone) {
		throw new UnsupportedOperationException("The clock of a database has no zone");
	}

}
