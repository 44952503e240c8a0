package io.github.delayqueue.faults;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.faults.RecurringHistory.Run;

/**
 * A recurring task is run at all of its times and no others; never twice at a time, and
 * at each of them once, unless there is a reason. A time is passed over only if the run
 * before was begun after it. What failed is tried again, and what is there stays until it
 * is cancelled.
 */
final class RecurrenceRule {

	private static final long CLAIMED_MILLIS = SuiteSettings.LEASE_DURATION.toMillis() + 1000;

	private static final int LAST_FAILURE = SuiteSettings.MAX_ATTEMPTS - 1;

	private final RecurringHistory task;

	private final History history;

	private final Findings findings;

	/** All attempts at the run of a time, in the order in which they were claimed. */
	private final TreeMap<Long, List<Run>> attempts = new TreeMap<>();

	private RecurrenceRule(RecurringHistory task, History history, Findings findings) {
		this.task = task;
		this.history = history;
		this.findings = findings;
		task.runs.stream()
			.sorted(Run.BY_CLAIM)
			.forEach((run) -> this.attempts.computeIfAbsent(run.runAt, (time) -> new ArrayList<>()).add(run));
	}

	static void check(RecurringHistory task, History history, Findings findings) {
		new RecurrenceRule(task, history, findings).check();
	}

	private void check() {
		if (this.task.runs.isEmpty()) {
			violation("Never run");
		}
		if (this.task.overAt != Long.MAX_VALUE && !this.task.wasThere) {
			violation("Gone before it was cancelled");
		}
		this.task.runs.forEach(this::checkTime);
		checkOverlaps();
		List<Run> before = null;
		for (List<Run> run : this.attempts.values()) {
			if (run.get(0).failures > 0) {
				violation("Had failed before it was first run for " + run.get(0).runAt);
			}
			for (int i = 1; i < run.size(); i++) {
				checkAgain(run.get(i - 1), run.get(i));
			}
			if (before != null) {
				checkFollows(before, run);
			}
			before = run;
		}
	}

	private void checkTime(Run run) {
		// the first time is now if it had passed before the store learnt of it
		boolean onGrid = run.runAt == this.attempts.firstKey() || (run.runAt - this.task.first) % this.task.period == 0;
		if (run.runAt < this.task.first || !onGrid) {
			violation("Run for a time that is none of its own, " + run.runAt);
		}
		if (run.failures == 0 && run.dueAt != run.runAt) {
			violation("Due at " + run.dueAt + " for the first time, though for " + run.runAt);
		}
		// Redis's clock may have been set back since it was due and claimed for the first
		// time
		if (this.attempts.get(run.runAt)
			.stream()
			.noneMatch((each) -> each.dueAt == run.dueAt && each.from <= run.from && isDue(each))) {
			violation("Run before it was due, at " + run.from);
		}
		if (this.task.overAt != Long.MAX_VALUE && run.from > this.task.overAt + CLAIMED_MILLIS) {
			violation("Run after it had been cancelled, at " + run.from);
		}
	}

	private boolean isDue(Run run) {
		return this.history.clock.latest(run.from - CLAIMED_MILLIS, run.from) >= run.dueAt;
	}

	/** Two runs at a time, or two attempts at one of them. */
	private void checkOverlaps() {
		List<Run> begun = this.task.runs.stream().sorted(Comparator.comparingLong((run) -> run.from)).toList();
		for (int i = 1; i < begun.size(); i++) {
			Run run = begun.get(i);
			for (Run other : begun.subList(0, i)) {
				if (run.from < end(other) && lostLease(other, run.from) == null && !wasLate(run, other)) {
					violation("Run at " + run.from + " while it was being run");
				}
			}
		}
	}

	/**
	 * Whether it was claimed first, by a process that stood still before it was begun.
	 */
	private boolean wasLate(Run run, Run other) {
		return run.runAt == other.runAt && Run.BY_CLAIM.compare(run, other) < 0
				&& this.history.disturbances().isStopped(run.process, other.from, run.from);
	}

