package io.github.delayqueue.benchmark.peers;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.IntStream;

import io.github.delayqueue.benchmark.Servers;
import io.github.delayqueue.benchmark.TaskSink;

/**
 * The bucket design of several well-known articles: a pool of jobs, buckets of ids by
 * time, a timer for each that moves what is due to a ready list, consumers that block on
 * this list, and a time to run.
 */
final class BucketSystem extends LettuceSystem {

	private static final int CONSUMERS = 16;

	BucketSystem(Servers servers) {
		super(servers, BucketProducer::new);
	}

	@Override
	public Map<String, String> settings() {
		Map<String, String> settings = new LinkedHashMap<>();
		settings.put("client", RedisConnections.client());
		settings.put("job pool", "a string per job");
		settings.put("buckets", BucketKeys.BUCKETS + ", each with a timer of its own");
		settings.put("tick", BucketMover.TICK.toMillis() + " ms, repeated at once while a full batch was due");
		settings.put("moved in a batch", Integer.toString(BucketMover.BATCH));
		settings.put("consumers", CONSUMERS + " threads in BRPOP, a connection each");
		settings.put("ttr", BucketConsumer.TTR.toSeconds() + " s");
		settings.put("bulk", "MSET and a ZADD per bucket for " + BucketProducer.CHUNK + " tasks, pipelined");
		return settings;
	}

	@Override
	public Consumption consume(TaskSink sink) {
		RedisConnections opened = moreConnections();
		Workers workers = new Workers(opened);
		for (int i = 0; i < BucketKeys.BUCKETS; i++) {
			workers.add("bucket-timer-" + i, new BucketMover(shared(), i));
		}
		for (int i = 0; i < CONSUMERS; i++) {
			workers.add("bucket-consumer-" + i, new BucketConsumer(opened.open(), shared(), sink));
		}
		return workers;
	}

	@Override
	public OptionalLong pending() {
		return OptionalLong.of(IntStream.range(0, BucketKeys.BUCKETS)
			.mapToLong((number) -> shared().sync().zcard(BucketKeys.bucket(number)))
			.sum());
	}

}
