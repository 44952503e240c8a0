package io.github.delayqueue.simulation;

import java.time.Duration;

import io.github.delayqueue.faults.SuiteSettings;
import io.github.delayqueue.groups.GroupedQueues;
import io.github.delayqueue.limits.GlobalConcurrency;
import io.github.delayqueue.options.QueueOptions;
import io.github.delayqueue.partition.PartitionedTaskStore;
import io.github.delayqueue.retry.RetryOptions;
import io.github.delayqueue.store.TaskStore;

/**
 * What is configured: that of the fault suite, but few polls, so that a message that is
 * lost shows.
 */
final class Settings {

	/** Shorter than some handlers take: their leases have to be extended. */
	private static final Duration LEASE_DURATION = SuiteSettings.LEASE_DURATION.minusSeconds(1);

	static final int CONCURRENCY = 16;

	static final Duration POLL_INTERVAL = Duration.ofSeconds(30);

	private static final QueueOptions COMMON = QueueOptions.builder()
		.leaseDuration(LEASE_DURATION)
		.concurrency(CONCURRENCY)
		.handlerTimeout(SuiteSettings.HANDLER_TIMEOUT)
		.shutdownTimeout(SuiteSettings.SHUTDOWN_TIMEOUT)
		.retry(new RetryOptions(SuiteSettings.MAX_ATTEMPTS, SuiteSettings.RETRY_DELAY, 1.0, null, null, 0.0, null))
		.maxLeaseLosses(SuiteSettings.MAX_LEASE_LOSSES)
		.pollInterval(POLL_INTERVAL)
		.build()
		.withDefaults(QueueOptions.DEFAULTS);

	/**
	 * Of a queue whose completed tasks are kept, and in which tasks in flight are
	 * counted.
	 */
	private static final QueueOptions KEEPING = COMMON.toBuilder()
		.completedRetention(SuiteSettings.RETENTION)
		// nothing is claimed in advance
		.with(GlobalConcurrency.OPTION, new GlobalConcurrency(1000))
		.build();

	/** Queue with several partitions. */
	static final String SPREAD = SuiteSettings.ORDERS;

	private static final int PARTITIONS = 3;

	/** Queue whose tasks are of groups. */
	static final String GROUPED = SuiteSettings.MAILS;

	/** So few that groups are full in bursts. */
	static final int GROUP_LIMIT = 4;

	private static final QueueOptions IN_TURNS = COMMON.toBuilder()
		.with(GroupedQueues.ENABLED, true)
		.with(GroupedQueues.CONCURRENCY, GROUP_LIMIT)
		// a claim is for one turn, so that it shows whose it is
		.prefetch(4)
		.build();

	private Settings() {
	}

	static TaskStore partitioned(TaskStore store) {
		return new PartitionedTaskStore(store, (queue) -> queue.equals(SPREAD) ? PARTITIONS : 1);
	}

	static QueueOptions of(String queue) {
		return switch (queue) {
			case SuiteSettings.JOBS -> KEEPING;
			case GROUPED -> IN_TURNS;
			default -> COMMON;
		};
	}

}
