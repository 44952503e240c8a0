package io.github.delayqueue.faults;

import java.util.List;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.faults.Call.Answer;
import io.github.delayqueue.faults.Call.Kind;

/**
 * What was acknowledged to a producer, and not cancelled or replaced, is handled.
 */
final class LossRule implements Rule {

	@Override
	public void check(TaskHistory task, History history, Findings findings) {
		boolean ambiguous = task.calls.stream().anyMatch((call) -> call.kind != Kind.MOVE && call.isUnknown());
		List<Call> calls = task.calls.stream()
			.filter((call) -> call.isAccepted() || (call.kind == Kind.CANCEL && call.answer == Answer.TRUE))
			.toList();
		for (int i = 0; i < calls.size(); i++) {
			Call send = calls.get(i);
			if (!send.isSend() || task.isFinished(send)) {
				continue;
			}
			Call next = (i + 1 < calls.size()) ? calls.get(i + 1) : null;
			if (ambiguous) {
				// a call that nobody knows the end of may have taken its place
				checkSomethingFinished(task, send, next, findings);
			}
			else if (next == null) {
				findings.violation("lost", "Acknowledged and not handled: " + send.id, task);
			}
			else if (next.answer == Answer.CREATED) {
				findings.violation("lost", "Acknowledged, not handled, and unknown to " + next.id + ": " + send.id,
						task);
			}
		}
	}

	private static void checkSomethingFinished(TaskHistory task, Call send, @Nullable Call next, Findings findings) {
		boolean excused = task.calls.stream()
			.anyMatch((call) -> call.isUnknown()
					&& (call.kind == Kind.CANCEL || (call.isSend() && task.isFinished(call))));
		if (next == null && !excused) {
			findings.violation("lost",
					"Acknowledged and not handled, nor what an unanswered call may have put in its place: " + send.id,
					task);
		}
	}

}
