package io.github.delayqueue.migration;

import java.time.Duration;

import org.springframework.aop.framework.AopInfrastructureBean;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.Names;
import io.github.delayqueue.store.TaskStore;

/**
 * How migrations are carried out. For wiring. Immutable.
 *
 * @param keyPrefix what all keys of the delay queue begin with, without braces
 * @param interval how long to wait between two rounds, longer than zero
 * @param batchSize how many entries of each source a round moves at most, 1 to
 * {@link TaskStore#MAX_BATCH}
 * @param dryRun whether entries are only counted, once, and stay where they are
 */
public record MigrationSettings(String keyPrefix, Duration interval, int batchSize,
		boolean dryRun) implements AopInfrastructureBean {

	public MigrationSettings {
		if (interval.isNegative() || interval.isZero()) {
			throw new DelayQueueException(null, null,
					"delay-queue.migration.interval must be longer than zero, but is " + Names.printable(interval));
		}
		if (batchSize < 1 || batchSize > TaskStore.MAX_BATCH) {
			throw new DelayQueueException(null, null,
					"delay-queue.migration.batch-size must be 1 to " + TaskStore.MAX_BATCH + ", but is " + batchSize);
		}
	}

	/** The defaults. */
	public static MigrationSettings defaults(String keyPrefix) {
		return new MigrationSettings(keyPrefix, Duration.ofSeconds(1), 500, false);
	}

}
