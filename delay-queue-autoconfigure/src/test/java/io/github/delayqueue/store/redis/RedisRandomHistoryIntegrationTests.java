package io.github.delayqueue.store.redis;

import java.time.Duration;

import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.github.delayqueue.store.AbstractRandomHistoryTests;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.store.TaskStoreFixture;
import io.github.delayqueue.store.memory.InMemoryTaskStore;
import io.github.delayqueue.testsupport.EachServer;
import io.github.delayqueue.testsupport.MutableClock;
import io.github.delayqueue.testsupport.TestServer;

/**
 * Redis against the model: the same history, the same answers, the same state after each
 * step, and every task in one place.
 */
@EachServer
class RedisRandomHistoryIntegrationTests extends AbstractRandomHistoryTests {

	private static final String PREFIX = "history:";

	private static final MutableClock clock = new MutableClock(TaskStoreFixture.START);

	private static LettuceConnectionFactory connections;

	private static RedisTaskStore candidate;

	@Parameter
	private TestServer server;

	private final InMemoryTaskStore model = new InMemoryTaskStore(clock);

	@BeforeParameterizedClassInvocation
	static void open(TestServer server) {
		connections = new LettuceConnectionFactory(server.host(), server.port());
		connections.afterPropertiesSet();
		connections.start();
		candidate = new RedisTaskStore(connections, PREFIX, Duration.ofSeconds(5), clock);
	}

	@AfterParameterizedClassInvocation
	static void close() {
		candidate.destroy();
		connections.destroy();
	}

	@Override
	protected TaskStore model() {
		return this.model;
	}

	@Override
	protected TaskStore candidate() {
		return candidate;
	}

	@Override
	protected MutableClock clock() {
		return clock;
	}

	@Override
	protected void assertInvariant(String queue) {
		new QueueKeyspace(this.server, PREFIX, queue).assertInvariant();
	}

}
