package io.github.delayqueue.store.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;

import io.github.delayqueue.DuplicatePolicy;
import io.github.delayqueue.ScheduleOutcome;
import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.store.Bounds;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.PartitionCounts;
import io.github.delayqueue.store.ScheduleOptions;
import io.github.delayqueue.store.ScheduleReply;

/**
 * Stores tasks: new ones by a script of its own, else as runs of those that have
 * something in common.
 */
final class ScheduleScripts {

	private final RedisKeys keys;

	private final ScriptRunner scripts;

	private final ReplicatedScripts replicatedScripts;

	private final Function<String, Arguments> timed;

	private final SharedCalls<NewTaskLane, NewTask> shared;

	/**
	 * Create.
	 * @param scripts runs scripts
	 * @param replicatedScripts runs scripts and waits for replicas
	 * @param timed the first arguments of scripts that need to know the time, by queue
	 * @param commandTimeout how long to wait for an answer
	 */
	ScheduleScripts(RedisKeys keys, ScriptRunner scripts, ReplicatedScripts replicatedScripts,
			Function<String, Arguments> timed, Duration commandTimeout) {
		this.keys = keys;
		this.scripts = scripts;
		this.replicatedScripts = replicatedScripts;
		this.timed = timed;
		// not by reference, which would be resolved now: Lettuce may not be there
		this.shared = new SharedCalls<>(commandTimeout, (error) -> LettuceConnections.translate(error));
	}

	ScheduleReply schedule(String queue, List<NewTask> tasks, ScheduleOptions options) {
		if (tasks.isEmpty()) {
			return ScheduleReply.of(List.of(), options);
		}
		PartitionCounts counts = options.counts();
		if (options.minReplicas() > 0) {
			return this.replicatedScripts.run(Script.SCHEDULE, queue, Script.SCHEDULE.keys(this.keys, queue),
					arguments(queue, counts, tasks).toArray(), tasks.size(), options.minReplicas());
		}
		if (areNew(tasks)) {
			List<?> reply = (tasks.size() == 1) ? scheduleNew(queue, counts, tasks.get(0))
					: scheduleNew(queue, counts, tasks);
			if (isDone(queue, reply)) {
				return ScheduleReply.of(created(tasks), options);
			}
		}
		return ScheduleReply.of(outcomes(queue, tasks, this.scripts.run(Script.SCHEDULE, queue,
				Script.SCHEDULE.keys(this.keys, queue), arguments(queue, counts, tasks).toArray())), options);
	}

	private List<?> scheduleNew(String queue, PartitionCounts counts, List<NewTask> tasks) {
		return this.scripts.run(Script.SCHEDULE_NEW, queue, Script.SCHEDULE_NEW.keys(this.keys, queue),
				newArguments(queue, counts, tasks).toArray());
	}

	private List<?> scheduleNew(String queue, PartitionCounts counts, NewTask task) {
		NewTaskLane lane = new NewTaskLane(queue, counts.text(), task.priority());
		return this.scripts.runShared(Script.SCHEDULE_NEW, queue,
				(sender) -> this.shared.send(lane, task, task.envelope().length,
						(tasks) -> sendNew(sender, queue, counts, tasks)),
				() -> scheduleNew(queue, counts, List.of(task)));
	}

	private CompletableFuture<List<?>> sendNew(ScriptSender sender, String queue, PartitionCounts counts,
			List<NewTask> tasks) {
		List<byte[]> keys = Script.SCHEDULE_NEW.keys(this.keys, queue);
		return sender.send(Script.SCHEDULE_NEW, keys.size(),
				ScriptRunner.join(keys, newArguments(queue, counts, tasks).toArray()));
	}

	Supplier<ScheduleReply> scheduleAhead(String queue, List<NewTask> tasks, ScheduleOptions options) {
		if (tasks.isEmpty() || options.minReplicas() > 0) {
			ScheduleReply reply = schedule(queue, tasks, options);
			return () -> reply;
		}
		PartitionCounts counts = options.counts();
		if (areNew(tasks)) {
			Supplier<List<?>> reply = this.scripts.runAhead(Script.SCHEDULE_NEW, queue,
					Script.SCHEDULE_NEW.keys(this.keys, queue), newArguments(queue, counts, tasks).toArray());
			return () -> isDone(queue, reply.get()) ? ScheduleReply.of(created(tasks), options)
					: schedule(queue, tasks, options);
		}
		Supplier<List<?>> reply = this.scripts.runAhead(Script.SCHEDULE, queue, Script.SCHEDULE.keys(this.keys, queue),
				arguments(queue, counts, tasks).toArray());
		return () -> ScheduleReply.of(outcomes(queue, tasks, reply.get()), options);
	}

	/** Whether there is a shorter way, which does nothing if an id is known after all. */
	private static boolean areNew(List<NewTask> tasks) {
		TaskPriority priority = tasks.get(0).priority();
		for (NewTask task : tasks) {
			if (!task.generated() || task.onDuplicate() == DuplicatePolicy.REJECT || task.priority() != priority) {
				return false;
			}
		}
		return true;
	}

	/** Known although its id is new: the driver has sent it twice. */
	private static List<ScheduleOutcome> outcomes(String queue, List<NewTask> tasks, List<?> reply) {
		List<ScheduleOutcome> outcomes = new ArrayList<>(
				Replies.read(Script.SCHEDULE.stepName(), queue, reply, Replies.outcomes(tasks.size())));
		for (int i = 0; i < tasks.size(); i++) {
			NewTask task = tasks.get(i);
			if (task.generated() && task.onDuplicate() == DuplicatePolicy.REPLACE) {
				outcomes.set(i, ScheduleOutcome.CREATED);
			}
		}
		return outcomes;
	}

	private static boolean isDone(String queue, List<?> reply) {
		return Replies.read(Script.SCHEDULE_NEW.stepName(), queue, reply, Replies::number) == 0;
	}

	private static List<ScheduleOutcome> created(List<NewTask> tasks) {
		return Collections.nCopies(tasks.size(), ScheduleOutcome.CREATED);
	}

	private Arguments newArguments(String queue, PartitionCounts counts, List<NewTask> tasks) {
		Bounds.requireBatch(tasks);
		Arguments arguments = this.timed.apply(queue).add(counts.text()).add(switch (tasks.get(0).priority()) {
			case NORMAL -> "1";
			case HIGH -> "2";
			case LOW -> "3";
		});
		addTasks(arguments, tasks);
		return arguments;
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
		arguments.add(first.priority().name().toLowerCase(Locale.ROOT)).add(policy(first)).add(run.size());
		addTasks(arguments, run);
	}

	/** When they are due, if together; ids and envelopes; when each is due, if not. */
	private static void addTasks(Arguments arguments, List<NewTask> tasks) {
		boolean together = areTogether(tasks);
		arguments.add(together ? Arguments.text(tasks.get(0).due()) : "");
		for (NewTask task : tasks) {
			arguments.addId(task.id()).add(task.envelope());
		}
		if (!together) {
			tasks.forEach((task) -> arguments.add(task.due()));
		}
	}

	private static boolean areTogether(List<NewTask> tasks) {
		DueTime due = tasks.get(0).due();
		for (NewTask task : tasks) {
			if (!task.due().equals(due)) {
				return false;
			}
		}
		return true;
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
		return task.onDuplicate().name().toLowerCase(Locale.ROOT);
	}

	/**
	 * What new tasks have in common that one call can store.
	 *
	 * @param queue where
	 * @param counts the numbers of partitions that the callers believe in
	 * @param priority their priority
	 */
	private record NewTaskLane(String queue, String counts, TaskPriority priority) {

	}

}
