package io.github.delayqueue.retention;

import java.util.List;

import io.github.delayqueue.roles.Retention;
import io.github.delayqueue.roles.TaskRetention;
import io.github.delayqueue.roles.Tended;
import io.github.delayqueue.store.redis.QueueKey;
import io.github.delayqueue.store.redis.Replies;
import io.github.delayqueue.store.redis.Script;
import io.github.delayqueue.store.redis.ScriptCall;
import io.github.delayqueue.store.redis.ScriptRunner;

/** Removes tasks that are over from Redis. Public for wiring. */
public record RedisRetention(ScriptRunner scripts) implements TaskRetention {

	private static final Script TEND = Script.writing(RedisRetention.class, "tend.lua", "tend", QueueKey.DEAD,
			QueueKey.COMPLETED, QueueKey.TASKS, QueueKey.DELIVERIES, QueueKey.ERRORS, QueueKey.META);

	@Override
	public Tended tend(String source, Retention retention) {
		ScriptCall call = this.scripts.call(TEND, source)
			.add(this.scripts.now())
			.addMillis(retention.completed())
			.addMillis(retention.dead())
			.addOptional(retention.deadMaxSize());
		return this.scripts.once(call, RedisRetention::tended);
	}

	private static Tended tended(List<?> reply) {
		List<String> purged = ((List<?>) reply.get(0)).stream().map(Replies::id).toList();
		return new Tended(purged, (Long) reply.get(1) == 1);
	}

}
