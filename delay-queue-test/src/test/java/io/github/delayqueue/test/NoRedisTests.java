package io.github.delayqueue.test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.time.Duration;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

import io.github.delayqueue.actuate.DelayQueueHealthIndicator;
import io.github.delayqueue.migration.Migration;
import io.github.delayqueue.migration.MigrationRunner;
import io.github.delayqueue.migration.SortedSetMigration;
import io.github.delayqueue.producer.DelayQueueOperations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The whole application, with a connection factory of its own, and nobody who would
 * answer it: what is there listens, and gets no connection. Nor does an application that
 * is set to moving over from another delay queue take away what waits there.
 */
@SpringBootTest(classes = { WholeApplication.class, NoRedisTests.Moving.class }, webEnvironment = WebEnvironment.NONE,
		properties = { "delay-queue.migration.enabled=true", "delay-queue.migration.interval=10ms" })
@DelayQueueTest
class NoRedisTests {

	@AutoClose
	private static final ServerSocket NOBODY = listen();

	@Autowired
	private DelayQueueOperations delayQueue;

	@Autowired
	private DelayQueueTestClock clock;

	@Autowired
	private DelayQueueTester tester;

	@Autowired
	private WholeApplication.Orders orders;

	@Autowired
	private RedisConnectionFactory connectionFactory;

	@Autowired
	private DelayQueueHealthIndicator health;

	@Autowired
	private ObjectProvider<MigrationRunner> mover;

	private static ServerSocket listen() {
		try {
			return new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@BeforeEach
	void begin() {
		this.orders.closed().clear();
	}

	@DynamicPropertySource
	static void redis(DynamicPropertyRegistry registry) {
		registry.add("spring.data.redis.host", NOBODY.getInetAddress()::getHostAddress);
		registry.add("spring.data.redis.port", NOBODY::getLocalPort);
	}

	@Test
	void noConnectionIsMade() throws IOException {
		this.delayQueue.schedule("order_timeout", "order-1", "order-1", Duration.ofMinutes(30));
		this.clock.advance(Duration.ofMinutes(30));
		assertThat(this.orders.closed()).containsExactly("order-1");
		assertThat(this.tester.queue("order_timeout")).hasHandled("order-1").and().isEmpty();
		assertThat(this.connectionFactory).isNotNull();
		assertThat(this.health.health().getStatus()).isEqualTo(Status.UP);
		NOBODY.setSoTimeout(1);
		assertThatExceptionOfType(SocketTimeoutException.class).isThrownBy(NOBODY::accept);
	}

	@Test
	void nothingIsMoved() {
		assertThat(this.clock.runDue()).isEmpty();
		assertThat(this.mover.stream()).isEmpty();
	}

	@Test
	void noThreadClaimsOrHandles() {
		this.delayQueue.schedule("order_timeout", "order-1", "order-1", Duration.ofMinutes(30));
		this.clock.advance(Duration.ofMinutes(30));
		assertThat(Thread.getAllStackTraces().keySet()).extracting(Thread::getName)
			.noneMatch((name) -> name.matches("delay-queue-(\\d+|handler-.*|claim-.*|settle-.*|orders-.*)"));
	}

	@TestConfiguration(proxyBeanMethods = false)
	static class Moving {

		@Bean
		Migration ordersOfOld() {
			return SortedSetMigration.from("old").to("order_timeout").build();
		}

	}

}
