package io.github.delayqueue.autoconfigure;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;

/**
 * For an application without a web server that is to have the delay queue, and not all
 * else that is on the class path of these tests: many of them start several.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ImportAutoConfiguration({ DataRedisAutoConfiguration.class, JacksonAutoConfiguration.class,
		DelayQueueAutoConfiguration.class, DelayQueueHealthContributorAutoConfiguration.class,
		DelayQueueMetricsAutoConfiguration.class })
public @interface OnlyDelayQueue {

}
