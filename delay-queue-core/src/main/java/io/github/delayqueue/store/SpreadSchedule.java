package io.github.delayqueue.store;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

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
			open(counts).forEach((home, positions) -> send(home, counts, positions));
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
			int own = Partitions.home(task.id(), counts.count());
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

	/**
	 * The tasks without outcome by their homes: some may have one from before a refusal.
	 */
	private Map<Integer, List<Integer>> open(PartitionCounts counts) {
		Map<Integer, List<Integer>> positions = new TreeMap<>();
		IntStream.range(0, this.outcomes.length)
			.filter((i) -> this.outcomes[i] == null)
			.forEach((i) -> positions
				.computeIfAbsent(Partitions.home(this.tasks.get(i).id(), counts.count()), (home) -> new ArrayList<>())
				.add(i));
		return positions;
	}

	private void send(int home, PartitionCounts counts, List<Integer> positions) {
		Set<Integer> elsewhere = elsewhere(counts, positions);
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
		Set<String> displaced = displace(counts, sent);
		for (int i = 0; i < sent.size(); i++) {
			ScheduleOutcome outcome = reply.outcomes().get(i);
			boolean replaced = outcome == ScheduleOutcome.CREATED
					&& displaced.contains(this.tasks.get(sent.get(i)).id());
			this.outcomes[sent.get(i)] = replaced ? ScheduleOutcome.REPLACED : outcome;
		}
	}

	/** Which of the tasks are to be rejected because of one in an earlier home. */
	private Set<Integer> elsewhere(PartitionCounts counts, List<Integer> positions) {
		Set<Integer> found = new HashSet<>();
		inEarlierHomes(counts, positions, DuplicatePolicy.REJECT, Displacement.FIND_ANY, found);
		inEarlierHomes(counts, positions, DuplicatePolicy.NEWER, Displacement.FIND_NEWER, found);
		return found;
	}

	/** Which ids have been removed in an earlier home. */
	private Set<String> displace(PartitionCounts counts, List<Integer> positions) {
		Set<Integer> found = new HashSet<>();
		inEarlierHomes(counts, positions, DuplicatePolicy.REPLACE, Displacement.FORGET_ANY, found);
		inEarlierHomes(counts, positions, DuplicatePolicy.NEWER, Displacement.FORGET_OLDER, found);
		return found.stream().map((i) -> this.tasks.get(i).id()).collect(Collectors.toSet());
	}

	private void inEarlierHomes(PartitionCounts counts, List<Integer> positions, DuplicatePolicy policy,
			Displacement step, Set<Integer> found) {
		Map<Integer, List<Integer>> asked = new TreeMap<>();
		for (int i : positions) {
			NewTask task = this.tasks.get(i);
			if (!isUnknownElsewhere(task) && task.onDuplicate() == policy) {
				counts.earlierHomes(task.id())
					.forEach((home) -> asked.computeIfAbsent(home, (number) -> new ArrayList<>()).add(i));
			}
		}
		asked.forEach((home, here) -> {
			List<Boolean> flags = this.store.displace(Partitions.name(this.queue, home),
					here.stream().map(this.tasks::get).toList(), step);
			IntStream.range(0, flags.size()).filter(flags::get).mapToObj(here::get).forEach(found::add);
		});
	}

}
