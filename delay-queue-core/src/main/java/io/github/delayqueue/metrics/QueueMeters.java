package io.github.delayqueue.metrics;

import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import org.jspecify.annotations.Nullable;

import io.github.delayqueue.QueueStats;
import io.github.delayqueue.QueueStats.Delays;
import io.github.delayqueue.run.Trouble;
import io.github.delayqueue.run.TroubleRules;

/**
 * What the store says of queues, the same on all instances. Counters are true across
 * restarts. As in {@link QueueStats}, {@code due}, {@code retrying} and {@code stored}
 * are parts of {@code scheduled}, and {@code leases_lost} of {@code in_flight}: the
 * states do not add up to a number of tasks.
 */
class QueueMeters {

	/** One of the bounds of {@link QueueStats#delays()}. */
	private static final Duration AHEAD = Duration.ofMinutes(5);

	private final StatsCache stats;

	private final TroubleRules rules;

	private final int maxQueues;

	private final Set<String> registered = ConcurrentHashMap.newKeySet();

	QueueMeters(StatsCache stats, TroubleRules rules, int maxQueues) {
		this.stats = stats;
		this.rules = rules;
		this.maxQueues = maxQueues;
	}

	/**
	 * Register the meters of a queue, unless there are too many. Repeating it is
	 * harmless.
	 * @param perQueue which of them, by name
	 */
	void register(String queue, Predicate<String> perQueue, MeterRegistry registry) {
		if (this.registered.size() >= this.maxQueues || !this.registered.add(queue)) {
			return;
		}
		meters(queue, registry).forEach((name, meters) -> {
			if (perQueue.test(name)) {
				meters.run();
			}
		});
	}

	private Map<String, Runnable> meters(String queue, MeterRegistry registry) {
		return Map.of("delay.queue.tasks", () -> tasks(queue, registry), "delay.queue.tasks.ahead",
				() -> ahead(queue, registry), "delay.queue.oldest.due.age", () -> oldest(queue, registry),
				"delay.queue.paused", () -> paused(queue, registry), "delay.queue.trouble",
				() -> TroubleRules.CODES.forEach((code, level) -> trouble(queue, code, level, registry)),
				"delay.queue.events", () -> events(queue, registry));
	}

	private void tasks(String queue, MeterRegistry registry) {
		tasks(queue, "scheduled", QueueStats::scheduled, registry);
		tasks(queue, "due", QueueStats::due, registry);
		tasks(queue, "in_flight", QueueStats::inFlight, registry);
		tasks(queue, "leases_lost", QueueStats::leasesLost, registry);
		tasks(queue, "retrying", QueueStats::retrying, registry);
		tasks(queue, "dead", QueueStats::dead, registry);
		tasks(queue, "completed", QueueStats::completed, registry);
		tasks(queue, "stored", QueueStats::stored, registry);
	}

	private void ahead(String queue, MeterRegistry registry) {
		gauge("delay.queue.tasks.ahead", queue, QueueMeters::ahead)
			.description("Tasks that fall due within the next five minutes, over all instances")
			.register(registry);
	}

	private void oldest(String queue, MeterRegistry registry) {
		TimeGauge
			.builder("delay.queue.oldest.due.age", this.stats, TimeUnit.MILLISECONDS,
					(stats) -> value(stats.get(queue), (figures) -> figures.oldestDueAge().toMillis()))
			.description("Time since the oldest due task was due, over all instances")
			.tag("queue", queue)
			.register(registry);
	}

	private void paused(String queue, MeterRegistry registry) {
		gauge("delay.queue.paused", queue, (figures) -> figures.paused() ? 1 : 0)
			.description("Whether the queue is paused: 1 or 0")
			.register(registry);
	}

	private void trouble(String queue, String code, Trouble.Level level, MeterRegistry registry) {
		Gauge.builder("delay.queue.trouble", this.stats, (stats) -> stats.trouble(queue, code, this.rules))
			.description("Whether the queue is in this trouble: 1 or 0")
			.tag("queue", queue)
			.tag("code", code)
			.tag("level", level.name().toLowerCase(Locale.ROOT))
			.register(registry);
	}

	private static long ahead(QueueStats stats) {
		return stats.delays()
			.stream()
			.filter((delays) -> delays.below() != null && delays.below().compareTo(AHEAD) <= 0)
			.mapToLong(Delays::tasks)
			.sum();
	}

	private void tasks(String queue, String state, ToDoubleFunction<QueueStats> figure, MeterRegistry registry) {
		gauge("delay.queue.tasks", queue, figure).description("Tasks of the queue, over all instances")
			.tag("state", state)
			.register(registry);
	}

	private Gauge.Builder<?> gauge(String name, String queue, ToDoubleFunction<QueueStats> figure) {
		return Gauge.builder(name, this.stats, (stats) -> value(stats.get(queue), figure)).tag("queue", queue);
	}

	private void events(String queue, MeterRegistry registry) {
		// What is in the journal's table only can be cancelled without a trace: a counter
		// that falls would be taken for one that began anew
		count(queue, "scheduled", (figures) -> figures.totals().scheduled() - figures.stored(), registry);
		event(queue, "completed", QueueStats.Totals::completed, registry);
		event(queue, "retried", QueueStats.Totals::retried, registry);
		event(queue, "dead_lettered", QueueStats.Totals::deadLettered, registry);
		event(queue, "cancelled", QueueStats.Totals::cancelled, registry);
		event(queue, "replaced", QueueStats.Totals::replaced, registry);
		event(queue, "cleared", QueueStats.Totals::cleared, registry);
		event(queue, "purged", QueueStats.Totals::purged, registry);
		event(queue, "redriven", QueueStats.Totals::redriven, registry);
		event(queue, "leases_lost", QueueStats.Totals::leasesLost, registry);
		event(queue, "stale", QueueStats.Totals::stale, registry);
	}

	private void event(String queue, String event, ToDoubleFunction<QueueStats.Totals> figure, MeterRegistry registry) {
		count(queue, event, (figures) -> figure.applyAsDouble(figures.totals()), registry);
	}

	/** While the store does not answer, what it said last: a counter has no gaps. */
	private void count(String queue, String event, ToDoubleFunction<QueueStats> figure, MeterRegistry registry) {
		FunctionCounter.builder("delay.queue.events", this.stats, (stats) -> value(stats.latest(queue), figure))
			.description("Events of tasks since the queue exists, over all instances")
			.tag("queue", queue)
			.tag("event", event)
			.register(registry);
	}

	private static double value(@Nullable QueueStats stats, ToDoubleFunction<QueueStats> figure) {
		return (stats != null) ? figure.applyAsDouble(stats) : Double.NaN;
	}

}
