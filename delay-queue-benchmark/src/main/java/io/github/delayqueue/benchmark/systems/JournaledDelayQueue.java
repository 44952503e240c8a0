package io.github.delayqueue.benchmark.systems;

import java.time.Duration;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;

import org.springframework.jdbc.core.simple.JdbcClient;

import io.github.delayqueue.autoconfigure.DelayQueueProperties;
import io.github.delayqueue.benchmark.Call;
import io.github.delayqueue.benchmark.Producer;
import io.github.delayqueue.benchmark.QueueSystem;
import io.github.delayqueue.benchmark.Servers;
import io.github.delayqueue.benchmark.SystemType;
import io.github.delayqueue.benchmark.SystemType.Trait;
import io.github.delayqueue.benchmark.TaskSink;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.store.redis.RedisTaskStore;

/**
 * The delay queue with a journal in PostgreSQL, otherwise as {@link DelayQueue}.
 */
public final class JournaledDelayQueue implements QueueSystem {

	/** The queue. */
	public static final String QUEUE = QueueHandler.QUEUE;

	/** With the default horizon of an hour. */
	public static final SystemType TYPE = type((servers) -> new JournaledDelayQueue(servers, Map.of()));

	private static final int CONNECTIONS = 20;

	private final DelayQueue queue;

	private final JdbcClient jdbc;

	private JournaledDelayQueue(Servers servers, Map<String, Object> properties) {
		Map<String, Object> all = new LinkedHashMap<>(properties);
		all.put("spring.datasource.url", servers.durablePostgres());
		all.put("spring.datasource.hikari.maximum-pool-size", CONNECTIONS);
		all.put("delay-queue.journal.enabled", true);
		all.put("delay-queue.journal.initialize-schema", "always");
		this.queue = new DelayQueue(JournaledApplication.class, servers, all);
		this.jdbc = this.queue.bean(JdbcClient.class);
	}

	private static SystemType type(Function<Servers, QueueSystem> factory) {
		return new SystemType("journal", "Delay Queue with a journal",
				"This project with a journal: a row for each unfinished task, Redis as the clock that delivers it.",
				EnumSet.of(Call.ONE, Call.BULK), Set.of(Trait.SUBJECT, Trait.REDIS, Trait.POSTGRES, Trait.DURABLE),
				factory);
	}

	/**
	 * The same with another horizon.
	 * @param horizon tasks due within it are in Redis
	 * @return the system
	 */
	public static SystemType withHorizon(Duration horizon) {
		return type((servers) -> new JournaledDelayQueue(servers,
				Map.of("delay-queue.journal.horizon", horizon.toMillis() + "ms")));
	}

	@Override
	public Map<String, String> settings() {
		Map<String, String> settings = new LinkedHashMap<>();
		settings.put("server", "PostgreSQL " + show("server_version"));
		settings.put("synchronous_commit", show("synchronous_commit"));
		settings.put("fsync", show("fsync"));
		settings.put("client", "pgjdbc and HikariCP, " + CONNECTIONS + " connections");
		settings.put("horizon", this.queue.bean(DelayQueueProperties.class).journal().horizon().toString());
		settings.putAll(this.queue.settings());
		return settings;
	}

	private String show(String parameter) {
		return this.jdbc.sql("SHOW " + parameter).query(String.class).single();
	}

	@Override
	public Producer producer() {
		return this.queue.producer();
	}

	@Override
	public Consumption consume(TaskSink sink) {
		return this.queue.consume(sink);
	}

	/** Not by emptying Redis: that would be a loss to be made up for. */
	@Override
	public void reset() {
		this.jdbc.sql("TRUNCATE delay_queue_task").update();
		this.queue.operations().clear(QUEUE);
	}

	@Override
	public OptionalLong pending() {
		return this.queue.pending();
	}

	public DelayQueueOperations operations() {
		return this.queue.operations();
	}

	/**
	 * How many tasks the database has.
	 * @return the number of rows
	 */
	public long rows() {
		return this.jdbc.sql("SELECT count(*) FROM delay_queue_task").query(Long.class).single();
	}

	/**
	 * How many tasks Redis has.
	 * @return those that it will deliver
	 */
	public long inRedis() {
		return this.queue.bean(RedisTaskStore.class).stats(QUEUE).scheduled();
	}

	@Override
	public void close() {
		this.queue.close();
	}

}
