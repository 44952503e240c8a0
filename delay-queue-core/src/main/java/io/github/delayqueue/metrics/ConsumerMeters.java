package io.github.delayqueue.metrics;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;

import io.github.delayqueue.event.DeliveryOutcome;

/**
 * The meters of one queue that this instance consumes, registered once so that no event
 * looks them up.
 */
class ConsumerMeters {

	private static final Duration[] LATENESS = { Duration.ofMillis(10), Duration.ofMillis(100), Duration.ofSeconds(1),
			Duration.ofSeconds(10), Duration.ofMinutes(1), Duration.ofMinutes(10) };

	private static final Duration[] PROCESS = { Duration.ofMillis(10), Duration.ofMillis(100), Duration.ofSeconds(1),
			Duration.ofSeconds(10), Duration.ofMinutes(1) };

	private final Timer lateness;

	private final Map<DeliveryOutcome, Timer> process = new EnumMap<>(DeliveryOutcome.class);

	private final Counter claimsWithTasks;

	private final Counter emptyClaims;

	private final Counter pollErrors;

	ConsumerMeters(String queue, MeterRegistry registry) {
		this.lateness = Timer.builder("delay.queue.lateness")
			.description("For how long tasks were due when their handler was called")
			.tag("queue", queue)
			.serviceLevelObjectives(LATENESS)
			.register(registry);
		for (DeliveryOutcome outcome : DeliveryOutcome.values()) {
			this.process.put(outcome, process(queue, outcome, registry));
		}
		this.claimsWithTasks = claims(queue, "tasks", registry);
		this.emptyClaims = claims(queue, "empty", registry);
		this.pollErrors = Counter.builder("delay.queue.poll.errors")
			.description("Claims that failed")
			.tag("queue", queue)
			.register(registry);
	}

	private static Timer process(String queue, DeliveryOutcome outcome, MeterRegistry registry) {
		return Timer.builder("delay.queue.process")
			.description("Time taken by handlers")
			.tag("queue", queue)
			.tag("outcome", outcome.name().toLowerCase(Locale.ROOT))
			.serviceLevelObjectives(PROCESS)
			.register(registry);
	}

	private static Counter claims(String queue, String result, MeterRegistry registry) {
		return Counter.builder("delay.queue.claims")
			.description("Claims that were answered")
			.tag("queue", queue)
			.tag("result", result)
			.register(registry);
	}

	void claimed(int tasks) {
		((tasks > 0) ? this.claimsWithTasks : this.emptyClaims).increment();
	}

	void started(Duration lateness) {
		this.lateness.record(lateness);
	}

	void ended(DeliveryOutcome outcome, Duration took) {
		this.process.get(outcome).record(took);
	}

	void pollFailed() {
		this.pollErrors.increment();
	}

}
