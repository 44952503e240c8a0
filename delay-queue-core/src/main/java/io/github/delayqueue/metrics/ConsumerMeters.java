package io.github.delayqueue.metrics;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;

import io.github.delayqueue.event.DeliveryOutcome;

/**
 * The meters of one queue that this instance consumes, registered once so that no event
 * looks them up.
 */
record ConsumerMeters(Timer lateness, Map<DeliveryOutcome, Timer> process, Counter claimsWithTasks, Counter emptyClaims,
		Counter pollErrors, Counter takenOver) {

	private static final Duration[] LATENESS = { Duration.ofMillis(10), Duration.ofMillis(100), Duration.ofSeconds(1),
			Duration.ofSeconds(10), Duration.ofMinutes(1), Duration.ofMinutes(10) };

	private static final Duration[] PROCESS = { Duration.ofMillis(10), Duration.ofMillis(100), Duration.ofSeconds(1),
			Duration.ofSeconds(10), Duration.ofMinutes(1) };

	/**
	 * Register them.
	 * @param queue what each has as its tag, by its name
	 */
	static ConsumerMeters register(UnaryOperator<String> queue, MeterRegistry registry) {
		Map<DeliveryOutcome, Timer> process = new EnumMap<>(DeliveryOutcome.class);
		for (DeliveryOutcome outcome : DeliveryOutcome.values()) {
			process.put(outcome,
					Timer.builder("delay.queue.process")
						.description("Time taken by handlers")
						.tag("queue", queue.apply("delay.queue.process"))
						.tag("outcome", outcome.name().toLowerCase(Locale.ROOT))
						.serviceLevelObjectives(PROCESS)
						.register(registry));
		}
		return new ConsumerMeters(
				Timer.builder("delay.queue.lateness")
					.description("Time from the due time of tasks to the start of their handler")
					.tag("queue", queue.apply("delay.queue.lateness"))
					.serviceLevelObjectives(LATENESS)
					.register(registry),
				process, claims(queue, "tasks", registry), claims(queue, "empty", registry),
				Counter.builder("delay.queue.poll.errors")
					.description("Claims that failed")
					.tag("queue", queue.apply("delay.queue.poll.errors"))
					.register(registry),
				Counter.builder("delay.queue.taken.over")
					.description("Tasks in flight whose instance was gone, as this instance found")
					.tag("queue", queue.apply("delay.queue.taken.over"))
					.register(registry));
	}

	private static Counter claims(UnaryOperator<String> queue, String result, MeterRegistry registry) {
		return Counter.builder("delay.queue.claims")
			.description("Claims that Redis answered")
			.tag("queue", queue.apply("delay.queue.claims"))
			.tag("result", result)
			.register(registry);
	}

}
