package io.github.delayqueue.ecosystem.pooling;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.data.redis.connection.PoolException;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettucePoolingClientConfiguration;

import io.github.delayqueue.ecosystem.pooling.PoolingApplication.Listener;
import io.github.delayqueue.testsupport.Heavy;
import io.github.delayqueue.testsupport.RedisServer;
import io.github.delayqueue.producer.DelayQueueOperations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

/**
 * An application whose pool has a single connection, and which is using it.
 */
@Heavy
class PoolingApplicationIntegrationTests {

	@Test
	void delayQueueTakesNothingFromThePoolAndLeavesNoConnection() {
		long before = RedisServer.shared().connections();
		try (ConfigurableApplicationContext application = SpringApplication.run(PoolingApplication.class,
				RedisServer.shared().argument(), "--spring.data.redis.lettuce.pool.enabled=true",
				"--spring.data.redis.lettuce.pool.max-active=1", "--spring.data.redis.lettuce.pool.max-wait=100ms")) {
			LettuceConnectionFactory factory = (LettuceConnectionFactory) application
				.getBean(RedisConnectionFactory.class);
			assertThat(factory.getClientConfiguration()).isInstanceOf(LettucePoolingClientConfiguration.class);
			factory.setShareNativeConnection(false);
			try (RedisConnection inUse = factory.getConnection()) {
				assertThat(inUse.ping()).isEqualTo("PONG");
				assertThatThrownBy(() -> useAnother(factory)).hasStackTraceContaining(PoolException.class.getName());
				DelayQueueOperations delayQueue = application.getBean(DelayQueueOperations.class);
				List<Integer> numbers = IntStream.range(0, 200).boxed().toList();
				numbers.parallelStream()
					.forEach((number) -> delayQueue.schedulePayload("pooling", number, Duration.ZERO));
				await().untilAsserted(() -> assertThat(application.getBean(Listener.class).handled())
					.containsExactlyInAnyOrderElementsOf(numbers));
			}
		}
		await().untilAsserted(() -> assertThat(RedisServer.shared().connections()).isEqualTo(before));
	}

	private static void useAnother(RedisConnectionFactory factory) {
		try (RedisConnection another = factory.getConnection()) {
			another.ping();
		}
	}

}
