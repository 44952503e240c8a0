package io.github.delayqueue.testsupport;

import java.util.UUID;

import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.data.redis.core.StringRedisTemplate;

import static org.assertj.core.api.Assertions.assertThat;

@SpringBootTest
@SelfTest
class TestRedisConfigurationIntegrationTests {

	@Autowired
	private StringRedisTemplate template;

	@Test
	void applicationIsConnectedToTheSharedServer() {
		String key = "test-redis:" + UUID.randomUUID();
		this.template.opsForValue().set(key, "value");
		assertThat(TestRedis.cli("GET", key)).isEqualTo("value");
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration(DataRedisAutoConfiguration.class)
	@Import(TestRedisConfiguration.class)
	static class Application {

	}

}