	/** Of one that says nothing more it is not known when it ended. */
	private long end(Run run) {
		return (run.outcome != null) ? run.to : Math.min(run.from + SuiteSettings.HANDLER_TIMEOUT.toMillis(),
				this.history.ends.getOrDefault(run.process, Long.MAX_VALUE));
	}

	private void checkAgain(Run before, Run after) {
		int failures = after.failures - before.failures;
		int leasesLost = after.leasesLost - before.leasesLost;
		if (failures < 0 || failures > 1 || leasesLost < 0) {
			violation("Counts went from %d failures and %d lost leases to %d and %d for %d".formatted(before.failures,
					before.leasesLost, after.failures, after.leasesLost, after.runAt));
		}
		else if (failures == 1) {
			explain(failure(before, after), after);
		}
		else {
			explain((leasesLost > 0) ? lostLease(before, after.from) : handedBack(before, after), after);
		}
	}

	private void explain(@Nullable String reason, Run after) {
		if (reason != null) {
			this.findings.explained(reason);
		}
		else {
			violation("Run twice for " + after.runAt + " for no reason");
		}
	}

	private @Nullable String failure(Run before, Run after) {
		if (before.outcome == HandlerOutcome.FAILED) {
			return RedeliveryRule.FAILED;
		}
		boolean stopped = this.history.disturbances().isStopped(before.process, before.from, after.from);
		return (wentOnFor(SuiteSettings.MAYBE_TIMED_OUT, before, after.from) || stopped) ? RedeliveryRule.TIMED_OUT
				: null;
	}

	private @Nullable String lostLease(Run run, long until) {
		if (run.outcome == HandlerOutcome.HALTED) {
			return FaultKind.HANDLER_HALTED.description();
		}
		String reason = this.history.disturbances().ofHolder(run.process, run.from, until);
		return (reason == null && wentOnFor(SuiteSettings.HANDLER_TIMEOUT, run, until)) ? RedeliveryRule.TIMED_OUT
				: reason;
	}

	private static boolean wentOnFor(Duration time, Run run, long until) {
		return Math.min(run.to, until) - run.from >= time.toMillis();
	}

	private @Nullable String handedBack(Run before, Run after) {
		boolean ended = before.outcome != HandlerOutcome.OK
				&& this.history.disturbances().isEnded(before.process, before.from, after.from);
		return ended ? "released when its consumer was asked to end" : null;
	}

	private void checkFollows(List<Run> before, List<Run> after) {
		long next = after.get(0).runAt;
		boolean disturbed = this.task.skips && this.history.disturbances()
			.ofAnyClaimer(before.get(before.size() - 1).from, after.get(0).from) != null;
		if (!isEnded(before) && !disturbed) {
			violation("Followed by the run for " + next + ", though not at its end: " + before.get(0).runAt);
		}
		long passedOver = next - this.task.period;
		boolean covered = before.stream()
			.anyMatch((run) -> this.history.clock.latest(run.from - CLAIMED_MILLIS, run.from) >= passedOver
					|| (this.task.skips && outlasts(run, passedOver)));
		if (!covered && !disturbed) {
			violation("Not run for " + passedOver);
		}
	}

	/**
	 * Whether the time before was missed meanwhile: what is missed is skipped up to the
	 * next claim, which on a busy machine comes some time after the end.
	 */
	private boolean outlasts(Run run, long passedOver) {
		ServerClock clock = this.history.clock;
		return clock.earliest(run.from - CLAIMED_MILLIS, run.from) < passedOver - this.task.period
				&& clock.latest(run.from, end(run) + this.task.period / 2) >= passedOver;
	}

	/** Whether one succeeded, or none was left to try. */
	private static boolean isEnded(List<Run> attempts) {
		return attempts.stream().anyMatch((run) -> run.outcome == HandlerOutcome.OK || run.failures == LAST_FAILURE);
	}

	private void violation(String text) {
		this.findings.violation("recurrence", text, this.task);
	}

}
