package io.github.delayqueue.store.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.springframework.core.io.ClassPathResource;
import org.springframework.data.redis.core.script.DigestUtils;

import io.github.delayqueue.TaskState;
import io.github.delayqueue.store.redis.RedisKeys.KeyPart;

import static io.github.delayqueue.store.redis.RedisKeys.KeyPart.COMPLETED;
import static io.github.delayqueue.store.redis.RedisKeys.KeyPart.DEAD;
import static io.github.delayqueue.store.redis.RedisKeys.KeyPart.DELIVERIES;
import static io.github.delayqueue.store.redis.RedisKeys.KeyPart.ERRORS;
import static io.github.delayqueue.store.redis.RedisKeys.KeyPart.HIGH;
import static io.github.delayqueue.store.redis.RedisKeys.KeyPart.HOURS;
import static io.github.delayqueue.store.redis.RedisKeys.KeyPart.LEASES;
import static io.github.delayqueue.store.redis.RedisKeys.KeyPart.LOW;
import static io.github.delayqueue.store.redis.RedisKeys.KeyPart.META;
import static io.github.delayqueue.store.redis.RedisKeys.KeyPart.NORMAL;
import static io.github.delayqueue.store.redis.RedisKeys.KeyPart.TASKS;

/**
 * The Lua scripts, one for each atomic step, with the keys that each declares. Texts are
 * read once: {@code ResourceScriptSource} looks at the file on every call.
 */
enum Script {

	SCHEDULE("schedule.lua", "schedule in", NORMAL, HIGH, LOW, LEASES, TASKS, DELIVERIES, ERRORS, DEAD, COMPLETED,
			META),

	SCHEDULE_NEW("schedule_new.lua", "schedule in", NORMAL, HIGH, LOW, TASKS, META),

	CLAIM("claim.lua", "claim from", NORMAL, HIGH, LOW, LEASES, TASKS, DELIVERIES, ERRORS, DEAD, COMPLETED, META,
			HOURS),

	SETTLE("settle.lua", "settle deliveries of", NORMAL, HIGH, LOW, LEASES, TASKS, DELIVERIES, ERRORS, DEAD, COMPLETED,
			META),

	CLAIMED("claimed.lua", "look for lost claims from", LEASES, DELIVERIES),

	EXTEND("extend.lua", "extend leases of", LEASES, DELIVERIES),

	TAKE_OVER("takeover.lua", "take over leases of", LEASES, DELIVERIES, META),

	HOLDERS("holders.lua", "note who holds leases of", META),

	CANCEL("cancel.lua", "cancel a task of", NORMAL, HIGH, LOW, LEASES, TASKS, DELIVERIES, ERRORS, META),

	RESCHEDULE("reschedule.lua", "reschedule a task of", NORMAL, HIGH, LOW, TASKS),

	REDRIVE("redrive.lua", "redrive tasks of", NORMAL, HIGH, LOW, TASKS, DELIVERIES, DEAD, META),

	PURGE_DEAD("purge.lua", "purge", DEAD, TASKS, DELIVERIES, ERRORS, META),

	PURGE_COMPLETED("purge.lua", "purge", COMPLETED, TASKS, DELIVERIES, ERRORS, META),

	CLEAR("clear.lua", "clear", NORMAL, HIGH, LOW, LEASES, DEAD, COMPLETED, TASKS, DELIVERIES, ERRORS, META),

	FORGET("forget.lua", "forget", NORMAL, HIGH, LOW, LEASES, DEAD, COMPLETED, TASKS, DELIVERIES, ERRORS, META, HOURS),

	PAUSE("pause.lua", "pause", META),

	RESUME("resume.lua", "resume", NORMAL, HIGH, LOW, LEASES, META),

	LIST("list.lua", "look at tasks of", NORMAL, HIGH, LOW, LEASES, TASKS, DELIVERIES, ERRORS, DEAD, COMPLETED, META),

	PARTITIONS("partitions.lua", "read or set the number of partitions of", TASKS, META),

	BEAT("beat.lua", "count a beat of", META),

	ADOPT("adopt.lua", "adopt", META),

	ATTEND("attend.lua", "leave the trace of an instance"),

	ATTENDANCE("attendance.lua", "read the traces of instances"),

	PRESENT("present.lua", "ask which instances are connected"),

	DEAD_TASKS("dead.lua", "look through dead tasks of", DEAD, DELIVERIES, ERRORS),

	STATS("stats.lua", "read the figures of", NORMAL, HIGH, LOW, LEASES, DELIVERIES, DEAD, COMPLETED, META),

	FORECAST("forecast.lua", "read the forecast of", NORMAL, HIGH, LOW),

	HISTORY("history.lua", "read the history of", META, HOURS);

	private final String stepName;

	private final List<KeyPart> parts;

	private final String text;

	private final String sha1;

	private final boolean waking;

	Script(String file, String stepName, KeyPart... parts) {
		this.stepName = stepName;
		this.parts = List.of(parts);
		this.text = read(file);
		this.sha1 = DigestUtils.sha1DigestAsHex(this.text);
		this.waking = this.text.contains("'PUBLISH'");
	}

	static Script purging(TaskState state) {
		return switch (state) {
			case DEAD -> PURGE_DEAD;
			case COMPLETED -> PURGE_COMPLETED;
			default -> throw new IllegalArgumentException("Only DEAD and COMPLETED tasks can be purged, not " + state);
		};
	}

	/** The step as it reads in a message, before the word "queue". */
	String stepName() {
		return this.stepName;
	}

	/**
	 * Whether the script publishes wake messages and ends its reply with why it could
	 * not.
	 */
	boolean isWaking() {
		return this.waking;
	}

	/** Whether it writes nothing, so that it may be repeated when its answer was lost. */
	boolean isReading() {
		return switch (this) {
			case CLAIMED, LIST, DEAD_TASKS, STATS, FORECAST, HISTORY, ATTENDANCE, PRESENT -> true;
			default -> false;
		};
	}

	List<byte[]> keys(RedisKeys keys, String queue) {
		return this.parts.stream().map((part) -> keys.key(queue, part)).toList();
	}

	String getSha1() {
		return this.sha1;
	}

	String getScriptAsString() {
		return this.text;
	}

	/** With the parts that it shares with others. */
	private static String read(String file) {
		try {
			String text = new ClassPathResource(file, Script.class).getContentAsString(StandardCharsets.UTF_8);
			return Pattern.compile("-- part: (\\S+)\\R")
				.matcher(text)
				.replaceAll((part) -> Matcher.quoteReplacement(read(part.group(1))));
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Script " + file + " cannot be read", ex);
		}
	}

}
