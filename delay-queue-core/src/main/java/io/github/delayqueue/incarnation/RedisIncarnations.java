package io.github.delayqueue.incarnation;

import java.util.List;
import java.util.function.Function;

import io.github.delayqueue.roles.Epoch;
import io.github.delayqueue.roles.Incarnations;
import io.github.delayqueue.store.redis.QueueKey;
import io.github.delayqueue.store.redis.Replies;
import io.github.delayqueue.store.redis.Script;
import io.github.delayqueue.store.redis.ScriptCall;
import io.github.delayqueue.store.redis.ScriptRunner;

/** Names what Redis has, and counts beats by which a loss is seen. Public for wiring. */
public record RedisIncarnations(ScriptRunner scripts) implements Incarnations {

	private static final Script BEAT = Script.writing(RedisIncarnations.class, "beat.lua", "count a beat of",
			QueueKey.META);

	private static final Script ADOPT = Script.writing(RedisIncarnations.class, "adopt.lua", "adopt", QueueKey.META);

	@Override
	public Epoch beat(String source, Epoch known, String incarnation) {
		ScriptCall call = this.scripts.call(BEAT, source).add(Epoch.requireIncarnation(incarnation));
		return this.scripts.once(call.add(known.incarnation()).add(known.beat()).add(known.table()),
				RedisIncarnations::epoch);
	}

	private static Epoch epoch(List<?> reply) {
		return new Epoch(Replies.text(reply.get(0)), (Long) reply.get(1), Replies.text(reply.get(2)));
	}

	@Override
	public void adopt(String source, String table) {
		this.scripts.once(this.scripts.call(ADOPT, source).add(table), Function.identity());
	}

}
