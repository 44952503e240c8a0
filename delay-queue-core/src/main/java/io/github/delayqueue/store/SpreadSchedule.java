package io.github.delayqueue.store;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.DuplicatePolicy;
import io.github.delayqueue.ScheduleOutcome;

/**
 * Sends tasks to the partitions in which they are at home. Where a task of the same id
 * may be in another partition, because the queue had fewer of them then: the new one is
 * rejected if the other is there (or is there and is not older), or is stored before the
 * other is removed.
 */
final class SpreadSchedule {

	/** Because of what in an earlier home a task is to be rejected. */
	private static final Map<DuplicatePolicy, Displacement> FIND = new EnumMap<>(
			Map.of(DuplicatePolicy.REJECT, Displacement.FIND_ANY, DuplicatePolicy.NEWER, Displacement.FIND_NEWER));

	/** What a task takes the place of in an earlier home. */
	private static final Map<DuplicatePolicy, Displacement> FORGET = new EnumMap<>(
			Map.of(DuplicatePolicy.REPLACE, Displacement.FORGET_ANY, DuplicatePolicy.NEWER, Displacement.FORGET_OLDER));

	private final PartitionStore store;

	private final QueuePartitions partitions;

	private final String queue;

	private final List<NewTask> tasks;

	private final ScheduleOptions options;

	private final @Nullable ScheduleOutcome[] outcomes;

	private int replicas = Integer.MAX_VALUE;

	private @Nullable RuntimeException error;

	SpreadSchedule(PartitionStore store, QueuePartitions partitions, String queue, List<NewTask> tasks,
			ScheduleOptions options) {
		this.store = store;
		this.partitions = partitions;
		this.queue = queue;
		this.tasks = tasks;
		this.options = options;
		this.outcomes = new ScheduleOutcome[tasks.size()];
	}

	ScheduleReply run() {
		return this.partitions.agreed((counts) -> {
			// some may have an outcome from before a refusal
			byHome(IntStream.range(0, this.outcomes.length).boxed().filter((i) -> this.outcomes[i] == null),
					(i) -> List.of(counts.home(this.tasks.get(i).id())))
				.forEach((home, positions) -> send(home, counts, positions));
			return new ScheduleReply(Arrays.stream(this.outcomes).map(Objects::requireNonNull).toList(),
					Math.min(this.replicas, this.options.minReplicas()), this.error);
		});
	}

	/**
	 * Where all of some tasks belong that need no other partition: nothing has to be
	 * spread then.
	 * @return the name of the partition, {@code null} if there is none
	 */
	static @Nullable String onlyHome(String queue, PartitionCounts counts, List<NewTask> tasks) {
		if (counts.equals(PartitionCounts.ONE)) {
			return queue;
		}
		int home = -1;
		for (NewTask task : tasks) {
			int own = counts.home(task.id());
			if (!isUnknownElsewhere(task) || home >= 0 && home != own) {
				return null;
			}
			home = own;
		}
		return (home >= 0) ? Partitions.name(queue, home) : null;
	}

	/**
	 * Whether a task is certainly in no earlier home. What has been handed over by its
	 * generation may be handed over again.
	 */
	private static boolean isUnknownElsewhere(NewTask task) {
		return task.generated() && task.onDuplicate() != DuplicatePolicy.NEWER;
	}

	private static Map<Integer, List<Integer>> byHome(Stream<Integer> positions,
			Function<Integer, List<Integer>> homes) {
		Map<Integer, List<Integer>> byHome = new TreeMap<>();
		positions.forEach((i) -> homes.apply(i)
			.forEach((home) -> byHome.computeIfAbsent(home, (number) -> new ArrayList<>()).add(i)));
		return byHome;
	}

	/** Take a step on each partition that is a home, and note what it says yes of. */
	static void onEach(String queue, Stream<Integer> positions, Function<Integer, List<Integer>> homes,
			BiFunction<String, List<Integer>, List<Boolean>> step, Set<Integer> found) {
		byHome(positions, homes).forEach((home, here) -> {
			List<Boolean> flags = step.apply(Partitions.name(queue, home), here);
			IntStream.range(0, flags.size()).filter(flags::get).mapToObj(here::get).forEach(found::add);
		});
	}

	private void send(int home, PartitionCounts counts, List<Integer> positions) {
		Set<Integer> elsewhere = inEarlierHomes(counts, positions, FIND);
		Set<String> replacing = new HashSet<>();
		List<Integer> sent = new ArrayList<>();
		for (int i : positions) {
			NewTask task = this.tasks.get(i);
			if (task.onDuplicate() == DuplicatePolicy.REPLACE) {
				replacing.add(task.id());
			}
			if (elsewhere.contains(i) && !replacing.contains(task.id())) {
				this.outcomes[i] = ScheduleOutcome.REJECTED;
			}
			else {
				sent.add(i);
			}
		}
		if (sent.isEmpty()) {
			return;
		}
		ScheduleReply reply = this.store.schedule(Partitions.name(this.queue, home),
				sent.stream().map(this.tasks::get).toList(), this.options.believing(counts));
		this.replicas = Math.min(this.replicas, reply.replicas());
		this.error = (reply.error() != null) ? reply.error() : this.error;
		Set<String> displaced = inEarlierHomes(counts, sent, FORGET).stream()
			.map((i) -> this.tasks.get(i).id())
			.collect(Collectors.toSet());
		for (int i = 0; i < sent.size(); i++) {
			ScheduleOutcome outcome = reply.outcomes().get(i);
			boolean replaced = outcome == ScheduleOutcome.CREATED
					&& displaced.contains(this.tasks.get(sent.get(i)).id());
			this.outcomes[sent.get(i)] = replaced ? ScheduleOutcome.REPLACED : outcome;
		}
	}

	private Set<Integer> inEarlierHomes(PartitionCounts counts, List<Integer> positions,
			Map<DuplicatePolicy, Displacement> steps) {
		Set<Integer> found = new HashSet<>();
		steps.forEach((policy, step) -> onEach(this.queue, positions.stream().filter((i) -> {
			NewTask task = this.tasks.get(i);
			return !isUnknownElsewhere(task) && task.onDuplicate() == policy;
		}), (i) -> counts.earlierHomes(this.tasks.get(i).id()),
				(partition, here) -> this.store.displace(partition, here.stream().map(this.tasks::get).toList(), step),
				found));
		return found;
	}

}
