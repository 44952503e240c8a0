package io.github.delayqueue.test;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.Assert;

/**
 * The properties {@code delay-queue.test.*}. One that does not exist is an error.
 *
 * @param startAt What the clock shows when a test begins. Default: the time it is, in
 * whole milliseconds.
 * @param asyncTimeout How long to wait for a handler that answered a CompletionStage to
 * complete it.
 * @param maxDeliveries How many deliveries one turn of the clock may cause: more than
 * that is taken for an endless loop.
 * @param failOnFailure Whether turning the clock fails the test when a handler fails.
 */
@ConfigurationProperties(prefix = "delay-queue.test", ignoreUnknownFields = false)
record DelayQueueTestProperties(@Nullable Instant startAt, @DefaultValue("5s") Duration asyncTimeout,
		@DefaultValue("10000") int maxDeliveries,
		@DefaultValue("false") boolean failOnFailure) implements AopInfrastructureBean {

	DelayQueueTestProperties {
		Assert.isTrue(!asyncTimeout.isNegative() && !asyncTimeout.isZero(),
				"delay-queue.test.async-timeout must be longer than zero");
		Assert.isTrue(maxDeliveries >= 1, "delay-queue.test.max-deliveries must be at least 1");
	}

	Instant startTime() {
		return (this.startAt != null) ? this.startAt : Instant.now().truncatedTo(ChronoUnit.MILLIS);
	}

}
