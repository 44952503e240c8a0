package io.github.delayqueue.migration;

import java.util.HashSet;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.Names;

/**
 * Makes tasks of entries, by what the application has given for that. Not for several
 * threads at once.
 */
final class Reader {

	private static final Logger logger = LoggerFactory.getLogger(Reader.class);

	/** What else cannot be read is only counted. */
	private static final int MAX_REPORTED = 100;

	private final Migration migration;

	private final StoredValues stored;

	private final Destination destination;

	private final Set<String> reported = new HashSet<>();

	Reader(Migration migration, StoredValues stored, Destination destination) {
		this.migration = migration;
		this.stored = stored;
		this.destination = destination;
	}

	/**
	 * Make a task of an entry.
	 * @param key what the entry is called in the moving area
	 * @param member the entry as it lies in Redis
	 * @param due whether it lay among those that are due
	 * @return the task, {@code null} if there can be none
	 */
	@Nullable Candidate read(String key, byte[] member, boolean due) {
		try {
			byte[] value = this.migration.source().value(member, due);
			return new Candidate(key, member,
					this.destination.request(this.migration.tasks().create(key, value, this.stored)));
		}
		catch (LookupFailedException ex) {
			throw ex;
		}
		// also what a codec throws whose classes are gone
		catch (Exception | LinkageError ex) {
			report(EntryKeys.of(member), ex);
			return null;
		}
	}

	/**
	 * Once for each entry, and for all that are equal: what is due gets another key each
	 * time.
	 */
	private void report(String key, Throwable error) {
		if (error instanceof InterruptedException) {
			Thread.currentThread().interrupt();
		}
		if (this.reported.size() < MAX_REPORTED && this.reported.add(key)) {
			// what others say may quote the payload
			String reason = (error instanceof DelayQueueException) ? error.getMessage() : error.getClass().getName();
			logger.warn("An entry of '{}' ({}) cannot be moved to queue '{}' and stays where it is: {}",
					this.migration.from(), Names.printableText(key), this.migration.to(), reason);
		}
	}

}
