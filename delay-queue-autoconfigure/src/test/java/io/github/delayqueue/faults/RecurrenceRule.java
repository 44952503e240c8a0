package io.github.delayqueue.faults;

import java.util.List;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.faults.RecurringHistory.Run;

/**
 * A recurring task is run at its times and no others, each of them at most once unless
 * there is a reason to deliver it again; and it is there until it is cancelled.
 */
final class RecurrenceRule {

	private static final long CLAIMED_MILLIS = SuiteSettings.TTR.toMillis() + 1000;

	private RecurrenceRule() {
	}

	static void check(RecurringHistory task, History history, Findings findings) {
		if (task.runs.isEmpty()) {
			violation(findings, "Never run", task);
		}
		if (task.overAt != Long.MAX_VALUE && !task.wasThere) {
			violation(findings, "Gone before it was cancelled", task);
		}
		List<Run> runs = task.runs.stream().sorted(Run.BY_CLAIM).toList();
		for (int i = 0; i < runs.size(); i++) {
			Run run = runs.get(i);
			// the first time is now if it had passed before the store learnt of it
			boolean onGrid = run.dueAt == runs.get(0).dueAt || (run.dueAt - task.first) % task.period == 0;
			if (run.failures == 0 && (run.dueAt < task.first || !onGrid)) {
				violation(findings, "Run at a time that is none of its own, " + run.dueAt, task);
			}
			if (task.overAt != Long.MAX_VALUE && run.from > task.overAt + CLAIMED_MILLIS) {
				violation(findings, "Run after it had been cancelled, at " + run.from, task);
			}
			if (i > 0 && runs.get(i - 1).dueAt == run.dueAt && runs.get(i - 1).failures == run.failures) {
				checkAgain(runs.get(i - 1), run, task, history.disturbances(), findings);
			}
		}
	}

	private static void checkAgain(Run before, Run after, RecurringHistory task, Disturbances disturbances,
			Findings findings) {
		String reason = (after.expiries > before.expiries) ? lostLease(before, after, disturbances)
				: handedBack(before, after, disturbances);
		if (reason != null) {
			findings.explained(reason);
		}
		else {
			violation(findings, "Run twice at " + after.dueAt + " for no reason", task);
		}
	}

	private static @Nullable String lostLease(Run before, Run after, Disturbances disturbances) {
		return disturbances.ofHolder(before.process, before.from, after.from);
	}

	private static @Nullable String handedBack(Run before, Run after, Disturbances disturbances) {
		boolean ended = before.outcome != HandlerOutcome.OK
				&& disturbances.isEnded(before.process, before.from, after.from);
		return ended ? "handed back when its consumer was asked to end" : null;
	}

	private static void violation(Findings findings, String text, RecurringHistory task) {
		findings.violation("recurrence", text + "\n" + task, null);
	}

}
