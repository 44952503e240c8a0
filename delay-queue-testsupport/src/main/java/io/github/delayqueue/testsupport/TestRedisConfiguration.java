package io.github.delayqueue.testsupport;

import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;

/**
 * Connects a test's application to {@link TestRedis}, whichever kind of server that is.
 * Tests import it, those too that name their auto-configurations.
 */
@TestConfiguration(proxyBeanMethods = false)
public class TestRedisConfiguration {

	@Bean
	DataRedisConnectionDetails testRedisConnectionDetails() {
		return new DataRedisConnectionDetails() {

			@Override
			public Standalone getStandalone() {
				return Standalone.of(TestRedis.host(), TestRedis.port());
			}

		};
	}

}
