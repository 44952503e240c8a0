package io.github.delayqueue.actuate;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.Names;
import io.github.delayqueue.listener.ContainerStatus;
import io.github.delayqueue.listener.DelayQueueListenerContainer;
import io.github.delayqueue.listener.DelayQueueListenerContainerRegistry;
import io.github.delayqueue.store.ServerInspection;
import io.github.delayqueue.store.ServerReport;
import io.github.delayqueue.store.TaskStore;

/**
 * Health of the delay queue: DOWN if the store does not answer, if a running consumer has
 * not polled successfully for three poll intervals, at least ten seconds, or if the
 * oldest due task of its queue has been waiting for longer than is allowed. Consumers
 * that are stopped, and queues that are paused or have no consumer, are UP with a detail,
 * and so is a server whose settings endanger tasks. Public for applications that compose
 * it themselves. Thread-safe.
 */
public class DelayQueueHealthIndicator extends AbstractHealthIndicator {

	private static final Duration MIN_GRACE = Duration.ofSeconds(10);

	private static final int MAX_WITHOUT_CONSUMER = 20;

	private final TaskStore store;

	private final DelayQueueListenerContainerRegistry registry;

	private final Clock clock;

	private final StartTimes startTimes = new StartTimes();

	private final @Nullable ServerInspection inspection;

	private final @Nullable Duration maxLag;

	public DelayQueueHealthIndicator(TaskStore store, DelayQueueListenerContainerRegistry registry, Clock clock) {
		this(store, registry, clock, null, null);
	}

	/**
	 * Create an indicator.
	 * @param store what is asked whether it answers
	 * @param registry the consumers
	 * @param clock what the age of their last poll is measured by
	 * @param inspection what is known of the server, {@code null} if nothing
	 * @param maxLag for how long the oldest due task of a queue may have been waiting,
	 * {@code null} for any time, without asking the store for it
	 */
	public DelayQueueHealthIndicator(TaskStore store, DelayQueueListenerContainerRegistry registry, Clock clock,
			@Nullable ServerInspection inspection, @Nullable Duration maxLag) {
		super("Delay queue health check failed");
		this.maxLag = maxLag;
		this.inspection = inspection;
		this.store = store;
		this.registry = registry;
		this.clock = clock;
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		builder.up();
		List<ContainerStatus> containers = this.registry.getContainers()
			.stream()
			.map(DelayQueueListenerContainer::status)
			.toList();
		Map<String, Duration> lags = new HashMap<>();
		checkStore(builder, containers, lags);
		checkContainers(builder, containers, lags);
	}

	private void checkStore(Health.Builder builder, List<ContainerStatus> containers, Map<String, Duration> lags) {
		try {
			checkConsumers(builder, this.store.queues(), containers);
			if (this.inspection != null) {
				this.inspection.report().ifPresent((report) -> builder.withDetail("redis", details(report)));
			}
			if (this.maxLag != null) {
				containers.stream()
					.filter((container) -> container.running() && !container.paused())
					.forEach((container) -> lags.computeIfAbsent(container.queue(),
							(queue) -> this.store.stats(queue).oldestDueAge()));
			}
		}
		catch (DelayQueueException ex) {
			builder.down(ex);
		}
	}

	/** A detail and no more: it is another instance that may have to be started. */
	private void checkConsumers(Health.Builder builder, Set<String> queues, List<ContainerStatus> containers) {
		QueueConsumers consumers = QueueConsumers.read(this.store,
				(queue) -> containers.stream().filter((container) -> container.queue().equals(queue)).toList());
		List<String> without = queues.stream()
			.filter((queue) -> Integer.valueOf(0).equals(consumers.of(queue)))
			.limit(MAX_WITHOUT_CONSUMER)
			.toList();
		if (!without.isEmpty()) {
			builder.withDetail("queuesWithoutConsumer", without);
		}
	}

	private static Map<String, Object> details(ServerReport report) {
		Map<String, Object> details = new LinkedHashMap<>();
		if (!report.servers().isEmpty()) {
			details.put("servers", report.servers());
		}
		details.put("version", report.version());
		details.put("role", report.role());
		details.put("maxmemoryPolicy", report.maxmemoryPolicy());
		details.put("persistence", report.persistence());
		Boolean readsFromReplicas = report.readsFromReplicas();
		details.put("readsFromReplicas", (readsFromReplicas != null) ? readsFromReplicas : ServerReport.UNKNOWN);
		details.put("warnings", report.warnings());
		return details;
	}

	private void checkContainers(Health.Builder builder, List<ContainerStatus> containers, Map<String, Duration> lags) {
		Instant now = this.clock.instant();
		this.startTimes.update(containers, now);
		Map<String, Object> listeners = new LinkedHashMap<>();
		for (ContainerStatus container : containers) {
			boolean stale = isStale(container, now);
			Duration lag = (container.running() && !container.paused()) ? lags.get(container.queue()) : null;
			if (stale || isTooLong(lag)) {
				builder.down();
			}
			listeners.put(container.id(), details(container, stale, lag, now));
		}
		if (!listeners.isEmpty()) {
			builder.withDetail("listeners", listeners);
		}
	}

	private boolean isTooLong(@Nullable Duration lag) {
		return lag != null && this.maxLag != null && lag.compareTo(this.maxLag) > 0;
	}

	private boolean isStale(ContainerStatus container, Instant now) {
		if (!container.running()) {
			return false;
		}
		Instant since = latest(container.lastPollAt(), this.startTimes.get(container.id()));
		Duration threeIntervals = container.pollInterval().multipliedBy(3);
		Duration grace = (threeIntervals.compareTo(MIN_GRACE) > 0) ? threeIntervals : MIN_GRACE;
		return since != null && Duration.between(since, now).compareTo(grace) > 0;
	}

	private Map<String, Object> details(ContainerStatus container, boolean stale, @Nullable Duration lag, Instant now) {
		Map<String, Object> details = new LinkedHashMap<>();
		details.put("queue", container.queue());
		details.put("running", container.running());
		details.put("paused", container.paused());
		details.put("stale", stale);
		Instant lastPollAt = container.lastPollAt();
		if (lastPollAt != null) {
			details.put("lastPollAge", Duration.between(lastPollAt, now));
		}
		if (lag != null) {
			details.put("lag", lag);
			details.put("lagging", isTooLong(lag));
		}
		if (container.stuck() > 0) {
			details.put("stuckWorkers", container.stuck());
		}
		Throwable error = container.lastError();
		if (error != null) {
			details.put("lastError", error.getClass().getName() + ": " + Names.printableText(error.getMessage()));
		}
		return details;
	}

	private static @Nullable Instant latest(@Nullable Instant first, @Nullable Instant second) {
		if (first == null || second == null) {
			return (first != null) ? first : second;
		}
		return first.isAfter(second) ? first : second;
	}

}
