package io.github.delayqueue.histogram;

import java.time.Duration;
import java.util.List;

import io.github.delayqueue.store.redis.Replies;
import io.github.delayqueue.store.redis.Script;
import io.github.delayqueue.store.redis.ScriptCall;
import io.github.delayqueue.store.redis.ScriptRunner;

/**
 * Adds up in Redis what instances count, by the quarter of an hour, for a day. A role of
 * the store. Public for wiring. Thread-safe.
 */
public final class RedisHistograms {

	private static final Script ADD = Script.writing(RedisHistograms.class, "add_times.lua",
			"note the times of handlers");

	private static final Script READ = Script.reading(RedisHistograms.class, "times.lua", "read the times of handlers");

	private static final Duration QUARTER = Duration.ofMinutes(15);

	private final ScriptRunner scripts;

	public RedisHistograms(ScriptRunner scripts) {
		this.scripts = scripts;
	}

	/**
	 * Add what an instance has counted.
	 * @param counts lateness, then handling
	 */
	public void add(String queue, long[] counts) {
		ScriptCall call = call(ADD, queue);
		for (long count : counts) {
			call.add(count);
		}
		this.scripts.run(call);
	}

	/**
	 * Add up the last counts of all instances.
	 * @param time for how long, a day at most, and up to a quarter of an hour more
	 * @throws io.github.delayqueue.DelayQueueException if the store does not answer
	 */
	public Histograms read(String queue, Duration time) {
		ScriptCall call = call(READ, queue).add(time.dividedBy(QUARTER)).add(2L * Histograms.SIZE);
		return this.scripts.run(call, (reply) -> {
			List<Long> counts = Replies.requireSize(reply, 2 * Histograms.SIZE).stream().map(Long.class::cast).toList();
			return new Histograms(counts.subList(0, Histograms.SIZE), counts.subList(Histograms.SIZE, counts.size()));
		});
	}

	private ScriptCall call(Script script, String queue) {
		return this.scripts.call(script, this.scripts.key("{" + queue + "}:times")).add(this.scripts.now());
	}

}
