package io.github.delayqueue.store.redis;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.ScheduleOutcome;
import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.store.Bounds;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.Replacement;
import io.github.delayqueue.store.ScheduleOptions;
import io.github.delayqueue.store.ScheduleReply;
import io.github.delayqueue.store.TaskPart;

/**
 * Stores tasks: new ones by a script of its own, else as runs of those that have
 * something in common.
 */
final class ScheduleScripts {

	private final ScriptRunner scripts;

	/** Of parts. */
	private @Nullable ConfirmedStep confirmed;

	private @Nullable JoinedCalls joined;

	ScheduleScripts(ScriptRunner scripts) {
		this.scripts = scripts;
	}

	void add(Object part) {
		if (part instanceof ConfirmedStep step) {
			this.confirmed = step;
		}
		if (part instanceof JoinedCalls calls) {
			this.joined = calls;
		}
	}

	Supplier<ScheduleReply> scheduleAhead(String queue, List<NewTask> tasks, ScheduleOptions options) {
		if (tasks.isEmpty()) {
			return ScheduleReply.of(List.of());
		}
		String sources = options.sources();
		ConfirmedStep step = options.confirmed() ? this.confirmed : null;
		int wanted = (step != null) ? step.wanted(queue) : 0;
		if (step != null && wanted > 0) {
			return step.run(call(queue, sources, tasks), Replies.outcomes(tasks.size()), wanted);
		}
		if (areNew(queue, tasks)) {
			JoinedCalls joined = (tasks.size() == 1) ? this.joined : null;
			Supplier<List<?>> reply = (joined != null) ? scheduleNew(queue, sources, tasks.get(0), joined)
					: this.scripts.runAhead(newCall(queue, sources, tasks));
			return () -> {
				long known = Replies.read(Scripts.SCHEDULE_NEW.stepName(), queue, reply.get(), Replies::number);
				return (known == 0) ? ScheduleReply.of(Collections.nCopies(tasks.size(), ScheduleOutcome.CREATED))
						: scheduleAny(queue, sources, tasks).get();
			};
		}
		return scheduleAny(queue, sources, tasks);
	}

	private Supplier<List<?>> scheduleNew(String queue, String sources, NewTask task, JoinedCalls joined) {
		List<?> lane = List.of(queue, sources, task.priority());
		return this.scripts.ahead(Scripts.SCHEDULE_NEW, queue,
				(sender) -> joined.send(lane, task, (tasks) -> sender.send(newCall(queue, sources, tasks))),
				() -> this.scripts.run(newCall(queue, sources, List.of(task))));
	}

	private Supplier<ScheduleReply> scheduleAny(String queue, String sources, List<NewTask> tasks) {
		Supplier<List<?>> reply = this.scripts.runAhead(call(queue, sources, tasks));
		return () -> ScheduleReply.of(outcomes(queue, tasks, reply.get()));
	}

	/**
	 * Whether there is a shorter way, which does nothing if an id is known after all. It
	 * knows no due time that is the later of two, and of parts only if the home of the
	 * queue does.
	 */
	private boolean areNew(String queue, List<NewTask> tasks) {
		TaskPriority priority = tasks.get(0).priority();
		boolean knowsParts = this.scripts.homes().of(queue) != null;
		for (NewTask task : tasks) {
			if (!task.generated() || task.onDuplicate() == Replacement.REJECT || task.priority() != priority
					|| task.due().earliestMillis() != 0 || !knowsParts && !task.parts().isEmpty()) {
				return false;
			}
		}
		return true;
	}

	/** Known although its id is new: the driver has sent it twice. */
	private static List<ScheduleOutcome> outcomes(String queue, List<NewTask> tasks, List<?> reply) {
		List<ScheduleOutcome> outcomes = new ArrayList<>(
				Replies.read(Scripts.SCHEDULE.stepName(), queue, reply, Replies.outcomes(tasks.size())));
		for (int i = 0; i < tasks.size(); i++) {
			NewTask task = tasks.get(i);
			if (task.generated() && task.onDuplicate() == Replacement.REPLACE) {
				outcomes.set(i, ScheduleOutcome.CREATED);
			}
		}
		return outcomes;
	}

	private ScriptCall newCall(String queue, String sources, List<NewTask> tasks) {
		Bounds.requireBatch(tasks);
		ScriptCall call = this.scripts.timed(Scripts.SCHEDULE_NEW, queue)
			.add(sources)
			.add(switch (tasks.get(0).priority()) {
				case NORMAL -> "1";
				case HIGH -> "2";
				case LOW -> "3";
			});
		return addTasks(call, tasks);
	}

	private ScriptCall call(String queue, String sources, List<NewTask> tasks) {
		Bounds.requireBatch(tasks);
		ScriptCall call = this.scripts.timed(script(tasks), queue).add(sources);
		for (int start = 0; start < tasks.size();) {
			int end = ScriptCall.endOfRun(tasks, start,
					(one, other) -> one.priority() == other.priority() && one.onDuplicate() == other.onDuplicate());
			NewTask first = tasks.get(start);
			call.add(first.priority()).add(first.onDuplicate()).add(end - start);
			addTasks(call, tasks.subList(start, end));
			start = end;
		}
		return call;
	}

	private static Script script(List<NewTask> tasks) {
		Map<Class<?>, String> parts = Map.of();
		for (NewTask task : tasks) {
			for (TaskPart part : task.parts()) {
				if (!part.argument().isEmpty()) {
					parts = parts.isEmpty() ? new LinkedHashMap<>() : parts;
					parts.put(part.getClass(), part.name());
				}
			}
		}
		return parts.isEmpty() ? Scripts.SCHEDULE : Scripts.SCHEDULE.with(parts);
	}

	/** When they are due, if together; ids and envelopes; when each is due, if not. */
	private static ScriptCall addTasks(ScriptCall call, List<NewTask> tasks) {
		NewTask first = tasks.get(0);
		boolean together = true;
		for (NewTask task : tasks) {
			together = together && first.isDueLike(task);
		}
		call.add(together ? ScriptCall.text(first) : "");
		for (NewTask task : tasks) {
			call.addId(task.id()).add(task.envelope());
		}
		for (int i = 0; !together && i < tasks.size(); i++) {
			call.add(ScriptCall.text(tasks.get(i)));
		}
		return call;
	}

}
