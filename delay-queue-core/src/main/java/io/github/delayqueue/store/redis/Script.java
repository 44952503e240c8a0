package io.github.delayqueue.store.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.TaskState;
import org.springframework.data.redis.core.script.RedisScript;

import io.github.delayqueue.store.redis.RedisKeys.KeyPart;

import static io.github.delayqueue.store.redis.RedisKeys.KeyPart.COMPLETED;
import static io.github.delayqueue.store.redis.RedisKeys.KeyPart.DEAD;
import static io.github.delayqueue.store.redis.RedisKeys.KeyPart.DELIVERIES;
import static io.github.delayqueue.store.redis.RedisKeys.KeyPart.ERRORS;
import static io.github.delayqueue.store.redis.RedisKeys.KeyPart.HIGH;
import static io.github.delayqueue.store.redis.RedisKeys.KeyPart.LEASES;
import static io.github.delayqueue.store.redis.RedisKeys.KeyPart.LOW;
import static io.github.delayqueue.store.redis.RedisKeys.KeyPart.META;
import static io.github.delayqueue.store.redis.RedisKeys.KeyPart.NORMAL;
import static io.github.delayqueue.store.redis.RedisKeys.KeyPart.TASKS;

/**
 * The Lua scripts, one for each atomic step, with the keys that each declares. Texts are
 * read once: {@code ResourceScriptSource} looks at the file on every call.
 */
enum Script implements RedisScript<List<?>> {

	SCHEDULE(NORMAL, HIGH, LOW, LEASES, TASKS, DELIVERIES, ERRORS, DEAD, COMPLETED, META),

	SCHEDULE_NEW(NORMAL, HIGH, LOW, TASKS, META),

	CLAIM(NORMAL, HIGH, LOW, LEASES, TASKS, DELIVERIES, ERRORS, DEAD, COMPLETED, META),

	SETTLE(NORMAL, HIGH, LOW, LEASES, TASKS, DELIVERIES, ERRORS, DEAD, COMPLETED, META),

	EXTEND(LEASES, DELIVERIES),

	CANCEL(NORMAL, HIGH, LOW, LEASES, TASKS, DELIVERIES, ERRORS, META),

	RESCHEDULE(NORMAL, HIGH, LOW, META, TASKS),

	REDRIVE(NORMAL, HIGH, LOW, TASKS, DELIVERIES, DEAD, META),

	PURGE_DEAD("purge", DEAD, TASKS, DELIVERIES, ERRORS, META),

	PURGE_COMPLETED("purge", COMPLETED, TASKS, DELIVERIES, ERRORS, META),

	CLEAR(NORMAL, HIGH, LOW, LEASES, DEAD, COMPLETED, TASKS, DELIVERIES, ERRORS, META),

	FORGET(NORMAL, HIGH, LOW, LEASES, DEAD, COMPLETED, TASKS, DELIVERIES, ERRORS, META),

	PAUSE(META),

	RESUME(NORMAL, HIGH, LOW, LEASES, META),

	LIST(NORMAL, HIGH, LOW, LEASES, TASKS, DELIVERIES, ERRORS, DEAD, COMPLETED, META),

	DISPLACE(NORMAL, HIGH, LOW, LEASES, TASKS, DELIVERIES, ERRORS, DEAD, COMPLETED, META),

	PARTITIONS(TASKS, DEAD, META),

	BEAT(META),

	/** Of no queue. */
	ATTEND("attendance"),

	/** Of no queue. */
	ATTENDANCE("attendance"),

	STATS(NORMAL, HIGH, LOW, LEASES, DELIVERIES, DEAD, COMPLETED, META),

	FORECAST(NORMAL, HIGH, LOW),

	CHECK(NORMAL, HIGH, LOW, LEASES, DEAD, COMPLETED, TASKS, DELIVERIES, ERRORS, META),

	REPAIR("check", NORMAL, HIGH, LOW, LEASES, DEAD, COMPLETED, TASKS, DELIVERIES, ERRORS, META);

	private final List<KeyPart> parts;

	private final String text;

	private final String sha1;

	Script(KeyPart... parts) {
		this(null, parts);
	}

	Script(@Nullable String file, KeyPart... parts) {
		this.parts = List.of(parts);
		this.text = read(((file != null) ? file : name().toLowerCase(Locale.ROOT)) + ".lua");
		this.sha1 = sha1(this.text);
	}

	static Script purging(TaskState state) {
		return switch (state) {
			case DEAD -> PURGE_DEAD;
			case COMPLETED -> PURGE_COMPLETED;
			default -> throw new IllegalArgumentException("Only DEAD and COMPLETED tasks can be purged, not " + state);
		};
	}

	/**
	 * The step as it reads in a message, before the word "queue".
	 * @return a verb and a preposition
	 */
	String stepName() {
		return switch (this) {
			case SCHEDULE, SCHEDULE_NEW -> "schedule in";
			case CLAIM -> "claim from";
			case SETTLE -> "settle deliveries of";
			case EXTEND -> "extend leases of";
			case CANCEL -> "cancel a task of";
			case RESCHEDULE -> "reschedule a task of";
			case REDRIVE -> "redrive tasks of";
			case PURGE_DEAD, PURGE_COMPLETED -> "purge";
			case CLEAR -> "clear";
			case FORGET -> "forget";
			case PAUSE -> "pause";
			case RESUME -> "resume";
			case LIST -> "look at tasks of";
			case DISPLACE -> "look for former tasks of";
			case BEAT -> "count a beat of";
			case ATTEND -> "leave the trace of an instance";
			case ATTENDANCE -> "read the traces of instances";
			case PARTITIONS -> "read or raise the number of partitions of";
			case STATS -> "read the figures of";
			case FORECAST -> "read the forecast of";
			case CHECK -> "check";
			case REPAIR -> "repair";
		};
	}

	/**
	 * Whether the script publishes wake messages and ends its reply with why it could
	 * not.
	 * @return whether it does
	 */
	boolean isWaking() {
		return switch (this) {
			case SCHEDULE, SCHEDULE_NEW, SETTLE, CANCEL, CLEAR, DISPLACE, RESCHEDULE, REDRIVE, RESUME, REPAIR -> true;
			default -> false;
		};
	}

	/**
	 * Whether the script writes nothing, so that it may be repeated when its answer was
	 * lost.
	 * @return whether it only reads
	 */
	boolean isReading() {
		return switch (this) {
			case LIST, STATS, FORECAST, CHECK, ATTENDANCE -> true;
			default -> false;
		};
	}

	List<byte[]> keys(RedisKeys keys, String queue) {
		List<byte[]> of = new ArrayList<>(this.parts.size());
		for (KeyPart part : this.parts) {
			of.add(keys.key(queue, part));
		}
		return of;
	}

	@Override
	public String getSha1() {
		return this.sha1;
	}

	@Override
	@SuppressWarnings("unchecked")
	public Class<List<?>> getResultType() {
		return (Class<List<?>>) (Class<?>) List.class;
	}

	@Override
	public String getScriptAsString() {
		return this.text;
	}

	private static String read(String file) {
		try (InputStream in = Script.class.getResourceAsStream(file)) {
			if (in == null) {
				throw new IllegalStateException("Script " + file + " is missing beside " + Script.class.getName());
			}
			return new String(in.readAllBytes(), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Script " + file + " cannot be read", ex);
		}
	}

	private static String sha1(String text) {
		try {
			byte[] digest = MessageDigest.getInstance("SHA-1").digest(text.getBytes(StandardCharsets.UTF_8));
			return HexFormat.of().formatHex(digest);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Every Java platform has SHA-1", ex);
		}
	}

}
