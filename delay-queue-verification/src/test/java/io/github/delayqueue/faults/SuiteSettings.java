package io.github.delayqueue.faults;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * What the applications of the suite are configured with, and the checker goes by.
 */
final class SuiteSettings {

	static final Duration TTR = Duration.ofSeconds(3);

	/** Shorter than the ttr: instances that die are replaced before it is over. */
	static final Duration DEAD_AFTER = Duration.ofMillis(1500);

	/** Longer than any planned sleep, longer than the ttr: leases are extended. */
	static final Duration HANDLER_TIMEOUT = Duration.ofSeconds(4);

	static final Duration RETRY_DELAY = Duration.ofMillis(300);

	static final int MAX_ATTEMPTS = 4;

	/** So high that no task dies of the suite's faults. */
	static final int MAX_LEASE_LOSSES = 50;

	static final Duration SHUTDOWN_TIMEOUT = Duration.ofSeconds(5);

	/** Queue of a listener that gets one task at a time. */
	static final String ORDERS = "orders";

	/** Queue of another such listener. */
	static final String JOBS = "jobs";

	/** Queue of a batch listener. */
	static final String MAILS = "mails";

	static final List<String> QUEUES = List.of(ORDERS, JOBS, MAILS);

	/** How long completed tasks of the {@link #JOBS} are kept. */
	static final Duration RETENTION = Duration.ofMillis(1500);

	/** Queue of recurring tasks. */
	static final String CLOCKS = "clocks";

	/** The periods of the recurring tasks. */
	static final List<Duration> PERIODS = List.of(Duration.ofSeconds(1), Duration.ofMillis(1300),
			Duration.ofMillis(1700), Duration.ofMillis(2500));

	/** When another one is run, and how often that is. */
	static final String CRON = "*/2 * * * * *";

	static final Duration CRON_PERIOD = Duration.ofSeconds(2);

	/** The period of one whose missed runs are skipped. */
	static final Duration SKIPPING_PERIOD = Duration.ofMillis(1900);

	/** Queue, and id, of the recurring task of a listener's own. */
	static final String OWN_CLOCK = "own-clock";

	static final String OWN_PERIOD = "1500ms";

	/** Never consumed; scheduled into while memory is full. */
	static final String PROBE = "probe";

	private SuiteSettings() {
	}

	/** The command line of consumers and producers. */
	static List<String> properties(List<String> connection) {
		return Stream
			.concat(connection.stream(),
					Stream.of(
							"spring.lifecycle.timeout-per-shutdown-phase=" + SHUTDOWN_TIMEOUT.plusSeconds(3).toMillis(),
							"delay-queue.listener.ttr=" + TTR.toMillis(), "delay-queue.listener.concurrency=16",
							"delay-queue.listener.dead-after=" + DEAD_AFTER.toMillis(),
							"delay-queue.listener.timeout=" + HANDLER_TIMEOUT.toMillis(),
							"delay-queue.listener.shutdown-timeout=" + SHUTDOWN_TIMEOUT.toMillis(),
							"delay-queue.retry.max-attempts=" + MAX_ATTEMPTS,
							"delay-queue.retry.max-lease-losses=" + MAX_LEASE_LOSSES,
							"delay-queue.retry.delay=" + RETRY_DELAY.toMillis(), "delay-queue.retry.multiplier=1",
							"delay-queue.retry.jitter=0",
							"delay-queue.queues." + JOBS + ".completed.retention=" + RETENTION.toMillis()))
			.map((property) -> "--" + property)
			.toList();
	}

}
