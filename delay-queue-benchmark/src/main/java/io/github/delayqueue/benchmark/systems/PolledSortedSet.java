package io.github.delayqueue.benchmark.systems;

import java.time.Duration;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.lettuce.core.api.StatefulRedisConnection;

import io.github.delayqueue.benchmark.Call;
import io.github.delayqueue.benchmark.Payloads;
import io.github.delayqueue.benchmark.Producer;
import io.github.delayqueue.benchmark.Servers;
import io.github.delayqueue.benchmark.SystemType;
import io.github.delayqueue.benchmark.SystemType.Trait;
import io.github.delayqueue.benchmark.TaskSink;
import io.github.delayqueue.benchmark.peers.Workers;

/**
 * What most people write first: a sorted set, and a script that pops what is due. There
 * is no acknowledgement: what was popped is gone.
 */
public final class PolledSortedSet extends RedisSystem {

	/** Pops 100 at a time. */
	public static final SystemType LOOP = loop("loop", 100);

	/** Pops 500 at a time, as many as the delay queue claims. */
	public static final SystemType LOOP_500 = loop("loop-500", 500, Trait.BARE_PRODUCER);

	private static final Duration PAUSE = Duration.ofMillis(10);

	private static final String POP = """
			local due = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'LIMIT', 0, tonumber(ARGV[2]))
			if #due > 0 then
				redis.call('ZREM', KEYS[1], unpack(due))
			end
			return due
			""";

	private final int limit;

	private final Producer producer = new ZaddProducer(connection());

	private final String pop = load(POP);

	private PolledSortedSet(Servers servers, int limit) {
		super(servers);
		this.limit = limit;
	}

	private static SystemType loop(String key, int limit, Trait... more) {
		Set<Trait> traits = EnumSet.of(Trait.REDIS, more);
		return new SystemType(key, "unsafe loop of " + limit,
				"`ZADD`, and a script that pops " + limit + " due tasks, again and again until none is due, then every "
						+ "10 ms: fast, and what it holds is lost when it dies.",
				EnumSet.allOf(Call.class), traits, (servers) -> new PolledSortedSet(servers, limit));
	}

	@Override
	public Map<String, String> settings() {
		Map<String, String> settings = new LinkedHashMap<>();
		settings.put("consumer", "one thread, pops " + this.limit + " until empty");
		settings.put("interval", PAUSE.toMillis() + " ms");
		settings.put("bulk", "variadic ZADD of " + ZaddProducer.CHUNK + ", one after the other");
		return settings;
	}

	@Override
	public Producer producer() {
		return this.producer;
	}

	@Override
	public Consumption consume(TaskSink sink) {
		StatefulRedisConnection<byte[], byte[]> connection = connect();
		byte[][] keys = { KEY };
		byte[] limit = bytes(String.valueOf(this.limit));
		Workers workers = new Workers(connection);
		workers.add("consumer", () -> {
			List<byte[]> members = call(connection, this.pop, keys, bytes(String.valueOf(System.currentTimeMillis())),
					limit);
			for (byte[] member : members) {
				sink.handle(Payloads.fromJson(member, ZaddProducer.ID_LENGTH, member.length - ZaddProducer.ID_LENGTH));
			}
			return members.isEmpty() ? PAUSE : Duration.ZERO;
		});
		return workers;
	}

}
