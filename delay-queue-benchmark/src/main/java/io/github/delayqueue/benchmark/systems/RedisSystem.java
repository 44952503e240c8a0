package io.github.delayqueue.benchmark.systems;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.OptionalLong;

import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;

import io.github.delayqueue.benchmark.QueueSystem;
import io.github.delayqueue.benchmark.Servers;

/**
 * What the systems have in common that are only a few commands: a connection of the
 * driver that the delay queue uses, shared by all threads.
 */
abstract class RedisSystem implements QueueSystem {

	/** The key of the sorted set. */
	static final byte[] KEY = bytes("benchmark:{set}");

	private final RedisClient client;

	private final StatefulRedisConnection<byte[], byte[]> connection;

	RedisSystem(Servers servers) {
		this.client = RedisClient.create(servers.redis());
		this.connection = this.client.connect(ByteArrayCodec.INSTANCE);
	}

	final StatefulRedisConnection<byte[], byte[]> connection() {
		return this.connection;
	}

	final StatefulRedisConnection<byte[], byte[]> connect() {
		return this.client.connect(ByteArrayCodec.INSTANCE);
	}

	final String load(String script) {
		return this.connection.sync().scriptLoad(bytes(script));
	}

	static List<byte[]> call(StatefulRedisConnection<byte[], byte[]> connection, String sha, byte[][] keys,
			byte[]... arguments) {
		return connection.sync().evalsha(sha, ScriptOutputType.MULTI, keys, arguments);
	}

	@Override
	public void reset() {
		this.connection.sync().flushall();
	}

	@Override
	public OptionalLong pending() {
		return OptionalLong.of(this.connection.sync().zcard(KEY));
	}

	@Override
	public void close() {
		this.connection.close();
		this.client.shutdown();
	}

	static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

}
