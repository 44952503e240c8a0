package io.github.delayqueue.store.redis;

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

	static final Script CLAIM = Script.writing(Scripts.class, "claim.lua", "claim from", NORMAL, HIGH, LOW, LEASES,
			TASKS, DELIVERIES, ERRORS, DEAD, COMPLETED, META, HOURS);

	static final Script SETTLE = Script.writing(Scripts.class, "settle.lua", "settle deliveries of", NORMAL, HIGH, LOW,
			LEASES, TASKS, DELIVERIES, ERRORS, DEAD, COMPLETED, META);

	static final Script EXTEND = Script.writing(Scripts.class, "extend.lua", "extend leases of", LEASES, DELIVERIES);

	static final Script CANCEL = Script.writing(Scripts.class, "cancel.lua", "cancel a task of", NORMAL, HIGH, LOW,
			LEASES, TASKS, DELIVERIES, ERRORS, META);

	static final Script RESCHEDULE = Script.writing(Scripts.class, "reschedule.lua", "reschedule a task of", NORMAL,
			HIGH, LOW, TASKS);

	private Scripts() {
	}

	/** Read all now, not when the first task is scheduled. */
	static void load() {
	}

}
