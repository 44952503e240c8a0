package io.github.delayqueue.test;

import java.time.Duration;
import java.util.Set;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.context.TestPropertySource;

import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.testsupport.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The same tests with a real Redis, by one property.
 */
class RedisStoreIntegrationTests {

	private static final RedisServer REDIS = RedisServer.startNew();

	@AfterAll
	static void stop() {
		REDIS.close();
	}

	@Nested
	@TestPropertySource(properties = "delay-queue.test.store=redis")
	class SameListenerTests extends DelayQueueTestTests {

		@Autowired
		private RedisConnectionFactory connectionFactory;

		@DynamicPropertySource
		static void redis(DynamicPropertyRegistry registry) {
			registry.add("spring.data.redis.port", REDIS::port);
		}

		@BeforeEach
		@AfterEach
		void noKeyIsLeft() {
			// of the tests before; what this one leaves is removed later
			assertThat(keys()).allSatisfy((key) -> assertThat(key).startsWith("delay:queue:test-"));
		}

		@Test
		void tasksAreInRedisUntilTheTestEnds(@Autowired DelayQueueOperations delayQueue) {
			assertThat(keys()).isEmpty();
			delayQueue.schedule("order_timeout", "book", Duration.ofMinutes(1));
			assertThat(keys()).isNotEmpty();
		}

		/** A Redis that others use has many keys. */
		@Test
		void keysOfOthersAreNotLookedThrough() {
			assertThat(new StringRedisTemplate(this.connectionFactory)
				.execute((connection) -> connection.serverCommands().info("commandstats"), true)
				.stringPropertyNames()).contains("cmdstat_unlink").doesNotContain("cmdstat_scan");
		}

		private Set<String> keys() {
			return new StringRedisTemplate(this.connectionFactory).keys("*");
		}

	}

	/** What seems endless is so after fewer deliveries: each of them is several calls. */
	@Nested
	@TestPropertySource(properties = { "delay-queue.test.store=redis", "delay-queue.test.max-deliveries=200" })
	class SameKindsTests extends ListenerKindsTests {

		@DynamicPropertySource
		static void redis(DynamicPropertyRegistry registry) {
			registry.add("spring.data.redis.port", REDIS::port);
		}

	}

	@Nested
	@TestPropertySource(properties = "delay-queue.test.store=redis")
	class SameEndlessStageTests extends EndlessStageTests {

		@DynamicPropertySource
		static void redis(DynamicPropertyRegistry registry) {
			registry.add("spring.data.redis.port", REDIS::port);
		}

	}

	@Nested
	@TestPropertySource(properties = "delay-queue.test.store=redis")
	class SameIsolationTests extends IsolationTests {

		@DynamicPropertySource
		static void redis(DynamicPropertyRegistry registry) {
			registry.add("spring.data.redis.port", REDIS::port);
		}

	}

	@Nested
	@TestPropertySource(properties = "delay-queue.test.store=redis")
	class SameDeadLettersTests extends DeadLettersTests {

		@DynamicPropertySource
		static void redis(DynamicPropertyRegistry registry) {
			registry.add("spring.data.redis.port", REDIS::port);
		}

	}

}
