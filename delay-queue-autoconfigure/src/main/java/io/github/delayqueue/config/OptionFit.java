package io.github.delayqueue.config;

import java.util.List;
import java.util.function.ToLongFunction;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.InvalidOptionException;
import io.github.delayqueue.groups.GroupedQueues;
import io.github.delayqueue.limits.GlobalConcurrency;
import io.github.delayqueue.limits.RateLimit;
import io.github.delayqueue.options.Option;
import io.github.delayqueue.options.OptionTable;
import io.github.delayqueue.options.QueueOptions;
import io.github.delayqueue.partition.Partitions;

/**
 * A number, and another option of a queue that says how much it may be at most;
 * {@code why} is in words, and follows a colon.
 */
record OptionFit<O>(Option<Integer> option, Option<O> other, ToLongFunction<O> most, String why) {

	private static final String SHARE = "each partition gets its share of it";

	private static final List<OptionFit<?>> ALL = List.of(
			new OptionFit<>(OptionTable.BATCH_SIZE, OptionTable.PREFETCH, Integer::longValue,
					"no claim could fill a batch"),
			new OptionFit<>(Partitions.COUNT, RateLimit.OPTION, RateLimit::tasks, SHARE),
			new OptionFit<>(Partitions.COUNT, GlobalConcurrency.OPTION, GlobalConcurrency::most, SHARE),
			new OptionFit<>(Partitions.COUNT, OptionTable.DEAD_MAX_SIZE, Long::longValue,
					"each partition keeps at least one"));

	/** Check all options; the level is to blame. */
	static void require(QueueOptions options, QueueOptions level) {
		ALL.forEach((fit) -> fit.check(options, level));
		Integer partitions = options.own(Partitions.COUNT);
		if (partitions != null && partitions > 1 && options.get(GroupedQueues.ENABLED)) {
			throw new InvalidOptionException(Partitions.COUNT.toString(), partitions,
					"it must be 1 with groups.enabled: a partition is found by the id of a task, and a group is not");
		}
	}

	private void check(QueueOptions options, QueueOptions level) {
		Integer value = options.own(this.option);
		@Nullable O bound = options.own(this.other);
		if (value == null || bound == null || value <= this.most.applyAsLong(bound)) {
			return;
		}
		boolean blamed = level.own(this.other) == null;
		throw new InvalidOptionException((blamed ? this.option : this.other).toString(), blamed ? value : bound,
				"it must be at " + (blamed ? "most " + this.other : "least " + this.option) + ", which is "
						+ (blamed ? bound : value) + ": " + this.why);
	}

}
