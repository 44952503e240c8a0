package io.github.delayqueue.actuate;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

/**
 * Shows {@link DelayQueueHealth} on Spring Boot 4. Public for applications that compose
 * it themselves. Thread-safe.
 */
public class DelayQueueHealthIndicator extends AbstractHealthIndicator {

	private final DelayQueueHealth health;

	public DelayQueueHealthIndicator(DelayQueueHealth health) {
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
