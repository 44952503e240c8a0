package io.github.delayqueue.metrics;

import java.util.Set;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.config.MeterFilterReply;
import org.springframework.aop.framework.AopInfrastructureBean;

/**
 * Leaves out the timers that Micrometer makes of observations, where
 * {@link DelayQueueMetrics} has one of the same name: it measures the same calls, with
 * the tag {@code queue}. Registries such as that of Prometheus take no other tags under
 * that name. For applications without Spring Boot, which add it to their registry.
 */
public class ObservedTimersFilter implements MeterFilter, AopInfrastructureBean {

	private static final Set<String> TIMERS = Set.of("delay.queue.schedule", "delay.queue.process");

	@Override
	public MeterFilterReply accept(Meter.Id id) {
		return (TIMERS.contains(id.getName()) && id.getTag("queue") == null) ? MeterFilterReply.DENY
				: MeterFilterReply.NEUTRAL;
	}

}
