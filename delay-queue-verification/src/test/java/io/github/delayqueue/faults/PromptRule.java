package io.github.delayqueue.faults;

import java.time.Duration;

/**
 * A task is begun when it is due, and not when consumers ask without having been told:
 * judged where no fault has kept messages or consumers away, and workers are free.
 */
final class PromptRule {

	/** What a claim, a busy worker and retries of calls may take. */
	private static final long LATE_MILLIS = 2000;

	private PromptRule() {
	}

	static void check(History history, Duration pollInterval, Findings findings) {
		long aftermath = pollInterval.toMillis() + LATE_MILLIS;
		for (TaskHistory task : history.tasks.values()) {
			for (Handling handling : task.handlings) {
				long late = history.clock.earliest(handling.from, handling.from) - handling.dueAt;
				if (late > LATE_MILLIS && !isDisturbed(task, handling, aftermath, history)) {
					findings.violation("late", "Begun " + late + " ms after it was due: " + handling.send, task);
				}
			}
		}
	}

	/** From when it was last scheduled, which is when messages went out. */
	private static boolean isDisturbed(TaskHistory task, Handling handling, long aftermath, History history) {
		long since = Math.min(handling.dueAt,
				task.sends()
					.filter((send) -> send.id.equals(handling.send))
					.mapToLong((send) -> send.from)
					.findFirst()
					.orElse(handling.dueAt));
		return handling.leasesLost > 0 || task.calls.stream().anyMatch(Call::isUnknown)
				|| history.faults.stream().anyMatch((fault) -> fault.overlaps(since, handling.from, aftermath))
				|| history.ends.values().stream().anyMatch((end) -> end + aftermath >= since && end <= handling.from);
	}

}
