package io.github.delayqueue.store.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.ProtocolVersion;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;

import io.github.delayqueue.store.HistorySubject;
import io.github.delayqueue.store.QueueImage;
import io.github.delayqueue.store.SourceStore;
import io.github.delayqueue.store.WholeStore;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The store in Redis, looked into by one script call over a connection of its own. That
 * connection is subscribed to the wake channel as well (RESP 3), so that what was
 * published before the call is received before its reply.
 */
final class RedisSubject implements HistorySubject {

	private static final String PREFIX = "history:";

	private static final RedisKeys KEYS = new RedisKeys(PREFIX);

	private static final List<QueueKey> PARTS = List.of(QueueKey.NORMAL, QueueKey.HIGH, QueueKey.LOW, QueueKey.LEASES,
			QueueKey.COMPLETED, QueueKey.DEAD, QueueKey.TASKS, QueueKey.DELIVERIES, QueueKey.ERRORS, QueueKey.META,
			QueueKey.HOURS);

	private final String queue = "history." + UUID.randomUUID();

	/** Of queues that have groups. */
	private final byte[][] more = Stream.of(":groups", ":slots", ":running", ":rates")
		.map((end) -> (base() + end).getBytes(StandardCharsets.UTF_8))
		.toArray(byte[][]::new);

	private final byte[][] keys = PARTS.stream().map((part) -> KEYS.key(this.queue, part)).toArray(byte[][]::new);

	private final RedisTaskStore store;

	private final RedisClient client;

	private final StatefulRedisPubSubConnection<byte[], byte[]> connection;

	private final String lookSha;

	private final List<Duration> waking = new ArrayList<>();

	private List<Duration> wakes = List.of();

	RedisSubject(RedisTaskStore store, String host, int port) {
		this.store = store;
		this.client = RedisClient.create(RedisURI.create(host, port));
		this.client.setOptions(ClientOptions.builder().protocolVersion(ProtocolVersion.RESP3).build());
		this.connection = this.client.connectPubSub(ByteArrayCodec.INSTANCE);
		this.connection.addListener(new RedisPubSubAdapter<>() {
			@Override
			public void message(byte[] channel, byte[] message) {
				published(message);
			}
		});
		this.connection.sync().subscribe(KEYS.key(this.queue, QueueKey.WAKE));
		this.lookSha = this.connection.sync().scriptLoad(lookScript());
	}

	/**
	 * The prefix of the keys.
	 * @return what the store under test has to be made with
	 */
	static String prefix() {
		return PREFIX;
	}

	private static byte[] lookScript() {
		try (InputStream script = RedisSubject.class.getResourceAsStream("look.lua")) {
			return script.readAllBytes();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private synchronized void published(byte[] message) {
		long micros = Long.parseLong(new String(message, StandardCharsets.UTF_8));
		this.waking.add(Duration.of(micros, ChronoUnit.MICROS));
	}

	@Override
	public SourceStore begin() {
		this.connection.sync().unlink(this.keys);
		this.connection.sync().unlink(this.more);
		this.connection.sync().srem(KEYS.shared("names"), this.queue.getBytes(StandardCharsets.UTF_8));
		return new WholeStore(this.store);
	}

	@Override
	public String queue() {
		return this.queue;
	}

	@Override
	public QueueImage look() {
		List<List<byte[]>> reply = this.connection.sync().evalsha(this.lookSha, ScriptOutputType.MULTI, this.keys);
		synchronized (this) {
			this.wakes = List.copyOf(this.waking);
			this.waking.clear();
		}
		RawQueue raw = new RawQueue(reply);
		raw.assertInvariant();
		return raw.toImage();
	}

	@Override
	public List<Duration> wakes() {
		return this.wakes;
	}

	/** No key but those that are known. */
	@Override
	public void end() {
		List<String> found = this.connection.sync()
			.keys(base() + "*")
			.stream()
			.map((key) -> new String(key, StandardCharsets.UTF_8))
			.toList();
		List<String> known = Stream.of(this.keys, this.more)
			.flatMap(Stream::of)
			.map((key) -> new String(key, StandardCharsets.UTF_8))
			.toList();
		assertThat(known).as("keys of the queue").containsAll(found);
	}

	private String base() {
		return new String(KEYS.key(this.queue, QueueKey.NORMAL), StandardCharsets.UTF_8);
	}

	@Override
	public void close() {
		begin();
		this.connection.close();
		this.client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
	}

}
