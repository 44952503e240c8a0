package io.github.delayqueue.store.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.Parameter;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.context.SmartLifecycle;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;

import io.github.delayqueue.store.AbstractRandomHistoryTests;
import io.github.delayqueue.store.HistorySubject;
import io.github.delayqueue.store.memory.InMemorySubject;
import io.github.delayqueue.testsupport.EachServer;
import io.github.delayqueue.testsupport.MutableClock;
import io.github.delayqueue.testsupport.TestServer;

/**
 * Redis against the model: the same history, the same answers, the same state and the
 * same wake messages after each step, and every task in one place.
 */
@EachServer
abstract class AbstractRedisRandomHistoryIntegrationTests extends AbstractRandomHistoryTests {

	private final Function<RedisStandaloneConfiguration, RedisConnectionFactory> driver;

	private final List<RedisTaskStore> stores = new ArrayList<>();

	private @Nullable RedisConnectionFactory connections;

	@Parameter
	private TestServer server;

	AbstractRedisRandomHistoryIntegrationTests(Function<RedisStandaloneConfiguration, RedisConnectionFactory> driver) {
		this.driver = driver;
	}

	@AfterEach
	void close() throws Exception {
		this.stores.forEach(RedisTaskStore::destroy);
		((DisposableBean) this.connections).destroy();
	}

	@Override
	protected HistorySubject openModel(MutableClock clock) {
		return new InMemorySubject(clock);
	}

	@Override
	protected HistorySubject openCandidate(MutableClock clock) throws Exception {
		RedisStandaloneConfiguration configuration = new RedisStandaloneConfiguration(this.server.host(),
				this.server.port());
		if (this.connections == null) {
			this.connections = this.driver.apply(configuration);
			((InitializingBean) this.connections).afterPropertiesSet();
			((SmartLifecycle) this.connections).start();
		}
		RedisTaskStore store = new RedisTaskStore(this.connections, RedisSubject.prefix(), Duration.ofMinutes(1),
				clock);
		this.stores.add(store);
		return new RedisSubject(store, this.server.host(), this.server.port());
	}

	@Override
	protected int lanes() {
		return 2;
	}

}
