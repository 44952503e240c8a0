package io.github.delayqueue.benchmark.peers;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.redisson.Redisson;
import org.redisson.api.RBlockingQueue;
import org.redisson.api.RDelayedQueue;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;
import org.redisson.config.Config;

import io.github.delayqueue.benchmark.Payloads;
import io.github.delayqueue.benchmark.Producer;
import io.github.delayqueue.benchmark.QueueSystem;
import io.github.delayqueue.benchmark.Servers;
import io.github.delayqueue.benchmark.TaskSink;

/**
 * {@code RDelayedQueue} of Redisson: a transfer, started by a timer of the client, moves
 * what is due to a list on which consumers block. No acknowledgement.
 */
@SuppressWarnings("deprecation") // deprecated by Redisson, in wide use all the same
final class RedissonSystem implements QueueSystem {

	private static final int CONSUMERS = 16;

	private final RedissonClient client;

	private final RBlockingQueue<String> ready;

	private final RDelayedQueue<String> delayed;

	private final Producer producer;

	RedissonSystem(Servers servers) {
		Config config = new Config();
		config.setCodec(StringCodec.INSTANCE);
		config.useSingleServer().setAddress(servers.redis());
		this.client = Redisson.create(config);
		this.ready = this.client.getBlockingQueue("redisson");
		this.delayed = this.client.getDelayedQueue(this.ready);
		this.producer = new RedissonProducer(this.delayed);
	}

	@Override
	public Map<String, String> settings() {
		Map<String, String> settings = new LinkedHashMap<>();
		settings.put("client", "Redisson " + Redisson.class.getPackage().getImplementationVersion());
		settings.put("codec", "StringCodec: JSON as it is");
		settings.put("connections and threads of the client", "its defaults");
		settings.put("consumers", CONSUMERS + " threads in take()");
		settings.put("bulk", "offerAsync, at most " + RedissonProducer.WINDOW + " under way: there is no bulk call");
		return settings;
	}

	@Override
	public Producer producer() {
		return this.producer;
	}

	@Override
	public Consumption consume(TaskSink sink) {
		Workers workers = new Workers(() -> {
		});
		for (int i = 0; i < CONSUMERS; i++) {
			workers.add("redisson-consumer-" + i, () -> {
				sink.handle(Payloads.fromJson(this.ready.take()));
				return Duration.ZERO;
			});
		}
		return workers;
	}

	@Override
	public void reset() {
		this.client.getKeys().flushdb();
	}

	@Override
	public long pending() {
		return this.delayed.size() + this.ready.size();
	}

	@Override
	public void close() {
		this.delayed.destroy();
		this.client.shutdown(0, 2, TimeUnit.SECONDS);
	}

}
