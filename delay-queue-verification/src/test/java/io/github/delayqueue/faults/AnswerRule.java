package io.github.delayqueue.faults;

import java.util.List;

import io.github.delayqueue.faults.Call.Answer;

/**
 * What producers were told is true: what was refused or rejected is never handled, what
 * was cancelled or was not there any more is not begun afterwards.
 */
final class AnswerRule implements Rule {

	/** For how long what was claimed before may still wait for its handler. */
	private static final long CLAIMED_MILLIS = SuiteSettings.LEASE_DURATION.toMillis() + 1000;

	@Override
	public void check(TaskHistory task, History history, Findings findings) {
		for (Handling handling : task.handlings) {
			Call send = task.send(handling.send);
			if (send == null) {
				findings.violation("answer", "Handled, though nobody scheduled it: " + handling.send, task);
			}
			else if (send.answer == Answer.REFUSED || send.answer == Answer.REJECTED) {
				findings.violation("answer", "Handled, though " + send.answer + ": " + send.id, task);
			}
			else if (task.calls.size() > 1 && !history.disturbances()
				.isStopped(handling.process, handling.from - CLAIMED_MILLIS, handling.from)) {
				checkLaterCalls(send, handling, task, findings);
			}
		}
	}

	private static void checkLaterCalls(Call send, Handling handling, TaskHistory task, Findings findings) {
		if (send.isUnknown()) {
			return;
		}
		List<Call> later = task.calls.subList(task.calls.indexOf(send) + 1, task.calls.size());
		boolean gone = false;
		for (Call call : later) {
			boolean cancel = call.kind == Call.Kind.CANCEL;
			// what is gone is not found, and may still be with its consumer
			if (cancel && call.answer == Answer.FALSE && !gone && handling.from > call.to) {
				findings.violation("answer", "Begun after a cancellation found nothing: " + call.id, task);
			}
			if ((cancel && call.answer == Answer.TRUE) || call.isAccepted()) {
				gone = true;
				if (handling.from > call.to + CLAIMED_MILLIS) {
					findings.violation("answer", "Begun after it had been cancelled or replaced: " + call.id, task);
				}
			}
		}
	}

}
