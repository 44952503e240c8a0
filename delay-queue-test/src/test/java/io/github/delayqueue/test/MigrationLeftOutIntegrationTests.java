package io.github.delayqueue.test;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

import io.github.delayqueue.migration.Migration;
import io.github.delayqueue.migration.SortedSetMigration;
import io.github.delayqueue.testsupport.Connections;
import io.github.delayqueue.testsupport.Driver;
import io.github.delayqueue.testsupport.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A test of an application that moves over from another delay queue leaves alone what
 * waits there, although the application is set to that Redis, and to moving.
 */
@SpringBootTest(classes = { WholeApplication.class, MigrationLeftOutIntegrationTests.Moving.class },
		properties = { "delay-queue.migration.enabled=true", "delay-queue.migration.interval=10ms" })
@DelayQueueTest
class MigrationLeftOutIntegrationTests {

	private static final RedisServer REDIS = RedisServer.startNew();

	private static final RedisConnectionFactory OTHERS = Driver.LETTUCE.connect(REDIS);

	private static StringRedisTemplate redis;

	@DynamicPropertySource
	static void redis(DynamicPropertyRegistry registry) {
		registry.add("spring.data.redis.port", REDIS::port);
	}

	@BeforeAll
	static void begin() {
		redis = new StringRedisTemplate(OTHERS);
		redis.opsForZSet().add("old", "order-1", 1);
	}

	/** Only now, when what the context had started has ended. */
	@AfterAll
	static void end() {
		Connections.close(OTHERS);
		REDIS.close();
	}

	@Test
	void whatWaitsInRedisStaysThere(@Autowired DelayQueueTester tester, @Autowired DelayQueueTestClock clock) {
		assertThat(clock.runDue()).isEmpty();
		assertThat(tester.queue("order_timeout")).isEmpty();
		assertThat(commands()).as("what Redis was asked")
			.allMatch((command) -> command.matches("cmdstat_(zadd|zcard|info|hello|client.*|ping)"));
		assertThat(redis.opsForZSet().zCard("old")).isOne();
	}

	private static Iterable<String> commands() {
		return redis.execute((connection) -> connection.serverCommands().info("commandstats"), true)
			.stringPropertyNames();
	}

	@TestConfiguration(proxyBeanMethods = false)
	static class Moving {

		@Bean
		Migration ordersOfOld() {
			return SortedSetMigration.from("old").to("order_timeout").build();
		}

	}

}
