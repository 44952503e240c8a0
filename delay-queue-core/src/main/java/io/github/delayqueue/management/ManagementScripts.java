package io.github.delayqueue.management;

import io.github.delayqueue.TaskState;
import io.github.delayqueue.store.redis.QueueKey;
import io.github.delayqueue.store.redis.Script;

import static io.github.delayqueue.store.redis.QueueKey.COMPLETED;
import static io.github.delayqueue.store.redis.QueueKey.DEAD;
import static io.github.delayqueue.store.redis.QueueKey.DELIVERIES;
import static io.github.delayqueue.store.redis.QueueKey.ERRORS;
import static io.github.delayqueue.store.redis.QueueKey.HIGH;
import static io.github.delayqueue.store.redis.QueueKey.HOURS;
import static io.github.delayqueue.store.redis.QueueKey.LEASES;
import static io.github.delayqueue.store.redis.QueueKey.LOW;
import static io.github.delayqueue.store.redis.QueueKey.META;
import static io.github.delayqueue.store.redis.QueueKey.NORMAL;
import static io.github.delayqueue.store.redis.QueueKey.TASKS;

/** The scripts that look at queues and steer them. */
final class ManagementScripts {

	static final Script REDRIVE = writing("redrive.lua", "redrive tasks of", NORMAL, HIGH, LOW, TASKS, DELIVERIES, DEAD,
			META);

	static final Script PURGE_DEAD = writing("purge.lua", "purge", DEAD, TASKS, DELIVERIES, ERRORS, META);

	static final Script PURGE_COMPLETED = writing("purge.lua", "purge", COMPLETED, TASKS, DELIVERIES, ERRORS, META);

	static final Script CLEAR = writing("clear.lua", "clear", NORMAL, HIGH, LOW, LEASES, DEAD, COMPLETED, TASKS,
			DELIVERIES, ERRORS, META);

	static final Script FORGET = writing("forget.lua", "forget", NORMAL, HIGH, LOW, LEASES, DEAD, COMPLETED, TASKS,
			DELIVERIES, ERRORS, META, HOURS);

	static final Script PAUSE = writing("pause.lua", "pause", META);

	static final Script RESUME = writing("resume.lua", "resume", NORMAL, HIGH, LOW, LEASES, META);

	static final Script LIST = reading("list.lua", "look at tasks of", NORMAL, HIGH, LOW, LEASES, TASKS, DELIVERIES,
			ERRORS, DEAD, COMPLETED, META);

	static final Script DEAD_TASKS = reading("dead.lua", "look through dead letters of", DEAD, DELIVERIES, ERRORS);

	static final Script STATS = reading("stats.lua", "read the figures of", NORMAL, HIGH, LOW, LEASES, DELIVERIES, DEAD,
			COMPLETED, META);

	static final Script FORECAST = reading("forecast.lua", "read the forecast of", NORMAL, HIGH, LOW);

	static final Script HISTORY = reading("history.lua", "read the history of", META, HOURS);

	private ManagementScripts() {
	}

	private static Script writing(String file, String stepName, QueueKey... keys) {
		return Script.writing(ManagementScripts.class, file, stepName, keys);
	}

	private static Script reading(String file, String stepName, QueueKey... keys) {
		return Script.reading(ManagementScripts.class, file, stepName, keys);
	}

	static Script purging(TaskState state) {
		return switch (state) {
			case DEAD -> PURGE_DEAD;
			case COMPLETED -> PURGE_COMPLETED;
			default -> throw new IllegalArgumentException("Only DEAD and COMPLETED tasks can be deleted, not " + state);
		};
	}

}
