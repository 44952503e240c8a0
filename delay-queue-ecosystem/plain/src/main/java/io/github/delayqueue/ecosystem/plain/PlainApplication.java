package io.github.delayqueue.ecosystem.plain;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.github.delayqueue.config.DelayQueueSettings;
import io.github.delayqueue.config.EnableDelayQueue;

/**
 * An application without Spring Boot: it declares what Spring Boot would have configured.
 */
@Configuration(proxyBeanMethods = false)
@EnableDelayQueue
@Import(Orders.class)
class PlainApplication {

	@Bean
	LettuceConnectionFactory redisConnectionFactory() {
		return new LettuceConnectionFactory(
				new RedisStandaloneConfiguration("127.0.0.1", Integer.getInteger("redis.port", 6379)));
	}

	@Bean
	DelayQueueSettings delayQueueSettings() {
		return DelayQueueSettings.defaults().withKeyPrefix("plain:");
	}

}
