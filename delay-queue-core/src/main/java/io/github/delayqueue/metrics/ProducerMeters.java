package io.github.delayqueue.metrics;

import java.time.Duration;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import org.jspecify.annotations.Nullable;

/**
 * The meters of one queue that this instance schedules to, registered once so that no
 * event looks them up.
 */
class ProducerMeters {

	private static final Duration[] OBJECTIVES = { Duration.ofMillis(1), Duration.ofMillis(10), Duration.ofMillis(100),
			Duration.ofSeconds(1) };

	private final Timer schedule;

	private final Counter errors;

	ProducerMeters(String queue, MeterRegistry registry) {
		this.schedule = Timer.builder("delay.queue.schedule")
			.description("Time taken by calls that schedule tasks, failed ones included")
			.tag("queue", queue)
			.serviceLevelObjectives(OBJECTIVES)
			.register(registry);
		this.errors = Counter.builder("delay.queue.schedule.errors")
			.description("Calls that schedule tasks and failed")
			.tag("queue", queue)
			.register(registry);
	}

	void scheduled(Duration took, @Nullable Throwable error) {
		this.schedule.record(took);
		if (error != null) {
			this.errors.increment();
		}
	}

}
