package io.github.delayqueue.actuate;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopInfrastructureBean;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.Names;
import io.github.delayqueue.QueueStats;
import io.github.delayqueue.failover.ServerInspection;
import io.github.delayqueue.failover.ServerReport;
import io.github.delayqueue.fleet.Consumers;
import io.github.delayqueue.fleet.ConsumersCache;
import io.github.delayqueue.listener.ContainerStatus;
import io.github.delayqueue.listener.DelayQueueListenerContainer;
import io.github.delayqueue.listener.DelayQueueListenerContainerRegistry;
import io.github.delayqueue.roles.QueueView;
import io.github.delayqueue.store.TaskStore;

/**
 * Health of the delay queue: DOWN if the store does not answer, or a running consumer has
 * not polled successfully for three poll intervals, at least ten seconds. Also if the
 * oldest due task of its queue has been waiting for longer than is allowed. Consumers
 * that are stopped, and queues that nobody consumes, are UP with a detail, and so is a
 * server whose settings endanger tasks. Public for wiring: each generation of Spring Boot
 * has an indicator that shows it. Thread-safe.
 */
public final class DelayQueueHealth implements AopInfrastructureBean {

	private static final int MAX_WITHOUT_CONSUMER = 20;

	private static final Duration MIN_GRACE = Duration.ofSeconds(10);

	private final TaskStore store;

	private final DelayQueueListenerContainerRegistry registry;

	private final ConsumersCache consumers;

	private final Clock clock;

	/**
	 * When containers were first seen running, {@code null} for those that are stopped:
	 * from then on they have the time of grace that a successful poll gives, so that one
	 * that has never polled, or that was started anew after a long pause, is not reported
	 * too early.
	 */
	private final Map<String, @Nullable Instant> startTimes = new HashMap<>();

	private final @Nullable ServerInspection inspection;

	private final @Nullable Duration maxLag;

	private final Remarks remarks;

	/**
	 * Create a check.
	 * @param inspection what is known of the server, {@code null} if nothing
	 * @param maxLag for how long the oldest due task of this instance's queues may have
	 * been waiting; {@code null} for any time, and the store is not asked
	 */
	public DelayQueueHealth(TaskStore store, DelayQueueListenerContainerRegistry registry, ConsumersCache consumers,
			Clock clock, @Nullable ServerInspection inspection, @Nullable Duration maxLag, Remarks remarks) {
		this.maxLag = maxLag;
		this.remarks = remarks;
		this.inspection = inspection;
		this.store = store;
		this.registry = registry;
		this.consumers = consumers;
		this.clock = clock;
	}

	/**
	 * For how long a consumer may be silent: three poll intervals, at least ten seconds.
	 * @param pollInterval how long it waits at most between claims
	 */
	public static Duration grace(Duration pollInterval) {
		Duration grace = pollInterval.multipliedBy(3);
		return (grace.compareTo(MIN_GRACE) > 0) ? grace : MIN_GRACE;
	}

	/** Look at store and consumers. */
	public Result check() {
		Map<String, Object> details = new LinkedHashMap<>();
		List<ContainerStatus> containers = this.registry.getContainers()
			.stream()
			.map(DelayQueueListenerContainer::status)
			.toList();
		Map<String, QueueStats> figures = new HashMap<>();
		DelayQueueException error = null;
		try {
			checkStore(details, containers, figures);
		}
		catch (DelayQueueException ex) {
			error = ex;
		}
		boolean polled = checkContainers(details, containers, figures);
		return new Result(polled && error == null, details, error);
	}

	private void checkStore(Map<String, Object> details, List<ContainerStatus> containers,
			Map<String, QueueStats> figures) {
		Set<String> queues = QueueView.of(this.store).queues();
		List<String> without = withoutConsumer(queues, containers);
		if (!without.isEmpty()) {
			details.put("queuesWithoutConsumer", without);
		}
		if (this.maxLag != null) {
			containers.stream()
				.filter((container) -> container.running() && !container.paused())
				.map(ContainerStatus::queue)
				.distinct()
				.forEach((queue) -> figures.put(queue, QueueView.of(this.store).stats(queue)));
			details.putAll(this.remarks.on(figures));
		}
		if (this.inspection != null) {
			this.inspection.report().ifPresent((report) -> details.put("redis", details(report)));
		}
	}

