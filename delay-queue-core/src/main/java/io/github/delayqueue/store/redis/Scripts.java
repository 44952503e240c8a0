package io.github.delayqueue.store.redis;

import io.github.delayqueue.TaskState;

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

/** The scripts of the store, one for each of its steps. */
final class Scripts {

	static final Script SCHEDULE = Script.writing(Scripts.class, "schedule.lua", "schedule in", NORMAL, HIGH, LOW,
			LEASES, TASKS, DELIVERIES, ERRORS, DEAD, COMPLETED, META);

	static final Script SCHEDULE_NEW = Script.writing(Scripts.class, "schedule_new.lua", "schedule in", NORMAL, HIGH,
			LOW, TASKS, META);

	static final Script CLAIM = Script.writing(Scripts.class, "claim.lua", "claim from", NORMAL, HIGH, LOW, LEASES,
			TASKS, DELIVERIES, ERRORS, DEAD, COMPLETED, META, HOURS);

	static final Script TEND = Script.writing(Scripts.class, "tend.lua", "tend", DEAD, COMPLETED, TASKS, DELIVERIES,
			ERRORS, META);

	static final Script SETTLE = Script.writing(Scripts.class, "settle.lua", "settle deliveries of", NORMAL, HIGH, LOW,
			LEASES, TASKS, DELIVERIES, ERRORS, DEAD, COMPLETED, META);

	static final Script CLAIMED = Script.reading(Scripts.class, "claimed.lua", "look for lost claims from", LEASES,
			DELIVERIES);

	static final Script EXTEND = Script.writing(Scripts.class, "extend.lua", "extend leases of", LEASES, DELIVERIES);

	static final Script CANCEL = Script.writing(Scripts.class, "cancel.lua", "cancel a task of", NORMAL, HIGH, LOW,
			LEASES, TASKS, DELIVERIES, ERRORS, META);

	static final Script RESCHEDULE = Script.writing(Scripts.class, "reschedule.lua", "reschedule a task of", NORMAL,
			HIGH, LOW, TASKS);

	static final Script REDRIVE = Script.writing(Scripts.class, "redrive.lua", "redrive tasks of", NORMAL, HIGH, LOW,
			TASKS, DELIVERIES, DEAD, META);

	static final Script PURGE_DEAD = Script.writing(Scripts.class, "purge.lua", "purge", DEAD, TASKS, DELIVERIES,
			ERRORS, META);

	static final Script PURGE_COMPLETED = Script.writing(Scripts.class, "purge.lua", "purge", COMPLETED, TASKS,
			DELIVERIES, ERRORS, META);

	static final Script CLEAR = Script.writing(Scripts.class, "clear.lua", "clear", NORMAL, HIGH, LOW, LEASES, DEAD,
			COMPLETED, TASKS, DELIVERIES, ERRORS, META);

	static final Script FORGET = Script.writing(Scripts.class, "forget.lua", "forget", NORMAL, HIGH, LOW, LEASES, DEAD,
			COMPLETED, TASKS, DELIVERIES, ERRORS, META, HOURS);

	static final Script PAUSE = Script.writing(Scripts.class, "pause.lua", "pause", META);

	static final Script RESUME = Script.writing(Scripts.class, "resume.lua", "resume", NORMAL, HIGH, LOW, LEASES, META);

	static final Script LIST = Script.reading(Scripts.class, "list.lua", "look at tasks of", NORMAL, HIGH, LOW, LEASES,
			TASKS, DELIVERIES, ERRORS, DEAD, COMPLETED, META);

	static final Script SOURCES = Script.writing(Scripts.class, "sources.lua",
			"read or set the number of partitions of", TASKS, META);

	static final Script BEAT = Script.writing(Scripts.class, "beat.lua", "count a beat of", META);

	static final Script ADOPT = Script.writing(Scripts.class, "adopt.lua", "adopt", META);

	static final Script DEAD_TASKS = Script.reading(Scripts.class, "dead.lua", "look through dead tasks of", DEAD,
			DELIVERIES, ERRORS);

	static final Script STATS = Script.reading(Scripts.class, "stats.lua", "read the figures of", NORMAL, HIGH, LOW,
			LEASES, DELIVERIES, DEAD, COMPLETED, META);

	static final Script FORECAST = Script.reading(Scripts.class, "forecast.lua", "read the forecast of", NORMAL, HIGH,
			LOW);

	static final Script HISTORY = Script.reading(Scripts.class, "history.lua", "read the history of", META, HOURS);

	private Scripts() {
	}

	/** Read all now, not when the first task is scheduled. */
	static void load() {
	}

	static Script purging(TaskState state) {
		return switch (state) {
			case DEAD -> PURGE_DEAD;
			case COMPLETED -> PURGE_COMPLETED;
			default -> throw new IllegalArgumentException("Only DEAD and COMPLETED tasks can be purged, not " + state);
		};
	}

}
