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

	private final Timer lateness;

	private final Map<DeliveryOutcome, Timer> process = new EnumMap<>(DeliveryOutcome.class);

	private final Counter pollErrors;

	ConsumerMeters(String queue, MeterRegistry registry) {
		this.lateness = Timer.builder("delay.queue.lateness")
			.description("For how long tasks were due when their handler was called")
			.tag("queue", queue)
			.register(registry);
		for (DeliveryOutcome outcome : DeliveryOutcome.values()) {
			this.process.put(outcome, process(queue, outcome, registry));
		}
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
			.register(registry);
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
