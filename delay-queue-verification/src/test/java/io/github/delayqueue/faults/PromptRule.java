package io.github.delayqueue.faults;

import java.time.Duration;
import java.util.stream.LongStream;

/**
 * A task is begun when it is due, and not only when consumers ask without having been
 * told: judged where no fault has kept messages or consumers away.
 */
final class PromptRule {

	/** What a claim, a busy worker and retries of calls may take. */
	private static final long LATE_MILLIS = 2000;

	/** How long it may take after a fault until everything is as before. */
	private static final long AFTERMATH_MILLIS = 10_000;

	private PromptRule() {
	}

	static void check(History history, Duration pollInterval, Findings findings) {
		for (TaskHistory task : history.tasks.values()) {
			for (Handling handling : task.handlings) {
				long late = history.clock.earliest(handling.from, handling.from) - handling.dueAt;
				if (late > LATE_MILLIS && handling.leasesLost == 0 && task.calls.stream().noneMatch(Call::isUnknown)
						&& handling.from > excusedUntil(task, handling, pollInterval, history)) {
					findings.violation("late", "Begun " + late + " ms after it was due: " + handling.send, task);
				}
			}
		}
	}

	/**
	 * From when it was last scheduled, which is when messages went out, any fault counts.
	 */
	private static long excusedUntil(TaskHistory task, Handling handling, Duration pollInterval, History history) {
		long since = Math.min(handling.dueAt,
				task.sends()
					.filter((send) -> send.id.equals(handling.send))
					.mapToLong((send) -> send.from)
					.findFirst()
					.orElse(handling.dueAt));
		LongStream faults = history.faults.stream()
			.filter((fault) -> fault.overlaps(since, handling.from, aftermath(fault, pollInterval)))
			.mapToLong((fault) -> fault.to() + aftermath(fault, pollInterval));
		LongStream ends = history.ends.values()
			.stream()
			.mapToLong((end) -> end + AFTERMATH_MILLIS)
			.filter((end) -> end >= since && end - AFTERMATH_MILLIS <= handling.from);
		return LongStream.concat(faults, ends).max().orElse(Long.MIN_VALUE);
	}

	/** A message that was lost is made up for by the next poll. */
	private static long aftermath(FaultSpan fault, Duration pollInterval) {
		return switch (fault.kind()) {
			case MESSAGES_LOST -> pollInterval.toMillis() + LATE_MILLIS;
			case REDIS_EMPTIED, REDIS_OLDER -> 4 * AFTERMATH_MILLIS;
			default -> AFTERMATH_MILLIS;
		};
	}

}
