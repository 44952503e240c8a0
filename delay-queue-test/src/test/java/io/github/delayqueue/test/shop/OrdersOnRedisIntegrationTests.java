package io.github.delayqueue.test.shop;

import org.junit.jupiter.api.AfterAll;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.context.TestPropertySource;

import io.github.delayqueue.testsupport.RedisServer;

@TestPropertySource(properties = "delay-queue.test.store=redis")
class OrdersOnRedisIntegrationTests extends OrdersTests {

	private static final RedisServer REDIS = RedisServer.startNew();

	@DynamicPropertySource
	static void redis(DynamicPropertyRegistry registry) {
		registry.add("spring.data.redis.port", REDIS::port);
	}

	@AfterAll
	static void stop() {
		REDIS.close();
	}

}
