package io.github.delayqueue.simulation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedDeque;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

import io.github.delayqueue.fixtures.QueueCheck;
import io.github.delayqueue.fixtures.DriverStores;
import io.github.delayqueue.groups.GroupedQueues;
import io.github.delayqueue.store.WakeListener;
import io.github.delayqueue.store.WakeSubscription;
import io.github.delayqueue.store.redis.RedisTaskStore;
import io.github.delayqueue.store.redis.WakeMessages;
import io.github.delayqueue.testsupport.Connections;
import io.github.delayqueue.testsupport.RedisServer;
import io.github.delayqueue.testsupport.RespConnection;

/**
 * A Redis whose clock is turned, and its store as applications have it. Messages are
 * heard when they are asked for, so that they come in the same order in each run. For one
 * thread at a time.
 */
final class TurnedRedis implements WakeMessages {

	private static final String PREFIX = "simulation:";

	/**
	 * Longer than calls take, and than the clock is turned from one claim to the next.
	 */
	private static final Duration COMMAND_TIMEOUT = Duration.ofHours(2);

	/** As it is published. */
	private static final String WITHDRAWN = "1000000000000000000";

	private static final byte[] ALL = "*".getBytes(StandardCharsets.UTF_8);

	/** Of simulations that are over: a start takes long. They end with the JVM. */
	private static final Deque<TurnedRedis> IDLE = new ConcurrentLinkedDeque<>();

	private final TurnedClock clock = new TurnedClock(Instant.now());

	private final RedisServer server = RedisServer.builder().environment(this.clock.environment()).build().start();

	private final JedisConnectionFactory connections = Connections.start(new JedisConnectionFactory(
			Connections.configuration(this.server), JedisClientConfiguration.builder().usePooling().build()));

	private final RedisTaskStore store = DriverStores.on(this.connections)
		.keyPrefix(PREFIX)
		.commandTimeout(COMMAND_TIMEOUT)
		.open();

	private final Map<String, WakeListener> listeners = new LinkedHashMap<>();

	private RespConnection messages = RespConnection.open(this.server.host(), this.server.port(), COMMAND_TIMEOUT);

	private TurnedRedis() throws IOException {
		this.store.add(new GroupedQueues(Settings::of));
		this.store.add(this);
	}

	/** One that is empty. */
	static TurnedRedis take() {
		TurnedRedis idle = IDLE.poll();
		try {
			return (idle != null) ? idle : new TurnedRedis();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** It is not needed any more. */
	void giveBack() {
		try {
			this.listeners.clear();
			this.messages.close();
			this.messages = RespConnection.open(this.server.host(), this.server.port(), COMMAND_TIMEOUT);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		empty();
		IDLE.add(this);
	}

	RedisTaskStore store() {
		return this.store;
	}

	void turn(Instant now) {
		this.clock.turn(now);
	}

	/** Called by the store. */
	@Override
	public WakeSubscription subscribe(byte[] channel, WakeListener listener) {
		String name = new String(channel, StandardCharsets.UTF_8);
		this.listeners.put(name, listener);
		hear("SUBSCRIBE", name);
		return () -> {
		};
	}

	/** Let listeners have what was published before. */
	void hear() {
		if (!this.listeners.isEmpty()) {
			hear("PING");
		}
	}

	private void hear(String... command) {
		try {
			List<?> reply = (List<?>) Objects.requireNonNull(this.messages.call(command));
			while (reply.get(0).equals("message")) {
				WakeListener listener = this.listeners.get(reply.get(1));
				if (WITHDRAWN.equals(reply.get(2))) {
					listener.withdrawn();
				}
				else {
					listener.wake(Duration.of(Long.parseLong((String) reply.get(2)), ChronoUnit.MICROS));
				}
				reply = (List<?>) Objects.requireNonNull(this.messages.read());
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Let it have no memory left, or enough. */
	void setFull(boolean full) {
		this.server.cli("CONFIG", "SET", "maxmemory", full ? "1" : "0");
	}

	private void empty() {
		this.server.cli("FLUSHALL");
	}

	/**
	 * What it is now, or was with nothing in it.
	 * @return lets it become that
	 */
	Runnable copy(boolean empty) {
		Map<byte[], byte[]> values = new LinkedHashMap<>();
		if (!empty) {
			try (RedisConnection connection = this.connections.getConnection()) {
				connection.keyCommands()
					.keys(ALL)
					.forEach((key) -> values.put(key, connection.keyCommands().dump(key)));
			}
		}
		return () -> {
			empty();
			try (RedisConnection connection = this.connections.getConnection()) {
				values.forEach((key, value) -> connection.keyCommands().restore(key, 0, value));
			}
		};
	}

	/** What is wrong in a queue, or in a partition of one. */
	List<QueueCheck.Finding> check(String source) {
		return QueueCheck.of(this.connections, PREFIX + "{" + source + "}").findings();
	}

}
