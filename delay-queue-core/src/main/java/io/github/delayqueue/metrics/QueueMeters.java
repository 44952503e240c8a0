package io.github.delayqueue.metrics;

import java.time.Duration;
import java.util.List;
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
import io.github.delayqueue.metrics.QueueGauges.QueueGauge;

/**
 * What the store says of a queue, the same on all instances. Counters are true across
 * restarts. As in {@link QueueStats}, {@code due}, {@code retrying} and
 * {@code in_database_only} are parts of {@code waiting}, and {@code leases_lost} of
 * {@code in_flight}: the states do not add up to a number of tasks.
 */
record QueueMeters(String queue, StatsCache stats, Predicate<String> perQueue, MeterRegistry registry) {

	/** One of the bounds of {@link QueueStats#delays()}. */
	private static final Duration AHEAD = Duration.ofMinutes(5);

	/** Register those that each queue has of its own. */
	void register(List<QueueGauge> others) {
		tasks("waiting", QueueStats::waiting);
		tasks("due", QueueStats::due);
		tasks("in_flight", QueueStats::inFlight);
		tasks("leases_lost", QueueStats::leasesLost);
		tasks("retrying", QueueStats::retrying);
		tasks("dead", QueueStats::dead);
		tasks("completed", QueueStats::completed);
		tasks("in_database_only", QueueStats::inDatabaseOnly);
		gauge("delay.queue.tasks.ahead", "Tasks that fall due within the next five minutes, over all instances",
				QueueMeters::ahead);
		gauge("delay.queue.paused", "Whether the queue is paused: 1 or 0", (figures) -> figures.paused() ? 1 : 0);
		if (this.perQueue.test("delay.queue.oldest.due.age")) {
			oldest();
		}
		others.forEach(this::register);
		if (this.perQueue.test("delay.queue.events")) {
			events();
		}
	}

	private void oldest() {
		TimeGauge
			.builder("delay.queue.oldest.due.age", this.stats, TimeUnit.MILLISECONDS,
					(stats) -> value(stats.get(this.queue), (figures) -> figures.oldestDueAge().toMillis()))
			.description("Time since the oldest due task was due, over all instances")
			.tag("queue", this.queue)
			.register(this.registry);
	}

	private void register(QueueGauge gauge) {
		if (this.perQueue.test(gauge.name())) {
			Gauge.builder(gauge.name(), this.stats, (stats) -> stats.value(this.queue, gauge.value()))
				.description(gauge.description())
				.tag("queue", this.queue)
				.tags(gauge.tags().toArray(String[]::new))
				.register(this.registry);
		}
	}

	private static long ahead(QueueStats stats) {
		return stats.delays()
			.stream()
			.filter((delays) -> delays.below() != null && delays.below().compareTo(AHEAD) <= 0)
			.mapToLong(Delays::tasks)
			.sum();
	}

	private void tasks(String state, ToDoubleFunction<QueueStats> figure) {
		gauge("delay.queue.tasks", "Tasks of the queue, over all instances", figure, "state", state);
	}

	private void gauge(String name, String description, ToDoubleFunction<QueueStats> figure, String... tags) {
		register(new QueueGauge(name, description, List.of(tags), (queue, stats) -> value(stats, figure)));
	}

	private void events() {
		// What is in the journal's table only can be cancelled without a trace: a counter
		// that falls would be taken for one that began anew
		count("scheduled", (figures) -> figures.totals().scheduled() - figures.inDatabaseOnly());
		count("completed", (figures) -> figures.totals().completed());
		count("retried", (figures) -> figures.totals().retried());
		count("dead_lettered", (figures) -> figures.totals().deadLettered());
		count("cancelled", (figures) -> figures.totals().cancelled());
		count("replaced", (figures) -> figures.totals().replaced());
		count("cleared", (figures) -> figures.totals().cleared());
		count("deleted", (figures) -> figures.totals().deleted());
		count("redriven", (figures) -> figures.totals().redriven());
		count("leases_lost", (figures) -> figures.totals().leasesLost());
		count("stale", (figures) -> figures.totals().stale());
	}

	/** While the store does not answer, what it said last: a counter has no gaps. */
	private void count(String event, ToDoubleFunction<QueueStats> figure) {
		FunctionCounter.builder("delay.queue.events", this.stats, (stats) -> value(stats.latest(this.queue), figure))
			.description("Events of tasks since the queue exists, over all instances")
			.tags("queue", this.queue, "event", event)
			.register(this.registry);
	}

	private static double value(@Nullable QueueStats stats, ToDoubleFunction<QueueStats> figure) {
		return (stats != null) ? figure.applyAsDouble(stats) : Double.NaN;
	}

}
