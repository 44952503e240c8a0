package io.github.delayqueue.benchmark.systems;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.lettuce.core.RedisClient;
import io.lettuce.core.ScoredValue;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;

import io.github.delayqueue.benchmark.BenchTask;
import io.github.delayqueue.benchmark.Payloads;
import io.github.delayqueue.benchmark.Producer;
import io.github.delayqueue.benchmark.QueueSystem;
import io.github.delayqueue.benchmark.Servers;
import io.github.delayqueue.benchmark.SystemType;
import io.github.delayqueue.benchmark.SystemType.Trait;
import io.github.delayqueue.benchmark.TaskSink;
import io.github.delayqueue.benchmark.peers.Chunks;
import io.github.delayqueue.benchmark.peers.Workers;

/**
 * What most people write first: a sorted set, and a script that pops what is due. There
 * is no acknowledgement: what was popped is gone. Producers share a connection of the
 * driver that the delay queue uses.
 */
public final class PolledSortedSet implements QueueSystem, Producer {

	/** As many at a time as the delay queue claims and schedules. */
	private static final int LIMIT = 500;

	private static final Duration PAUSE = Duration.ofMillis(10);

	/** The loop. */
	public static final SystemType TYPE = new SystemType("loop", "unsafe loop",
			"`ZADD`, and a script that pops " + LIMIT + " due tasks, again and again until none is due, then every "
					+ "10 ms: fast, and what it holds is lost when it dies.",
			Set.of(Trait.REDIS), PolledSortedSet::new);

	private static final byte[] KEY = bytes("benchmark:{set}");

	/** How much of a member is not payload. */
	private static final int ID_LENGTH = 18;

	private static final String POP = """
			local due = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'LIMIT', 0, tonumber(ARGV[2]))
			if #due > 0 then
				redis.call('ZREM', KEYS[1], unpack(due))
			end
			return due
			""";

	private final RedisClient client;

	private final StatefulRedisConnection<byte[], byte[]> connection;

	private final String pop;

	private PolledSortedSet(Servers servers) {
		this.client = RedisClient.create(servers.redis());
		this.connection = this.client.connect(ByteArrayCodec.INSTANCE);
		this.pop = this.connection.sync().scriptLoad(bytes(POP));
	}

	@Override
	public Map<String, String> settings() {
		Map<String, String> settings = new LinkedHashMap<>();
		settings.put("consumer", "one thread, pops " + LIMIT + " until empty");
		settings.put("interval", PAUSE.toMillis() + " ms");
		settings.put("bulk", "variadic ZADD of " + LIMIT + ", one after the other");
		return settings;
	}

	@Override
	public Producer producer() {
		return this;
	}

	@Override
	public void schedule(BenchTask task) {
		this.connection.sync().zadd(KEY, (double) task.dueAtMillis(), member(task));
	}

	@Override
	@SuppressWarnings({ "unchecked", "rawtypes" })
	public void scheduleAll(List<BenchTask> tasks) {
		for (List<BenchTask> chunk : Chunks.of(tasks, LIMIT)) {
			ScoredValue<byte[]>[] members = chunk.stream()
				.map((task) -> ScoredValue.just(task.dueAtMillis(), member(task)))
				.toArray(ScoredValue[]::new);
			this.connection.sync().zadd(KEY, members);
		}
	}

	private static byte[] member(BenchTask task) {
		byte[] id = bytes(task.id());
		byte[] json = Payloads.toJson(task.payload());
		byte[] member = new byte[id.length + json.length];
		System.arraycopy(id, 0, member, 0, id.length);
		System.arraycopy(json, 0, member, id.length, json.length);
		return member;
	}

	@Override
	public Consumption consume(TaskSink sink) {
		StatefulRedisConnection<byte[], byte[]> consumer = this.client.connect(ByteArrayCodec.INSTANCE);
		byte[][] keys = { KEY };
		byte[] limit = bytes(String.valueOf(LIMIT));
		Workers workers = new Workers(consumer);
		workers.add("consumer", () -> {
			List<byte[]> members = consumer.sync()
				.evalsha(this.pop, ScriptOutputType.MULTI, keys, bytes(String.valueOf(System.currentTimeMillis())),
						limit);
			for (byte[] member : members) {
				sink.handle(Payloads.fromJson(member, ID_LENGTH, member.length - ID_LENGTH));
			}
			return members.isEmpty() ? PAUSE : Duration.ZERO;
		});
		return workers;
	}

	@Override
	public void reset() {
		this.connection.sync().flushall();
	}

	@Override
	public long pending() {
		return this.connection.sync().zcard(KEY);
	}

	@Override
	public void close() {
		this.connection.close();
		this.client.shutdown();
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

}
