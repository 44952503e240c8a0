package io.github.delayqueue.faults;

import java.util.List;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.event.DeliveryOutcome;
import io.github.delayqueue.faults.Call.Answer;
import io.github.delayqueue.faults.Call.Kind;
import io.github.delayqueue.faults.History.Kept;

/**
 * The id of a completed task is known, and rejected, for as long as the task is kept, and
 * accepted afterwards. No more is kept than was completed lately.
 */
final class RetentionRule implements Rule {

	/** For how long what was claimed before may still wait for its handler. */
	private static final long CLAIMED_MILLIS = SuiteSettings.LEASE_DURATION.toMillis() + 1000;

	/** By how much the server's clock may be behind for a while, and more. */
	private static final long BEHIND_MILLIS = 10_000;

	@Override
	public void check(TaskHistory task, History history, Findings findings) {
		Call before = null;
		for (Call call : task.calls) {
			if (call.isUnknown() && call.kind != Kind.MOVE) {
				// from here on nobody knows what there is
				return;
			}
			if (call.rejecting && call.answer == Answer.REJECTED) {
				checkRejected(task, before, call, history, findings);
			}
			else if (call.rejecting && call.answer == Answer.CREATED && before != null && before.isSend()) {
				checkAccepted(task, before, call, history, findings);
			}
			if (call.isAccepted() || (call.kind == Kind.CANCEL && call.answer == Answer.TRUE)) {
				before = call;
			}
		}
	}

	private static void checkRejected(TaskHistory task, @Nullable Call before, Call call, History history,
			Findings findings) {
		if (before == null || !before.isSend()) {
			findings.violation("retention", "Rejected, though nothing was there: " + call.id, task);
			return;
		}
		Handling last = completed(task, before);
		long gone = isKept(task) ? goneUntil(call.from, history) : call.from;
		if (last != null && last.settledAt < gone) {
			findings.violation("retention",
					"Rejected " + (call.from - last.settledAt) + " ms after it was completed: " + call.id, task);
		}
	}

	private static void checkAccepted(TaskHistory task, Call before, Call call, History history, Findings findings) {
		Handling last = isKept(task) ? completed(task, before) : null;
		if (last == null) {
			return;
		}
		long age = history.clock.latest(last.from, call.to) - history.clock.earliest(last.to, last.settledAt);
		if (age < SuiteSettings.RETENTION.toMillis()) {
			findings.violation("retention", "Accepted at most " + age + " ms after it was completed: " + call.id, task);
		}
	}

	/** A consumer removes what is over for too long when it claims. */
	private static long goneUntil(long at, History history) {
		return history.lastBegun(SuiteSettings.JOBS, at) - CLAIMED_MILLIS - SuiteSettings.RETENTION.toMillis()
				- BEHIND_MILLIS;
	}

	private static boolean isKept(TaskHistory task) {
		return task.key.queue().equals(SuiteSettings.JOBS);
	}

	private static @Nullable Handling completed(TaskHistory task, Call send) {
		List<Handling> completed = task.handlingsOf(send)
			.stream()
			.filter((handling) -> handling.settled == DeliveryOutcome.SUCCESS)
			.toList();
		return completed.isEmpty() ? null : completed.get(0);
	}

	/** What is not known to have been settled may have been at any time. */
	static void checkAmounts(History history, Findings findings) {
		List<Handling> handlings = history.handlings()
			.filter((handling) -> handling.task.queue().equals(SuiteSettings.JOBS))
			.toList();
		for (Kept kept : history.kept) {
			long since = goneUntil(kept.at(), history);
			long most = 0;
			for (Handling handling : handlings) {
				most += (handling.settledAt >= since && handling.from <= kept.at()) ? 1 : 0;
			}
			if (kept.count() > most) {
				findings.violation("retention", "%d completed tasks were kept at %d, %d were handled lately"
					.formatted(kept.count(), kept.at(), most), null);
			}
		}
	}

}
