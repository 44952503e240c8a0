package io.github.delayqueue.store;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.DuplicatePolicy;
import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.fixtures.Tasks;
import io.github.delayqueue.store.Settlement.Action;

/**
 * Operations with one thing less to them: fewer entries, and nothing unusual about those.
 */
final class Simpler {

	/** Beyond it halves are tried, not single elements: it is about large batches. */
	private static final int MANY = 12;

	private Simpler() {
	}

	/**
	 * A list with fewer or with simpler elements, never an empty one.
	 * @param list the list
	 * @param elements what an element can be replaced by
	 * @param <T> type of the elements
	 * @return the lists, boldest first
	 */
	static <T> Stream<List<T>> lists(List<T> list, Function<T, Stream<T>> elements) {
		int size = list.size();
		Stream<List<T>> shorter = (size < 2) ? Stream.empty()
				: Stream.of(list.subList(0, size / 2), list.subList(size / 2, size));
		if (size > MANY) {
			int quarter = size / 4;
			return Stream.concat(shorter, IntStream.range(0, 4).mapToObj((n) -> without(list, n * quarter, quarter)));
		}
		Stream<List<T>> oneLess = (size < 3) ? Stream.empty()
				: IntStream.range(0, size).mapToObj((i) -> without(list, i, 1));
		Stream<List<T>> replaced = IntStream.range(0, size)
			.boxed()
			.flatMap((i) -> elements.apply(list.get(i)).map((element) -> with(list, i, element)));
		return Stream.of(shorter, oneLess, replaced).flatMap(Function.identity());
	}

	static <T> List<T> without(List<T> list, int from, int count) {
		List<T> rest = new ArrayList<>(list);
		rest.subList(from, Math.min(from + count, list.size())).clear();
		return List.copyOf(rest);
	}

	static <T> List<T> with(List<T> list, int index, T element) {
		List<T> changed = new ArrayList<>(list);
		changed.set(index, element);
		return List.copyOf(changed);
	}

	static Stream<NewTask> tasks(NewTask its) {
		if (its.generated()) {
			return tasks(new NewTask(its.id(), its.envelope(), its.due(), its.priority(), its.onDuplicate()))
				.map((simpler) -> new NewTask(simpler.id(), simpler.envelope(), simpler.due(), simpler.priority(),
						simpler.onDuplicate(), true));
		}
		DueTime now = DueTime.in(Duration.ZERO);
		byte[] nothing = its.due().isDebounced() ? Tasks.bytes("{}") : new byte[0];
		return Stream
			.of(new NewTask(its.id(), nothing, now, TaskPriority.NORMAL, its.onDuplicate()),
					new NewTask(its.id(), nothing, its.due(), its.priority(), its.onDuplicate()),
					new NewTask(its.id(), its.envelope(), now, its.priority(), its.onDuplicate()),
					new NewTask(its.id(), its.envelope(), undebounced(its.due()), its.priority(), its.onDuplicate()),
					new NewTask(its.id(), its.envelope(), its.due(), TaskPriority.NORMAL, its.onDuplicate()),
					new NewTask(its.id(), its.envelope(), its.due(), its.priority(), DuplicatePolicy.REPLACE))
			.filter((other) -> !ValueText.of(other).equals(ValueText.of(its)));
	}

	static DueTime undebounced(DueTime due) {
		return new DueTime(due.relative(), due.millis());
	}

	static Stream<Settlement> settlements(Settlement its) {
		boolean delayed = its.action() == Action.RETRY || (its.action() == Action.REPEAT && its.next() == null);
		Duration delay = delayed ? Duration.ZERO : null;
		return Stream.of(new Settlement(its.taskId(), its.token(), its.action(), false, delay, null, its.next()),
				new Settlement(its.taskId(), its.token(), its.action(), false, its.delay(), its.failure(), its.next()),
				new Settlement(its.taskId(), its.token(), its.action(), its.countFailure(), delay, its.failure(),
						its.next()),
				new Settlement(its.taskId(), its.token(), its.action(), its.countFailure(), its.delay(), null,
						its.next()))
			.filter((other) -> !ValueText.of(other).equals(ValueText.of(its)));
	}

	static Stream<ClaimRequest> requests(ClaimRequest its) {
		long allBytes = ClaimRequest.DEFAULT_MAX_BYTES;
		Retention keep = TaskStoreFixture.KEEP;
		FlowLimits limits = its.limits();
		ClaimRequest.LastChance chance = its.lastChance();
		return Stream
			.of(new ClaimRequest(its.token(), its.limit(), its.limit(), its.ttr(), allBytes, false, keep),
					new ClaimRequest(its.token(), its.limit(), its.limit(), its.ttr(), its.maxBytes(),
							its.oldestFirst(), its.retention(), limits, chance),
					new ClaimRequest(its.token(), its.limit(), its.lostLeaseLimit(), its.ttr(), allBytes,
							its.oldestFirst(), its.retention(), limits, chance),
					new ClaimRequest(its.token(), its.limit(), its.lostLeaseLimit(), its.ttr(), its.maxBytes(), false,
							its.retention(), limits, chance),
					new ClaimRequest(its.token(), its.limit(), its.lostLeaseLimit(), its.ttr(), its.maxBytes(),
							its.oldestFirst(), keep, limits, chance),
					its.withLastChance(null), its.withLastChance(oneLess(chance)),
					its.withLimits(new FlowLimits(limits.rate(), null)),
					its.withLimits(new FlowLimits(null, limits.inFlight())))
			.filter((other) -> !other.equals(its));
	}

	private static ClaimRequest.@Nullable LastChance oneLess(ClaimRequest.@Nullable LastChance chance) {
		return (chance != null && chance.maxLeaseLosses() > 1)
				? new ClaimRequest.LastChance(chance.maxLeaseLosses() - 1, chance.takes()) : chance;
	}

}
