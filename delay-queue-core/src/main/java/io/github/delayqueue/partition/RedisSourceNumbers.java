package io.github.delayqueue.partition;

import io.github.delayqueue.roles.SourceNumbers;
import io.github.delayqueue.store.redis.QueueKey;
import io.github.delayqueue.store.redis.Replies;
import io.github.delayqueue.store.redis.Script;
import io.github.delayqueue.store.redis.ScriptRunner;

/** Reads and sets the number of partitions in Redis. Public for wiring. */
public record RedisSourceNumbers(ScriptRunner scripts) implements SourceNumbers {

	private static final Script SOURCES = Script.writing(RedisSourceNumbers.class, "sources.lua",
			"read or set the number of partitions of", QueueKey.TASKS, QueueKey.META);

	@Override
	public String learn(String source, String number, boolean fresh) {
		return this.scripts.run(this.scripts.call(SOURCES, source).add(number).add(fresh ? "1" : "0"),
				(reply) -> Replies.text(reply.get(0)));
	}

}
