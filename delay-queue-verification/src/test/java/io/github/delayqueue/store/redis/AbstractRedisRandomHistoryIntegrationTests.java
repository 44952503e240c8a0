package io.github.delayqueue.store.redis;

import java.time.Duration;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.Parameter;

import io.github.delayqueue.fixtures.DriverStores;
import io.github.delayqueue.fixtures.RedisStores;
import io.github.delayqueue.groups.GroupedHistories;
import io.github.delayqueue.groups.GroupedQueues;
import io.github.delayqueue.store.AbstractRandomHistoryTests;
import io.github.delayqueue.store.HistorySubject;
import io.github.delayqueue.store.memory.InMemorySubject;
import io.github.delayqueue.testsupport.Driver;
import io.github.delayqueue.testsupport.EachServer;
import io.github.delayqueue.testsupport.MutableClock;
import io.github.delayqueue.testsupport.TestServer;

/**
 * Redis against the model: the same history, the same answers, the same state and the
 * same wake messages after each step, and every task in one place.
 */
@EachServer
abstract class AbstractRedisRandomHistoryIntegrationTests extends AbstractRandomHistoryTests {

	private final Driver driver;

	private @Nullable RedisStores stores;

	@Parameter
	private TestServer server;

	AbstractRedisRandomHistoryIntegrationTests(Driver driver) {
		this.driver = driver;
	}

	@AfterEach
	void close() {
		this.stores.close();
	}

	/** What holds for the groups of the queue, {@code null} if it has none. */
	protected @Nullable GroupedQueues groups() {
		return null;
	}

	@Override
	protected int groupCount() {
		return (groups() != null) ? GroupedHistories.GROUPS : 0;
	}

	@Override
	protected HistorySubject openModel(MutableClock clock) {
		return new InMemorySubject(clock, groups());
	}

	@Override
	protected HistorySubject openCandidate(MutableClock clock) {
		if (this.stores == null) {
			this.stores = DriverStores.on(this.driver.connect(this.server))
				.keyPrefix(RedisSubject.prefix())
				.commandTimeout(Duration.ofMinutes(1));
		}
		RedisTaskStore store = this.stores.clock(clock).open();
		GroupedQueues groups = groups();
		if (groups != null) {
			store.add(groups);
		}
		return new RedisSubject(store, this.server.host(), this.server.port());
	}

	@Override
	protected int lanes() {
		return 2;
	}

}
