package io.github.delayqueue.sharing;

import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.ScheduleOutcome;
import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.store.Bounds;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.Replacement;
import io.github.delayqueue.store.ScheduleReply;
import io.github.delayqueue.store.redis.NewTaskStep;
import io.github.delayqueue.store.redis.QueueKey;
import io.github.delayqueue.store.redis.Replies;
import io.github.delayqueue.store.redis.Script;
import io.github.delayqueue.store.redis.ScriptCall;
import io.github.delayqueue.store.redis.ScriptRunner;

/**
 * Stores tasks whose ids are new by a script of their own. Threads that store one at the
 * same time share calls of it. Public for wiring. Thread-safe.
 */
public final class NewTaskCalls implements NewTaskStep {

	private static final Script SCRIPT = Script.writing(NewTaskCalls.class, "schedule_new.lua", "schedule in",
			QueueKey.NORMAL, QueueKey.HIGH, QueueKey.LOW, QueueKey.TASKS, QueueKey.META);

	private final ScriptRunner scripts;

	private final SharedCalls shared = new SharedCalls();

	/** Create, for the scripts of a store. */
	public NewTaskCalls(ScriptRunner scripts) {
		this.scripts = scripts;
	}

	@Override
	public @Nullable Supplier<ScheduleReply> scheduleAhead(String queue, String sources, List<NewTask> tasks,
			Supplier<ScheduleReply> otherwise) {
		if (!areNew(queue, tasks)) {
			return null;
		}
		Supplier<List<?>> reply = (tasks.size() == 1) ? scheduleShared(queue, sources, tasks.get(0))
				: this.scripts.runAhead(call(queue, sources, tasks));
		return () -> {
			long known = Replies.read(SCRIPT.stepName(), queue, reply.get(), Replies::number);
			return (known == 0) ? ScheduleReply.of(Collections.nCopies(tasks.size(), ScheduleOutcome.CREATED))
					: otherwise.get();
		};
	}

	/**
	 * No due time that is the later of two, and parts only if the queue's home knows
	 * them.
	 */
	private boolean areNew(String queue, List<NewTask> tasks) {
		TaskPriority priority = tasks.get(0).priority();
		boolean knowsParts = this.scripts.home(queue) != null;
		for (NewTask task : tasks) {
			if (!task.generated() || task.onDuplicate() == Replacement.REJECT || task.priority() != priority
					|| task.due().earliestMillis() != 0 || !knowsParts && !task.parts().isEmpty()) {
				return false;
			}
		}
		return true;
	}

	private Supplier<List<?>> scheduleShared(String queue, String sources, NewTask task) {
		List<?> lane = List.of(queue, sources, task.priority());
		return this.scripts.ahead(SCRIPT, queue,
				(sender) -> this.shared.send(lane, task, (tasks) -> sender.send(call(queue, sources, tasks))),
				() -> this.scripts.run(call(queue, sources, List.of(task))));
	}

	private ScriptCall call(String queue, String sources, List<NewTask> tasks) {
		Bounds.requireBatch(tasks);
		return this.scripts.timed(SCRIPT, queue).add(sources).add(switch (tasks.get(0).priority()) {
			case NORMAL -> "1";
			case HIGH -> "2";
			case LOW -> "3";
		}).addTasks(tasks);
	}

}
