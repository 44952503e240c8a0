package io.github.delayqueue.sample.state;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.lettuce.core.resource.Delay;

import org.springframework.boot.data.redis.autoconfigure.ClientResourcesBuilderCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The shop's own connection looks for a Redis that was away at least every second, as the
 * delay queue's connections do. By itself Lettuce waits for up to 30 seconds, in which
 * tasks are delivered and their handlers cannot get at the shop's data.
 */
@Configuration(proxyBeanMethods = false)
class ReconnectConfiguration {

	@Bean
	ClientResourcesBuilderCustomizer reconnectWithinASecond() {
		return (resources) -> resources
			.reconnectDelay(Delay.exponential(Duration.ofMillis(1), Duration.ofSeconds(1), 2, TimeUnit.MILLISECONDS));
	}

}
