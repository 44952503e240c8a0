package io.github.delayqueue.fleet;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import io.github.delayqueue.roles.Attendance;
import io.github.delayqueue.roles.InstanceTraces;
import io.github.delayqueue.store.redis.Replies;
import io.github.delayqueue.store.redis.Script;
import io.github.delayqueue.store.redis.ScriptCall;
import io.github.delayqueue.store.redis.ScriptRunner;

/** Keeps traces of instances in a hash outside of any queue's slot. Public for wiring. */
public final class RedisInstanceTraces implements InstanceTraces {

	private static final Script ATTEND = Script.writing(RedisInstanceTraces.class, "attend.lua",
			"leave the trace of an instance");

	private static final Script ATTENDANCE = Script.reading(RedisInstanceTraces.class, "attendance.lua",
			"read the traces of instances");

	/** Ends a page: an instance with a thousand queues has half of that. */
	private static final int PAGE_BYTES = 256 * 1024;

	/** More than 500 instances need that consume as much as a trace names. */
	private static final int MAX_PAGES = 1000;

	/** What somebody else may have written there is not read to its end. */
	private static final int MAX_FIELDS = 4 * Attendance.MAX;

	private final ScriptRunner scripts;

	private final byte[] key;

	/** Create, with no trace. */
	public RedisInstanceTraces(ScriptRunner scripts) {
		this.scripts = scripts;
		this.key = scripts.key("instances");
	}

	@Override
	public void attend(String instance, String trace) {
		ScriptCall call = call(ATTEND).add(instance).add(trace);
		if (call.read(this.scripts.run(call), Replies::number) > 0) {
			forgetOthers(instance);
		}
	}

	private void forgetOthers(String instance) {
		Collection<Attendance> all = scan("*", false);
		byte[][] old = Stream
			.concat(all.stream().filter((one) -> !isKept(one)),
					latest(all.stream().filter(RedisInstanceTraces::isKept))
						.filter((one) -> !one.instance().equals(instance))
						.skip(Attendance.MAX - 1))
			.map((one) -> one.instance().getBytes(StandardCharsets.UTF_8))
			.toArray(byte[][]::new);
		if (old.length > 0) {
			this.scripts.command("forget traces of instances that are gone", null,
					(connection) -> connection.hashCommands().hDel(this.key, old));
		}
	}

	/** Not what earlier versions left there for instances that they gave orders to. */
	private static boolean isKept(Attendance one) {
		return !one.instance().endsWith("/order") && one.age().compareTo(Attendance.KEPT) <= 0;
	}

	private static Stream<Attendance> latest(Stream<Attendance> traces) {
		return traces.sorted(Comparator.comparing(Attendance::age));
	}

	@Override
	public Optional<List<Attendance>> attendance(String idPrefix) {
		return Optional
			.of(latest(scan(idPrefix + "*", true).stream().filter(RedisInstanceTraces::isKept)).limit(Attendance.MAX)
				.toList());
	}

	/** A scan may bring one twice. */
	private Collection<Attendance> scan(String ids, boolean traces) {
		Map<String, Attendance> found = new LinkedHashMap<>();
		String cursor = "0";
		for (int page = 0; page < MAX_PAGES && found.size() < MAX_FIELDS; page++) {
			ScriptCall call = call(ATTENDANCE).add(cursor).add(ids).add(PAGE_BYTES).add(traces ? "1" : "");
			cursor = call.read(this.scripts.run(call), (reply) -> read(reply, found));
			if (cursor.equals("0")) {
				break;
			}
		}
		return found.values();
	}

	private static String read(List<?> reply, Map<String, Attendance> found) {
		for (int i = 1; i < reply.size(); i += 4) {
			String instance = Replies.text(reply.get(i));
			found.put(instance, new Attendance(instance, Instant.ofEpochMilli((Long) reply.get(i + 1)),
					Duration.ofMillis((Long) reply.get(i + 2)), Replies.text(reply.get(i + 3))));
		}
		return Replies.text(reply.get(0));
	}

	private ScriptCall call(Script script) {
		return this.scripts.call(script, this.key).add(this.scripts.now());
	}

}
