package io.github.delayqueue.store.redis;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.store.Attendance;

/**
 * What lies outside of any queue's slot: the names of queues, and the traces of
 * instances.
 */
record SharedKeys(RedisKeys keys, ScriptRunner scripts, QueueNames names) {

	private static final Logger logger = LoggerFactory.getLogger(SharedKeys.class);

	SharedKeys(RedisKeys keys, ScriptRunner scripts) {
		this(keys, scripts, new QueueNames(keys, scripts));
	}

	List<String> attend(String now, String instance, String trace) {
		ScriptCall call = call(Script.ATTEND, now).add(instance).add(trace);
		return call.read(this.scripts.run(call),
				(reply) -> reply.stream().map(Replies::text).flatMap(String::lines).toList());
	}

	/**
	 * Leave an order.
	 * @param channel that of a queue which the instance consumes
	 */
	void order(String now, String instance, String order, byte @Nullable [] channel) {
		this.scripts.run(call(Script.ORDER, now).add(instance).add("").add(order));
		if (channel == null) {
			return;
		}
		try {
			this.scripts.command("tell of an order", null,
					(connection) -> connection.publish(channel, WakeChannel.ORDERED));
		}
		catch (DelayQueueException ex) {
			logger.debug("An instance is not told of an order, and gets it with its next trace", ex);
		}
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
