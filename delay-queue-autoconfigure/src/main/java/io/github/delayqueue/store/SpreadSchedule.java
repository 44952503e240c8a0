package io.github.delayqueue.store;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends tasks to the partitions in which they are at home. Where a task of the same id
 * may be in another partition, because the queue had fewer of them then: the new one is
 * rejected if the other is there (or is there and is not older), or is stored before the
 * other is removed.
 */
final class SpreadSchedule {

	private static final Logger logger = LoggerFactory.getLogger(SpreadSchedule.class);

	private final PartitionStore store;

	private final QueuePartitions partitions;

	private final String queue;

	private final List<NewTask> tasks;

	private final int minReplicas;

	private final @Nullable ScheduleOutcome[] outcomes;

	private int replicas = Integer.MAX_VALUE;

	private @Nullable RuntimeException error;

	SpreadSchedule(PartitionStore store, QueuePartitions partitions, String queue, List<NewTask> tasks,
			int minReplicas) {
		this.store = store;
		this.partitions = partitions;
		this.queue = queue;
		this.tasks = tasks;
		this.minReplicas = minReplicas;
		this.outcomes = new ScheduleOutcome[tasks.size()];
	}

	ReplicatedSchedule run() {
		return this.partitions.agreed((counts) -> {
			if (counts.equals(PartitionCounts.ONE)) {
				return send(this.queue, counts, this.tasks);
			}
			open(counts).forEach((home, positions) -> send(home, counts, positions));
			return new ReplicatedSchedule(Arrays.stream(this.outcomes).map(Objects::requireNonNull).toList(),
					Math.min(this.replicas, this.minReplicas), this.error);
		});
	}

	/**
	 * Send the tasks now and look at the answer later, if all of them go to one partition
	 * and no other has to be looked at; else all that at once.
	 * @return waits for the answer and gives it
	 */
	Supplier<List<ScheduleOutcome>> ahead() {
		PartitionCounts believed = this.partitions.believed();
		int home = onlyHome(believed);
		if (home >= 0) {
			try {
				Supplier<List<ScheduleOutcome>> answer = this.store.scheduleAhead(Partitions.name(this.queue, home),
						believed, this.tasks);
				return () -> answered(answer);
			}
			catch (PartitionsChangedException ex) {
				logRefusal(ex);
			}
		}
		List<ScheduleOutcome> outcomes = run().outcomes();
		return () -> outcomes;
	}

	private List<ScheduleOutcome> answered(Supplier<List<ScheduleOutcome>> answer) {
		try {
			return answer.get();
		}
		catch (PartitionsChangedException ex) {
			logRefusal(ex);
			return run().outcomes();
		}
	}

	private void logRefusal(PartitionsChangedException refusal) {
		logger.debug("Queue '{}' has got other partitions meanwhile; the tasks are sent again", this.queue, refusal);
	}

	/** Where all tasks belong that need no other partition, negative if there is none. */
	private int onlyHome(PartitionCounts counts) {
		if (counts.equals(PartitionCounts.ONE)) {
			return 0;
		}
		int home = -1;
		for (NewTask task : this.tasks) {
			int own = Partitions.home(task.id(), counts.count());
			if (!isUnknownElsewhere(task) || home >= 0 && home != own) {
				return -1;
			}
			home = own;
		}
		return home;
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

	private ReplicatedSchedule send(String partition, PartitionCounts counts, List<NewTask> tasks) {
		return (this.minReplicas > 0) ? this.store.scheduleReplicated(partition, counts, tasks, this.minReplicas)
				: new ReplicatedSchedule(this.store.schedule(partition, counts, tasks), 0, null);
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
		ReplicatedSchedule reply = send(Partitions.name(this.queue, home), counts,
				sent.stream().map(this.tasks::get).toList());
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
		inEarlierHomes(counts, positions, DuplicatePolicy.REJECT,
				(partition, tasks) -> this.store.contains(partition, ids(tasks)), found);
		inEarlierHomes(counts, positions, DuplicatePolicy.NEWER, this.store::containsNewer, found);
		return found;
	}

	/** Which ids have been removed in an earlier home. */
	private Set<String> displace(PartitionCounts counts, List<Integer> positions) {
		Set<Integer> found = new HashSet<>();
		inEarlierHomes(counts, positions, DuplicatePolicy.REPLACE,
				(partition, tasks) -> this.store.displace(partition, ids(tasks)), found);
		inEarlierHomes(counts, positions, DuplicatePolicy.NEWER, this.store::displaceOlder, found);
		return found.stream().map((i) -> this.tasks.get(i).id()).collect(Collectors.toSet());
	}

	private static List<String> ids(List<NewTask> tasks) {
		return tasks.stream().map(NewTask::id).toList();
	}

	private void inEarlierHomes(PartitionCounts counts, List<Integer> positions, DuplicatePolicy policy, Step step,
			Set<Integer> found) {
		Map<Integer, List<Integer>> asked = new TreeMap<>();
		for (int i : positions) {
			NewTask task = this.tasks.get(i);
			if (!isUnknownElsewhere(task) && task.onDuplicate() == policy) {
				counts.earlierHomes(task.id())
					.forEach((home) -> asked.computeIfAbsent(home, (number) -> new ArrayList<>()).add(i));
			}
		}
		asked.forEach((home, here) -> {
			List<Boolean> flags = step.take(Partitions.name(this.queue, home),
					here.stream().map(this.tasks::get).toList());
			IntStream.range(0, flags.size()).filter(flags::get).mapToObj(here::get).forEach(found::add);
		});
	}

	/**
	 * What is done with tasks in a partition.
	 */
	private interface Step {

		List<Boolean> take(String partition, List<NewTask> tasks);

	}

}
