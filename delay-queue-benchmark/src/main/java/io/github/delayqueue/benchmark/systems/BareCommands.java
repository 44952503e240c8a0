package io.github.delayqueue.benchmark.systems;

import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BooleanSupplier;

import io.lettuce.core.RedisFuture;
import io.lettuce.core.api.StatefulRedisConnection;
import org.jspecify.annotations.Nullable;

import io.github.delayqueue.benchmark.Call;
import io.github.delayqueue.benchmark.Payloads;
import io.github.delayqueue.benchmark.Producer;
import io.github.delayqueue.benchmark.Servers;
import io.github.delayqueue.benchmark.SystemType;
import io.github.delayqueue.benchmark.SystemType.Trait;
import io.github.delayqueue.benchmark.TaskSink;

/**
 * The bare commands that the work cannot do without: a {@code ZADD} to enqueue; a script
 * that moves 100 due tasks under a lease, and one that removes 100 which are done. While
 * tasks are handled the next claim is under way, and nobody waits for a completion, so
 * that the limit is that of Redis or of reading JSON, not of round trips. A bound and no
 * queue: nobody takes over what a consumer that died has held.
 */
public final class BareCommands extends RedisSystem {

	/** Bare commands. */
	public static final SystemType TYPE = new SystemType("bare", "bare commands",
			"`ZADD` to enqueue; a script that claims 100, one that completes 100: a bound, not a queue.",
			EnumSet.allOf(Call.class), Set.of(Trait.REDIS), BareCommands::new);

	private static final byte[] HELD = bytes("benchmark:{set}:held");

	private static final byte[] LIMIT = bytes("100");

	private static final long PAUSE_MILLIS = 10;

	private static final int LEASE_MILLIS = 30_000;

	private static final String CLAIM = """
			local due = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'LIMIT', 0, tonumber(ARGV[2]))
			if #due > 0 then
				local held = {}
				for i, member in ipairs(due) do
					held[2 * i - 1] = ARGV[3]
					held[2 * i] = member
				end
				redis.call('ZREM', KEYS[1], unpack(due))
				redis.call('ZADD', KEYS[2], unpack(held))
			end
			return due
			""";

	private static final String COMPLETE = "return { tostring(redis.call('ZREM', KEYS[1], unpack(ARGV))) }";

	private final Producer producer = new ZaddProducer(connection());

	private final String claim = load(CLAIM);

	private final String complete = load(COMPLETE);

	private BareCommands(Servers servers) {
		super(servers);
	}

	@Override
	public Map<String, String> settings() {
		Map<String, String> settings = new LinkedHashMap<>();
		settings.put("bulk", "variadic ZADD of " + ZaddProducer.CHUNK + ", one after the other");
		settings.put("consumer", "one thread, claims 100, completes 100; the next claim is under way meanwhile");
		return settings;
	}

	@Override
	public Producer producer() {
		return this.producer;
	}

	@Override
	public Consumption consume(TaskSink sink) {
		StatefulRedisConnection<byte[], byte[]> connection = connect();
		return new LoopThread(new Step(connection, sink), PAUSE_MILLIS, connection::close);
	}

	@Override
	public OptionalLong pending() {
		return OptionalLong.of(connection().sync().zcard(KEY) + connection().sync().zcard(HELD));
	}

	/**
	 * Takes 100 tasks and asks for the next before it handles them.
	 */
	private final class Step implements BooleanSupplier {

		private final byte[][] keys = { KEY, HELD };

		private final byte[][] held = { HELD };

		private final StatefulRedisConnection<byte[], byte[]> connection;

		private final TaskSink sink;

		private @Nullable RedisFuture<List<byte[]>> next;

		private @Nullable RedisFuture<List<byte[]>> completed;

		Step(StatefulRedisConnection<byte[], byte[]> connection, TaskSink sink) {
			this.connection = connection;
			this.sink = sink;
		}

		@Override
		public boolean getAsBoolean() {
			List<byte[]> members = await((this.next != null) ? this.next : claim());
			this.next = members.isEmpty() ? null : claim();
			if (this.completed != null) {
				await(this.completed);
			}
			for (byte[] member : members) {
				this.sink
					.handle(Payloads.fromJson(member, ZaddProducer.ID_LENGTH, member.length - ZaddProducer.ID_LENGTH));
			}
			if (!members.isEmpty()) {
				this.completed = send(this.connection, BareCommands.this.complete, this.held,
						members.toArray(byte[][]::new));
			}
			return !members.isEmpty();
		}

		private RedisFuture<List<byte[]>> claim() {
			long now = System.currentTimeMillis();
			return send(this.connection, BareCommands.this.claim, this.keys, bytes(String.valueOf(now)), LIMIT,
					bytes(String.valueOf(now + LEASE_MILLIS)));
		}

	}

}
