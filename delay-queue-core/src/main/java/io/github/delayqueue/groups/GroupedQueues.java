package io.github.delayqueue.groups;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.limits.RateLimit;
import io.github.delayqueue.options.Option;
import io.github.delayqueue.options.QueueOptions;
import io.github.delayqueue.store.redis.QueueHome;
import io.github.delayqueue.store.redis.ScriptCall;

/**
 * Keeps queues with groups: its scripts take tasks of one group after the other. For
 * wiring.
 *
 * @param settings options of a queue, by its name
 */
public record GroupedQueues(Function<String, QueueOptions> settings) implements QueueHome {

	/** Whether a queue has groups: by default it has none. */
	public static final Option<Boolean> ENABLED = Option.flag("groups.enabled", false);

	/** How many tasks of a group may be in flight: at least 1, by default any number. */
	public static final Option<Integer> CONCURRENCY = Option.number("groups.concurrency", 1, null);

	/** How many tasks of a group may be taken in a time: by default any number. */
	public static final Option<RateLimit> RATE_LIMIT = Option.<RateLimit>of("groups.rate-limit", RateLimit.class, null)
		.readBy((value) -> RateLimit.parse((String) value));

	/**
	 * Whether a group has one task in flight at most, and one that failed comes before
	 * all others.
	 */
	public static final Option<Boolean> ORDERED = Option.flag("groups.ordered", false);

	@Override
	public boolean owns(String source) {
		return this.settings.apply(source).get(ENABLED);
	}

	@Override
	public List<String> keys() {
		return List.of(":groups", ":slots", ":running", ":rates");
	}

	@Override
	public void addTo(ScriptCall claim) {
		String queue = String.valueOf(claim.queue());
		RateLimit rate = rate(queue);
		claim.add(ordered(queue) ? "1" : "")
			.addOptional((rate != null) ? rate.tasks() : null)
			.addOptional((rate != null) ? TimeUnit.MILLISECONDS.toMicros(rate.period().toMillis()) : null)
			.addOptional(concurrency(queue));
	}

	/** How many tasks of a group may be in flight, {@code null} for any number. */
	public @Nullable Integer concurrency(String queue) {
		return ordered(queue) ? Integer.valueOf(1) : this.settings.apply(queue).own(CONCURRENCY);
	}

	/** Whether the groups of a queue are ordered. */
	public boolean ordered(String queue) {
		return this.settings.apply(queue).get(ORDERED);
	}

	/** The rate of a group, {@code null} for any. */
	public @Nullable RateLimit rate(String queue) {
		return this.settings.apply(queue).own(RATE_LIMIT);
	}

}
