package io.github.delayqueue.migration;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import org.slf4j.Logger;
import org.springframework.core.NestedExceptionUtils;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.Names;

/** Says in the log how a migration gets on, without repeating itself. */
final class MigrationReport {

	private static final long SILENCE_NANOS = Duration.ofSeconds(10).toNanos();

	/** What else cannot be read is only counted. */
	private static final int MAX_UNREADABLE = 100;

	private final Logger logger;

	private final Migration migration;

	private final LongSupplier nanoTime;

	private final Set<String> unreadable = new HashSet<>();

	private boolean failing;

	/** Whether something has been moved that has not been spoken of. */
	private boolean news = true;

	private long spokenAt;

	MigrationReport(Logger logger, Migration migration, LongSupplier nanoTime) {
		this.logger = logger;
		this.migration = migration;
		this.nanoTime = nanoTime;
		this.spokenAt = nanoTime.getAsLong() - SILENCE_NANOS;
	}

	/** After a round; asked how far it has come only if there is something to say. */
	void succeeded(long arrived, Supplier<MigrationProgress> progress) {
		if (this.failing) {
			this.failing = false;
			this.logger.info("{} goes on", this.migration);
		}
		this.news |= arrived > 0;
		if (this.news && (arrived == 0 || this.nanoTime.getAsLong() - this.spokenAt >= SILENCE_NANOS)) {
			this.news = false;
			this.spokenAt = this.nanoTime.getAsLong();
			MigrationProgress now = progress.get();
			this.logger.info(
					"{}: {} moved, {} dropped because there was a task of their id, {} left, {} on their way, "
							+ "{} cannot be read",
					this.migration, now.moved(), now.known(), now.left(), now.moving(), now.unreadable());
		}
	}

	void failed(Throwable error, Duration interval) {
		if (!this.failing) {
			this.failing = true;
			Throwable reason = (error instanceof DelayQueueException) ? error
					: NestedExceptionUtils.getMostSpecificCause(error);
			this.logger.warn("{} could not go on; it will be tried again every {} ms: {}", this.migration,
					interval.toMillis(), Names.printable(reason));
		}
		this.logger.debug("Stack trace of the failure of {}", this.migration, error);
	}

	/** Once for all that are equal: what is due gets another key each time. */
	void unreadable(byte[] member, Throwable error) {
		String key = MovingArea.keyOf(member);
		if (this.unreadable.size() < MAX_UNREADABLE && this.unreadable.add(key)) {
			// what others say may quote the payload
			String reason = (error instanceof DelayQueueException) ? error.getMessage() : error.getClass().getName();
			this.logger.warn("An entry of '{}' ({}) cannot be moved to queue '{}' and stays where it is: {}",
					this.migration.from(), Names.printableText(key), this.migration.to(), reason);
		}
	}

	void counted(long readable, long unreadable) {
		this.failing = false;
		this.logger.info("{}, dry run: {} entries can be moved, {} cannot be read", this.migration, readable,
				unreadable);
	}

}
