package io.github.delayqueue.benchmark.peers;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;

import io.lettuce.core.api.StatefulRedisConnection;

import io.github.delayqueue.benchmark.Producer;
import io.github.delayqueue.benchmark.QueueSystem;
import io.github.delayqueue.benchmark.Servers;
import io.github.delayqueue.benchmark.TaskSink;

/**
 * Key-expiry notifications: a key for each task that expires when the task is due, and
 * whose expiry Redis publishes. The payload is kept in a hash, because an expired key has
 * no value any more.
 */
final class ExpirySystem implements QueueSystem {

	static final String TIMER = "expiry:timer:";

	static final String PAYLOADS = "expiry:payloads";

	private static final String HZ = "100";

	private static final String EFFORT = "10";

	private static final String DEFAULT_HZ = "10";

	private static final String DEFAULT_EFFORT = "1";

	private final RedisConnections connections;

	private final StatefulRedisConnection<String, String> shared;

	private final Producer producer;

	ExpirySystem(Servers servers) {
		this.connections = new RedisConnections(servers);
		this.shared = this.connections.open();
		this.producer = new ExpiryProducer(this.shared);
	}

	@Override
	public Map<String, String> settings() {
		Map<String, String> settings = new LinkedHashMap<>();
		settings.put("client", RedisConnections.client());
		settings.put("timer", "SET with PXAT for each task");
		settings.put("payload", "a hash for all tasks");
		settings.put("hz, active-expire-effort", HZ + ", " + EFFORT + ": as eager as Redis can be, while consumed");
		settings.put("consumers", ExpiryConsumer.THREADS + " threads behind one subscription");
		settings.put("bulk", "HSET for " + ExpiryProducer.CHUNK + " tasks and their SETs, pipelined");
		return settings;
	}

	@Override
	public Consumption consume(TaskSink sink) {
		// finds expired keys as often and as eagerly as Redis can be told to
		this.shared.sync().configSet(Map.of("notify-keyspace-events", "Ex", "hz", HZ, "active-expire-effort", EFFORT));
		ExpiryConsumer consumer = new ExpiryConsumer(this.connections.more(), this.shared, sink);
		return () -> {
			consumer.close();
			this.shared.sync()
				.configSet(
						Map.of("notify-keyspace-events", "", "hz", DEFAULT_HZ, "active-expire-effort", DEFAULT_EFFORT));
		};
	}

	@Override
	public Producer producer() {
		return this.producer;
	}

	@Override
	public void reset() {
		this.shared.sync().flushdb();
	}

	@Override
	public void close() {
		this.connections.close();
	}

	@Override
	public OptionalLong pending() {
		return OptionalLong.of(this.shared.sync().hlen(PAYLOADS));
	}

}
