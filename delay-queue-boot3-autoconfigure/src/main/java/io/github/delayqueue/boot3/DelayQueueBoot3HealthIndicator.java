package io.github.delayqueue.boot3;

import org.springframework.boot.actuate.health.AbstractHealthIndicator;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.Status;

import io.github.delayqueue.actuate.DelayQueueHealth;

/**
 * Shows {@link DelayQueueHealth} on Spring Boot 3. Public for applications that compose
 * it themselves. Thread-safe.
 */
public class DelayQueueBoot3HealthIndicator extends AbstractHealthIndicator {

	private final DelayQueueHealth health;

	public DelayQueueBoot3HealthIndicator(DelayQueueHealth health) {
		super("Delay queue health check failed");
		this.health = health;
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		DelayQueueHealth.Result result = this.health.check();
		if (result.error() != null) {
			builder.withException(result.error());
		}
		builder.status(result.up() ? Status.UP : Status.DOWN).withDetails(result.details());
	}

}
