package io.github.delayqueue.benchmark.peers;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

import io.github.delayqueue.benchmark.Payloads;
import io.github.delayqueue.benchmark.QueueSystem;
import io.github.delayqueue.benchmark.TaskSink;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens to expired keys. Takes the payload of each out of the hash, by a script, so
 * that one of several instances gets it, and hands it to a pool of threads.
 */
final class ExpiryConsumer extends RedisPubSubAdapter<String, String> implements QueueSystem.Consumption {

	private static final Logger logger = LoggerFactory.getLogger(ExpiryConsumer.class);

	static final int THREADS = 16;

	private static final String CHANNEL = "__keyevent@0__:expired";

	private static final long STOP_SECONDS = 10;

	private static final String TAKE = """
			local payload = redis.call('HGET', KEYS[1], ARGV[1])
			if payload then redis.call('HDEL', KEYS[1], ARGV[1]) end
			return payload
			""";

	private final RedisConnections connections;

	private final StatefulRedisConnection<String, String> shared;

	private final String take;

	private final ExecutorService executor = Executors.newFixedThreadPool(THREADS);

	private final TaskSink sink;

	ExpiryConsumer(RedisConnections connections, StatefulRedisConnection<String, String> shared, TaskSink sink) {
		this.connections = connections;
		this.shared = shared;
		this.take = shared.sync().scriptLoad(TAKE);
		this.sink = sink;
		StatefulRedisPubSubConnection<String, String> subscription = connections.openPubSub();
		subscription.addListener(this);
		subscription.sync().subscribe(CHANNEL);
	}

	@Override
	public void message(String channel, String key) {
		if (key.startsWith(ExpirySystem.TIMER)) {
			this.shared.async()
				.<String>evalsha(this.take, ScriptOutputType.VALUE, new String[] { ExpirySystem.PAYLOADS },
						key.substring(ExpirySystem.TIMER.length()))
				.thenAcceptAsync(this::handle, this.executor)
				.exceptionally((ex) -> {
					logger.warn("Lost a task", ex);
					return null;
				});
		}
	}

	private void handle(String payload) {
		if (payload != null) {
			this.sink.handle(Payloads.fromJson(payload));
		}
	}

	@Override
	public void close() {
		this.connections.close();
		this.executor.shutdown();
		try {
			if (!this.executor.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS)) {
				throw new IllegalStateException("Handlers do not end");
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
