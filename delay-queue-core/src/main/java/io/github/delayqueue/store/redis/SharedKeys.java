package io.github.delayqueue.store.redis;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.github.delayqueue.store.Attendance;

/**
 * What lies outside of any queue's slot: the names of queues, and the traces of
 * instances.
 */
record SharedKeys(RedisKeys keys, ScriptRunner scripts, QueueNames names) {

	SharedKeys(RedisKeys keys, ScriptRunner scripts) {
		this(keys, scripts, new QueueNames(keys, scripts));
	}

	void attend(String now, String instance, String trace) {
		this.scripts.run(call(Script.ATTEND, now).add(instance).add(trace));
	}

	List<Attendance> attendance(String now) {
		ScriptCall call = call(Script.ATTENDANCE, now);
		return call.read(this.scripts.run(call), SharedKeys::attendance);
	}

	private ScriptCall call(Script script, String now) {
		return new ScriptCall(script, null, List.of(this.keys.instances())).add(now)
			.addMillis(Attendance.KEPT)
			.add(Attendance.MAX);
	}

	/** A scan may bring one twice. */
	private static List<Attendance> attendance(List<?> reply) {
		Map<String, Attendance> traces = new LinkedHashMap<>();
		for (int i = 0; i < reply.size(); i += 4) {
			String instance = Replies.text(reply.get(i));
			traces.put(instance, new Attendance(instance, Instant.ofEpochMilli((Long) reply.get(i + 1)),
					Duration.ofMillis((Long) reply.get(i + 2)), Replies.text(reply.get(i + 3))));
		}
		return new ArrayList<>(traces.values());
	}

}
