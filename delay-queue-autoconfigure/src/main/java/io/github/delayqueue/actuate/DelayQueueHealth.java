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
import io.github.delayqueue.listener.ContainerStatus;
import io.github.delayqueue.listener.DelayQueueListenerContainer;
import io.github.delayqueue.listener.DelayQueueListenerContainerRegistry;
import io.github.delayqueue.run.ConsumersCache;
import io.github.delayqueue.run.Trouble;
import io.github.delayqueue.run.TroubleRules;
import io.github.delayqueue.store.ServerInspection;
import io.github.delayqueue.store.ServerReport;
import io.github.delayqueue.store.TaskStore;

/**
 * Health of the delay queue: DOWN if the store does not answer, if a running consumer has
 * not polled successfully for three poll intervals, at least ten seconds, or if the
 * oldest due task of its queue has been waiting for longer than is allowed. Consumers
 * that are stopped, and queues that nobody consumes, are UP with a detail, and so is a
 * server whose settings endanger tasks. Public for wiring: each generation of Spring Boot
 * has an indicator that shows it. Thread-safe.
 */
public final class DelayQueueHealth implements AopInfrastructureBean {

	private static final int MAX_WITHOUT_CONSUMER = 20;

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

	private final TroubleRules rules;

	/**
	 * Create a check.
	 * @param store what is asked whether it answers
	 * @param registry the consumers
	 * @param consumers those of all instances
	 * @param clock what the age of their last poll is measured by
	 * @param inspection what is known of the server, {@code null} if nothing
	 * @param rules for how long the oldest due task of this instance's queues may have
	 * been waiting, and what else is wrong with them; without a limit the store is not
	 * asked
	 */
	public DelayQueueHealth(TaskStore store, DelayQueueListenerContainerRegistry registry, ConsumersCache consumers,
			Clock clock, @Nullable ServerInspection inspection, TroubleRules rules) {
		this.rules = rules;
		this.inspection = inspection;
		this.store = store;
		this.registry = registry;
		this.consumers = consumers;
		this.clock = clock;
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
		Set<String> queues = this.store.queues();
		QueueConsumers consumers = QueueConsumers.read(this.consumers, containers);
		List<String> without = queues.stream()
			.filter((queue) -> Integer.valueOf(0).equals(consumers.of(queue)))
			.limit(MAX_WITHOUT_CONSUMER)
			.toList();
		if (!without.isEmpty()) {
			details.put("queuesWithoutConsumer", without);
		}
		if (this.rules.maxLag() != null) {
			checkFigures(details, containers, consumers, figures);
		}
		if (this.inspection != null) {
			this.inspection.report().ifPresent((report) -> details.put("redis", details(report)));
		}
	}

	/** They may take long, and a database: only for queues whose lag is limited. */
	private void checkFigures(Map<String, Object> details, List<ContainerStatus> containers, QueueConsumers consumers,
			Map<String, QueueStats> figures) {
		Map<String, List<String>> troubles = new LinkedHashMap<>();
		containers.stream()
			.filter((container) -> container.running() && !container.paused())
			.map(ContainerStatus::queue)
			.distinct()
			.forEach((queue) -> {
				QueueStats stats = this.store.stats(queue);
				figures.put(queue, stats);
				List<Trouble> trouble = this.rules.judge(stats, consumers.of(queue), consumers.lastOf(queue),
						() -> this.store.history(queue));
				if (!trouble.isEmpty()) {
					troubles.put(queue, trouble.stream().map((each) -> each.code() + ": " + each.sentence()).toList());
				}
			});
		if (!troubles.isEmpty()) {
			details.put("trouble", troubles);
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
		details.put("readsFromReplicas",
				Objects.<Object>requireNonNullElse(report.readsFromReplicas(), ServerReport.UNKNOWN));
		details.put("warnings", report.warnings());
		return details;
	}

	private synchronized boolean checkContainers(Map<String, Object> details, List<ContainerStatus> containers,
			Map<String, QueueStats> figures) {
		Instant now = this.clock.instant();
		noteStartTimes(containers, now);
		Map<String, Object> listeners = new LinkedHashMap<>();
		boolean polled = true;
		for (ContainerStatus container : containers) {
			boolean stale = isStale(container, now);
			QueueStats lag = (container.running() && !container.paused()) ? figures.get(container.queue()) : null;
			polled &= !stale && (lag == null || !this.rules.isBehind(lag));
			listeners.put(container.id(), details(container, stale, lag, now));
		}
		if (!listeners.isEmpty()) {
			details.put("listeners", listeners);
		}
		return polled;
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
			.filter((since) -> Duration.between(since, now).compareTo(TroubleRules.grace(container.pollInterval())) > 0)
			.isPresent();
	}

	private Map<String, Object> details(ContainerStatus container, boolean stale, @Nullable QueueStats lag,
			Instant now) {
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
			details.put("lag", lag.oldestDueAge());
			details.put("lagging", this.rules.isBehind(lag));
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

}
