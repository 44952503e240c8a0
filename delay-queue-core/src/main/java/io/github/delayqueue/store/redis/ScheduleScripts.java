package io.github.delayqueue.store.redis;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.ScheduleOutcome;
import io.github.delayqueue.store.Bounds;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.Replacement;
import io.github.delayqueue.store.ScheduleOptions;
import io.github.delayqueue.store.ScheduleReply;
import io.github.delayqueue.store.TaskPart;

/**
 * Stores tasks as runs of those that have something in common, unless a part has a
 * shorter way.
 */
final class ScheduleScripts {

	private final ScriptRunner scripts;

	/** Of parts. */
	private @Nullable ConfirmedStep confirmed;

	private @Nullable NewTaskStep shorter;

	ScheduleScripts(ScriptRunner scripts) {
		this.scripts = scripts;
	}

	void add(Object part) {
		if (part instanceof ConfirmedStep step) {
			this.confirmed = step;
		}
		if (part instanceof NewTaskStep step) {
			this.shorter = step;
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
			return step.run(call(queue, sources, tasks), Replies.outcomes(tasks), wanted);
		}
		Supplier<ScheduleReply> shorter = (this.shorter != null)
				? this.shorter.scheduleAhead(queue, sources, tasks, () -> scheduleAny(queue, sources, tasks).get())
				: null;
		return (shorter != null) ? shorter : scheduleAny(queue, sources, tasks);
	}

	private Supplier<ScheduleReply> scheduleAny(String queue, String sources, List<NewTask> tasks) {
		Supplier<List<?>> reply = this.scripts.runAhead(call(queue, sources, tasks));
		return () -> ScheduleReply.of(outcomes(queue, tasks, reply.get()));
	}

	/** Known although its id is new: the driver has sent it twice. */
	private static List<ScheduleOutcome> outcomes(String queue, List<NewTask> tasks, List<?> reply) {
		List<ScheduleOutcome> outcomes = new ArrayList<>(
				Replies.read(Scripts.SCHEDULE.stepName(), queue, reply, Replies.outcomes(tasks)));
		for (int i = 0; i < tasks.size(); i++) {
			NewTask task = tasks.get(i);
			if (task.generated() && task.onDuplicate() == Replacement.REPLACE) {
				outcomes.set(i, ScheduleOutcome.CREATED);
			}
		}
		return outcomes;
	}

	private ScriptCall call(String queue, String sources, List<NewTask> tasks) {
		Bounds.requireBatch(tasks);
		ScriptCall call = this.scripts.timed(script(tasks), queue).add(sources);
		for (int start = 0; start < tasks.size();) {
			int end = ScriptCall.endOfRun(tasks, start,
					(one, other) -> one.priority() == other.priority() && one.onDuplicate() == other.onDuplicate());
			NewTask first = tasks.get(start);
			call.add(first.priority()).add(first.onDuplicate()).add(end - start);
			call.addTasks(tasks.subList(start, end));
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

}
