package io.github.delayqueue.faults;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * What the applications of the suite are configured with, and the checker goes by.
 */
public final class SuiteSettings {

	public static final Duration LEASE_DURATION = Duration.ofSeconds(3);

	/**
	 * Shorter than the lease duration: instances that die are replaced before it is over.
	 */
	static final Duration INSTANCE_TIMEOUT = Duration.ofSeconds(2);

	/**
	 * Longer than any planned sleep, longer than the lease duration: leases are extended.
	 */
	public static final Duration HANDLER_TIMEOUT = Duration.ofSeconds(4);

	/**
	 * A handler that went on for so long, by its own log, may have run into its timeout:
	 * the timeout begins before the handler is called, on a busy machine long before.
	 */
	static final Duration MAYBE_TIMED_OUT = HANDLER_TIMEOUT.dividedBy(2);

	public static final Duration RETRY_DELAY = Duration.ofMillis(300);

	public static final int MAX_ATTEMPTS = 4;

	/** So high that no task dies of the suite's faults. */
	public static final int MAX_LEASE_LOSSES = 50;

	public static final Duration SHUTDOWN_TIMEOUT = Duration.ofSeconds(5);

	/** Queue of a listener that gets one task at a time. */
	public static final String ORDERS = "orders";

	/** Queue of another such listener. */
	public static final String JOBS = "jobs";

	/** Queue of a batch listener. */
	public static final String MAILS = "mails";

	public static final List<String> QUEUES = List.of(ORDERS, JOBS, MAILS);

	/** How long completed tasks of the {@link #JOBS} are kept. */
	public static final Duration RETENTION = Duration.ofMillis(1500);

	/** Queue of recurring tasks. */
	public static final String CLOCKS = "clocks";

	/** The periods of the recurring tasks. */
	public static final List<Duration> PERIODS = List.of(Duration.ofSeconds(1), Duration.ofMillis(1300),
			Duration.ofMillis(1700), Duration.ofMillis(2500));

	/** When another one is run, and how often that is. */
	public static final String CRON = "*/2 * * * * *";

	public static final Duration CRON_PERIOD = Duration.ofSeconds(2);

	/** The period of one whose missed runs are skipped. */
	public static final Duration SKIPPING_PERIOD = Duration.ofMillis(1900);

	/** Queue, and id, of the recurring task of a listener's own. */
	public static final String OWN_CLOCK = "own-clock";

	public static final String OWN_PERIOD = "1500ms";

	/** Never consumed; scheduled into while memory is full. */
	public static final String PROBE = "probe";

	private SuiteSettings() {
	}

	/**
	 * The queue that has groups in the suite of processes: its tasks are of some of them.
	 */
	static final String GROUPED = ORDERS;

	public static final int GROUPS = 3;

	/** The command line of consumers and producers. */
	static List<String> properties(List<String> connection) {
		return Stream
			.concat(connection.stream(),
					Stream.of(
							"spring.lifecycle.timeout-per-shutdown-phase=" + SHUTDOWN_TIMEOUT.plusSeconds(3).toMillis(),
							"delay-queue.listener.lease-duration=" + LEASE_DURATION.toMillis(),
							"delay-queue.listener.concurrency=16",
							"delay-queue.listener.instance-timeout=" + INSTANCE_TIMEOUT.toMillis(),
							"delay-queue.listener.handler-timeout=" + HANDLER_TIMEOUT.toMillis(),
							"delay-queue.listener.shutdown-timeout=" + SHUTDOWN_TIMEOUT.toMillis(),
							"delay-queue.retry.max-attempts=" + MAX_ATTEMPTS,
							"delay-queue.retry.max-lease-losses=" + MAX_LEASE_LOSSES,
							"delay-queue.retry.delay=" + RETRY_DELAY.toMillis(), "delay-queue.retry.multiplier=1",
							"delay-queue.retry.jitter=0", "delay-queue.queues." + GROUPED + ".groups.enabled=true",
							"delay-queue.queues." + JOBS + ".completed.retention=" + RETENTION.toMillis()))
			.map((property) -> "--" + property)
			.toList();
	}

}
