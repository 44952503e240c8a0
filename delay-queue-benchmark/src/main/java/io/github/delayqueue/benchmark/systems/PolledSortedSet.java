package io.github.delayqueue.benchmark.systems;

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

/**
 * What most people write first: a sorted set, and a script that pops what is due. There
 * is no acknowledgement: what was popped is gone.
 */
public final class PolledSortedSet extends RedisSystem {

	/** Pops every second, as the blog posts have it. */
	public static final SystemType POLLING = new SystemType("polling", "polling ZSET",
			"`ZADD`, and every second a script that pops up to 100 due tasks; no acknowledgement.",
			EnumSet.allOf(Call.class), Set.of(Trait.REDIS, Trait.BARE_PRODUCER),
			(servers) -> new PolledSortedSet(servers, false));

	/** Pops until nothing is due. */
	public static final SystemType LOOP = new SystemType("loop", "unsafe loop",
			"The same, popping until nothing is due, then every 10 ms: fast, and what it holds is lost when it dies.",
			EnumSet.allOf(Call.class), Set.of(Trait.REDIS, Trait.BARE_PRODUCER),
			(servers) -> new PolledSortedSet(servers, true));

	private static final int LIMIT = 100;

	private static final String POP = """
			local due = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'LIMIT', 0, tonumber(ARGV[2]))
			if #due > 0 then
				redis.call('ZREM', KEYS[1], unpack(due))
			end
			return due
			""";

	private final boolean loop;

	private final long pauseMillis;

	private final Producer producer = new ZaddProducer(connection());

	private final String pop = load(POP);

	private PolledSortedSet(Servers servers, boolean loop) {
		super(servers);
		this.loop = loop;
		this.pauseMillis = loop ? 10 : 1000;
	}

	@Override
	public Map<String, String> settings() {
		Map<String, String> settings = new LinkedHashMap<>();
		settings.put("consumer", "one thread, pops " + LIMIT + (this.loop ? " until empty" : ""));
		settings.put("interval", this.pauseMillis + " ms");
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
		byte[] limit = bytes(String.valueOf(LIMIT));
		return new LoopThread(() -> {
			List<byte[]> members = call(connection, this.pop, keys, bytes(String.valueOf(System.currentTimeMillis())),
					limit);
			for (byte[] member : members) {
				sink.handle(Payloads.fromJson(member, ZaddProducer.ID_LENGTH, member.length - ZaddProducer.ID_LENGTH));
			}
			return this.loop && !members.isEmpty();
		}, this.pauseMillis, connection::close);
	}

}