	/** Only for people: it is no error where it is not known. */
	private List<String> withoutConsumer(Set<String> queues, List<ContainerStatus> containers) {
		try {
			Consumers known = this.consumers.get().orElse(null);
			return (known == null) ? List.of()
					: queues.stream()
						.filter((queue) -> Integer.valueOf(0).equals(known.of(queue))
								&& containers.stream().noneMatch((own) -> own.running() && own.queue().equals(queue)))
						.limit(MAX_WITHOUT_CONSUMER)
						.toList();
		}
		catch (DelayQueueException ex) {
			return List.of();
		}
	}

	private boolean isBehind(QueueStats stats) {
		return this.maxLag != null && !stats.paused() && stats.oldestDueAge().compareTo(this.maxLag) > 0;
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
		details.put("readsFromReplicas",
				Objects.<Object>requireNonNullElse(report.readsFromReplicas(), ServerReport.UNKNOWN));
		details.put("warnings", report.warnings());
		return details;
	}

	private synchronized boolean checkContainers(Map<String, Object> details, List<ContainerStatus> containers,
			Map<String, QueueStats> figures) {
		Instant now = this.clock.instant();
		noteStartTimes(containers, now);
		Map<String, Map<String, Object>> listeners = new LinkedHashMap<>();
		containers.forEach(
				(container) -> listeners.put(container.id(), details(container, figures.get(container.queue()), now)));
		if (!listeners.isEmpty()) {
			details.put("listeners", listeners);
		}
		return listeners.values()
			.stream()
			.noneMatch((each) -> Boolean.TRUE.equals(each.get("stale")) || Boolean.TRUE.equals(each.get("lagging")));
	}

	private void noteStartTimes(List<ContainerStatus> containers, Instant now) {
		this.startTimes.keySet().retainAll(containers.stream().map(ContainerStatus::id).collect(Collectors.toSet()));
		for (ContainerStatus container : containers) {
			if (!container.running()) {
				this.startTimes.put(container.id(), null);
			}
			else if (container.lastPollAt() == null || this.startTimes.containsKey(container.id())) {
				this.startTimes.putIfAbsent(container.id(), now);
			}
		}
	}

	private boolean isStale(ContainerStatus container, Instant now) {
		return container.running() && Stream.of(container.lastPollAt(), this.startTimes.get(container.id()))
			.filter(Objects::nonNull)
			.max(Comparator.naturalOrder())
			.filter((since) -> Duration.between(since, now).compareTo(grace(container.pollInterval())) > 0)
			.isPresent();
	}

	private Map<String, Object> details(ContainerStatus container, @Nullable QueueStats lag, Instant now) {
		Map<String, Object> details = new LinkedHashMap<>();
		details.put("queue", container.queue());
		details.put("running", container.running());
		details.put("paused", container.paused());
		details.put("stale", isStale(container, now));
		Instant lastPollAt = container.lastPollAt();
		if (lastPollAt != null) {
			details.put("lastPollAge", Duration.between(lastPollAt, now));
		}
		if (lag != null && container.running() && !container.paused()) {
			details.put("lag", lag.oldestDueAge());
			details.put("lagging", isBehind(lag));
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

	/**
	 * The result of a check.
	 *
	 * @param up whether all is well
	 * @param details by name, possibly none
	 * @param error why the store does not answer, {@code null} if it does
	 */
	public record Result(boolean up, Map<String, Object> details, @Nullable DelayQueueException error) {

	}

	/** Adds details of queues. Thread-safe. */
	@FunctionalInterface
	public interface Remarks {

		/**
		 * Look at queues whose lag is limited.
		 * @param figures of the queues that this instance consumes
		 * @return details by name, possibly none
		 */
		Map<String, ?> on(Map<String, QueueStats> figures);

	}

}
