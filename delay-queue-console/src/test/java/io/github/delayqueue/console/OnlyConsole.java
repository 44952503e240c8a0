package io.github.delayqueue.console;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;

import io.github.delayqueue.autoconfigure.DelayQueueAutoConfiguration;
import io.github.delayqueue.autoconfigure.DelayQueueHealthContributorAutoConfiguration;
import io.github.delayqueue.autoconfigure.DelayQueueMetricsAutoConfiguration;

/**
 * For an application without a web server that is to have the delay queue and its
 * console, and not all else that is on the class path of these tests.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ImportAutoConfiguration({ DataRedisAutoConfiguration.class, JacksonAutoConfiguration.class,
		EndpointAutoConfiguration.class, DelayQueueAutoConfiguration.class, DelayQueueTroubleAutoConfiguration.class,
		DelayQueueEndpointAutoConfiguration.class, DelayQueueHealthContributorAutoConfiguration.class,
		DelayQueueMetricsAutoConfiguration.class })
@interface OnlyConsole {

}
