package io.github.delayqueue.store.redis;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;

import org.springframework.data.redis.connection.RedisConnectionFactory;

import io.github.delayqueue.fixtures.QueueCheck;
import io.github.delayqueue.fixtures.RedisStores;
import io.github.delayqueue.testsupport.Driver;
import io.github.delayqueue.testsupport.EachServer;
import io.github.delayqueue.testsupport.TestServer;

/**
 * A queue for each test, which seeds and reads it key by key, and a store that takes it
 * to be ten seconds past the epoch: on each server.
 */
@EachServer
abstract class AbstractSeededQueueIntegrationTests {

	static final String PREFIX = "seeded:";

	static TestServer server;

	static RedisConnectionFactory connections;

	private static RedisStores stores;

	static RedisTaskStore store;

	/** The same as {@link #server}: only of a class that takes it can it be asked for. */
	@Parameter
	private TestServer parameter;

	final String queue = UUID.randomUUID().toString();

	final QueueKeyspace keyspace = new QueueKeyspace(server, PREFIX, this.queue);

	@BeforeParameterizedClassInvocation
	static void openStore(TestServer current) {
		server = current;
		connections = Driver.LETTUCE.connect(server);
		Clock atTenThousand = Clock.fixed(Instant.ofEpochMilli(10_000), ZoneOffset.UTC);
		stores = RedisStores.on(connections).keyPrefix(PREFIX).clock(atTenThousand);
		store = stores.open();
	}

	@AfterParameterizedClassInvocation
	static void closeStore() {
		stores.close();
	}

	/**
	 * A key of the queue.
	 * @param suffix the key after the base name
	 * @return its name
	 */
	final String key(String suffix) {
		return PREFIX + "{" + this.queue + "}" + suffix;
	}

	/** By the clock of the store. */
	final QueueCheck check() {
		return page("look", null, 1000);
	}

	/** The same, mended; {@code why} is the failure of what is made dead. */
	final QueueCheck repair() {
		return page("repair", null, 1000);
	}

	final QueueCheck page(String mode, @Nullable String cursor, int limit) {
		return QueueCheck.page(connections, key(""), mode, cursor, limit, "10000000", "why");
	}

}
