package io.github.delayqueue.store.redis;

import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Supplier;

import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.store.Bounds;
import io.github.delayqueue.store.DuplicatePolicy;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.PartitionCounts;
import io.github.delayqueue.store.ReplicatedSchedule;
import io.github.delayqueue.store.ScheduleOutcome;

/**
 * Stores tasks: a single new one by a script of its own, else as runs of those that have
 * something in common.
 */
final class ScheduleScripts {

	private static final List<ScheduleOutcome> CREATED = List.of(ScheduleOutcome.CREATED);

	private final RedisKeys keys;

	private final ScriptRunner scripts;

	private final ReplicatedScripts replicatedScripts;

	private final Function<String, Arguments> timed;

	/**
	 * Create.
	 * @param keys the keys
	 * @param scripts runs scripts
	 * @param replicatedScripts runs scripts and waits for replicas
	 * @param timed the first arguments of scripts that need to know the time, by queue
	 */
	ScheduleScripts(RedisKeys keys, ScriptRunner scripts, ReplicatedScripts replicatedScripts,
			Function<String, Arguments> timed) {
		this.keys = keys;
		this.scripts = scripts;
		this.replicatedScripts = replicatedScripts;
		this.timed = timed;
	}

	List<ScheduleOutcome> schedule(String queue, PartitionCounts counts, List<NewTask> tasks) {
		if (tasks.size() == 1 && isNew(tasks.get(0)) && scheduleNew(queue, counts, tasks.get(0))) {
			return CREATED;
		}
		return tasks.isEmpty() ? List.of() : Replies.outcomes(this.scripts.run(Script.SCHEDULE, queue,
				Script.SCHEDULE.keys(this.keys, queue), arguments(queue, counts, tasks).toArray()));
	}

	/**
	 * Whether there is a shorter way, which does nothing if the id is known after all.
	 */
	private static boolean isNew(NewTask task) {
		return task.generated() && task.priority() == TaskPriority.NORMAL
				&& task.onDuplicate() != DuplicatePolicy.REJECT;
	}

	private boolean scheduleNew(String queue, PartitionCounts counts, NewTask task) {
		Arguments arguments = this.timed.apply(queue)
			.add(counts.text())
			.addId(task.id())
			.add(task.envelope())
			.add(task.due());
		return Replies.number(this.scripts.run(Script.SCHEDULE_NEW, queue, Script.SCHEDULE_NEW.keys(this.keys, queue),
				arguments.toArray())) == 0;
	}

	Supplier<List<ScheduleOutcome>> scheduleAhead(String queue, PartitionCounts counts, List<NewTask> tasks) {
		if (tasks.isEmpty()) {
			return List::of;
		}
		Supplier<List<?>> reply = this.scripts.runAhead(Script.SCHEDULE, queue, Script.SCHEDULE.keys(this.keys, queue),
				arguments(queue, counts, tasks).toArray());
		return () -> Replies.outcomes(reply.get());
	}

	ReplicatedSchedule scheduleReplicated(String queue, PartitionCounts counts, List<NewTask> tasks, int minReplicas) {
		return tasks.isEmpty() ? new ReplicatedSchedule(List.of(), minReplicas, null)
				: this.replicatedScripts.run(Script.SCHEDULE, queue, Script.SCHEDULE.keys(this.keys, queue),
						arguments(queue, counts, tasks).toArray(), minReplicas);
	}

	private Arguments arguments(String queue, PartitionCounts counts, List<NewTask> tasks) {
		Bounds.requireBatch(tasks);
		Arguments arguments = this.timed.apply(queue).add(counts.text());
		for (int start = 0; start < tasks.size();) {
			int end = endOfRun(tasks, start);
			addRun(arguments, tasks.subList(start, end));
			start = end;
		}
		return arguments;
	}

	private static void addRun(Arguments arguments, List<NewTask> run) {
		NewTask first = run.get(0);
		boolean together = run.stream().allMatch((task) -> task.due().equals(first.due()));
		arguments.add(first.priority().name().toLowerCase(Locale.ROOT))
			.add(policy(first))
			.add(run.size())
			.add(together ? Arguments.text(first.due()) : "");
		for (NewTask task : run) {
			arguments.addId(task.id()).add(task.envelope());
		}
		if (!together) {
			run.forEach((task) -> arguments.add(task.due()));
		}
	}

	/** Behind the last of the tasks that have priority and policy in common. */
	private static int endOfRun(List<NewTask> tasks, int start) {
		NewTask first = tasks.get(start);
		int end = start + 1;
		while (end < tasks.size() && tasks.get(end).priority() == first.priority()
				&& policy(tasks.get(end)).equals(policy(first))) {
			end++;
		}
		return end;
	}

	private static String policy(NewTask task) {
		return switch (task.onDuplicate()) {
			case REPLACE -> task.generated() ? "new" : "replace";
			case REJECT -> "reject";
			case NEWER -> "newer";
		};
	}

}
