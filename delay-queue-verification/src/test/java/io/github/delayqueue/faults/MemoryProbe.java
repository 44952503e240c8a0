package io.github.delayqueue.faults;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.producer.DelayQueueOperations;

/**
 * Schedules into a queue of its own while the server's memory is full, and listens for
 * wake messages of that queue: a task that is refused must not wake anybody, and the
 * refusal has to say why.
 */
final class MemoryProbe {

	private static final String TASK = "probe";

	private static final String SENTENCE = "Redis has reached its maxmemory and refuses to store more";

	/** Redis may be slow besides. */
	private static final List<String> UNREACHABLE = List.of("may or may not have been done", "cannot be reached");

	private static final Duration ACCEPTED = Duration.ofHours(1);

	/** Longer than the other, so that their messages can be told apart. */
	private static final Duration REFUSED = Duration.ofHours(2);

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	private final DelayQueueOperations operations;

	private final RedisConnectionFactory connections;

	private final byte[] channel;

	private final HistoryLog log;

	private final AtomicInteger accepted = new AtomicInteger();

	private @Nullable RedisConnection subscription;

	MemoryProbe(DelayQueueOperations operations, RedisConnectionFactory connections, String channel, HistoryLog log) {
		this.operations = operations;
		this.connections = connections;
		this.channel = channel.getBytes(StandardCharsets.UTF_8);
		this.log = log;
	}

	/** Listen, and see that it works. */
	void prepare() {
		RedisConnection subscribing = this.connections.getConnection();
		this.subscription = subscribing;
		subscribing.subscribe((message, pattern) -> woken(message.getBody()), this.channel);
		accept();
	}

	/** The message says in microseconds when the task is due. */
	private void woken(byte[] message) {
		long micros = Long.parseLong(new String(message, StandardCharsets.UTF_8));
		if (micros > TimeUnit.NANOSECONDS.toMicros(ACCEPTED.plus(REFUSED).dividedBy(2).toNanos())) {
			this.log.write("violation", "wake-before-write",
					"A task that was refused because memory was full had woken consumers");
		}
		this.accepted.incrementAndGet();
	}

	/** Memory is full: the task must be refused. */
	void refuse() {
		try {
			this.operations.schedule(SuiteSettings.PROBE, TASK, "probe", REFUSED);
			this.log.write("violation", "memory-full", "A task was accepted although memory was full");
			this.operations.cancel(SuiteSettings.PROBE, TASK);
		}
		catch (DelayQueueException ex) {
			String message = String.valueOf(ex.getMessage());
			if (!message.contains(SENTENCE) && UNREACHABLE.stream().noneMatch(message::contains)) {
				this.log.write("violation", "memory-full", "Refused with another sentence: " + message);
			}
		}
	}

	/** There is memory: the task is accepted, and its message comes. */
	void accept() {
		int before = this.accepted.get();
		Awaitility.await("wake message of the probe")
			.atMost(PATIENCE)
			.ignoreExceptionsInstanceOf(DelayQueueException.class)
			.until(() -> {
				this.operations.schedule(SuiteSettings.PROBE, TASK, "probe", ACCEPTED);
				this.operations.cancel(SuiteSettings.PROBE, TASK);
				return this.accepted.get() > before;
			});
	}

	/** Listen no more. */
	void end() {
		RedisConnection subscribed = this.subscription;
		if (subscribed != null) {
			this.subscription = null;
			subscribed.close();
		}
	}

}
