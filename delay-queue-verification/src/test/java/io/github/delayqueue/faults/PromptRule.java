package io.github.delayqueue.faults;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A task is begun when it is due, and not only when consumers ask without having been
 * told: judged where no fault has kept messages or consumers away.
 */
final class PromptRule {

	/** What a claim, a busy worker and retries of calls may take. */
	private static final long LATE_MILLIS = 2000;

	/** After what time a channel is tried again that was refused. */
	private static final long REFUSED_MILLIS = 60_000;

	/** How long it may take after a fault until everything is as before. */
	private static final long AFTERMATH_MILLIS = 10_000;

	/** The earliest first. */
	private final List<Excuse> excuses = new ArrayList<>();

	private PromptRule(History history, Duration pollInterval) {
		history.faults.forEach((fault) -> this.excuses
			.add(new Excuse(fault.from(), fault.to() + aftermath(fault, pollInterval.toMillis()))));
		history.ends.values().forEach((end) -> this.excuses.add(new Excuse(end, end + AFTERMATH_MILLIS)));
		this.excuses.sort(Comparator.comparingLong(Excuse::from));
	}

	/**
	 * A time in which a task may wait.
	 *
	 * @param from when a fault began
	 * @param until when its consequences had ended
	 */
	private record Excuse(long from, long until) {

	}

	static void check(History history, Duration pollInterval, Findings findings) {
		PromptRule rule = new PromptRule(history, pollInterval);
		for (TaskHistory task : history.tasks.values()) {
			for (Handling handling : task.handlings) {
				long due = history.clock.reached(handling.dueAt, handling.from);
				due = (history.journaled && isFirst(task, handling)) ? Math.min(due, asked(task, handling)) : due;
				due = Math.max(due, handedBack(task, handling));
				long late = handling.from - due;
				if (late > LATE_MILLIS && handling.leasesLost == 0 && task.calls.stream().noneMatch(Call::isUnknown)
						&& rule.hasWaited(due, handling.from)) {
					findings.violation("late", "Begun " + late + " ms after it was due: " + handling.send, task);
				}
			}
		}
	}

	/**
	 * Who has it when its consumer is to end gives it back when its handler has ended.
	 */
	private static long handedBack(TaskHistory task, Handling handling) {
		long ended = Long.MIN_VALUE;
		for (Handling before : task.handlings) {
			if (before != handling && before.to <= handling.from && before.send.equals(handling.send)) {
				ended = Math.max(ended, before.to);
			}
		}
		return ended;
	}

	/** What Redis forgot while a handler ran is due again only when it is made up for. */
	private static boolean isFirst(TaskHistory task, Handling handling) {
		return task.handlings.stream()
			.noneMatch((other) -> other.from < handling.from && other.send.equals(handling.send));
	}

	/** What a journal hands over late is due only then, as the handler is told. */
	private static long asked(TaskHistory task, Handling handling) {
		Call send = task.send(handling.send);
		Due due = (send != null) ? send.due : null;
		if (due == null || handling.failures > 0
				|| task.calls.stream().anyMatch((call) -> call.kind == Call.Kind.MOVE)) {
			return Long.MAX_VALUE;
		}
		return due.relative() ? send.to + due.millis() : Math.max(send.to, due.millis());
	}

	/** Whether a task waited for longer than it takes while nothing excused it. */
	private boolean hasWaited(long due, long begun) {
		long since = due;
		for (Excuse excuse : this.excuses) {
			if (excuse.from() > begun || excuse.from() - since > LATE_MILLIS) {
				break;
			}
			since = Math.max(since, excuse.until());
		}
		return begun - since > LATE_MILLIS;
	}

	/**
	 * A message that was lost is made up for by the next poll. Who has failed several
	 * times does not try again for up to as long, if nothing tells that the store is
	 * back, or it is told while a call waits that was lost. A channel that was refused is
	 * tried again after a minute.
	 */
	private static long aftermath(FaultSpan fault, long pollMillis) {
		return switch (fault.kind()) {
			case MESSAGES_LOST, CALLS_REFUSED, REDIS_STOPPED, REPLIES_CUT, CONNECTIONS_DELAYED, CUT_OFF ->
				pollMillis + LATE_MILLIS;
			case RIGHT_TAKEN -> REFUSED_MILLIS + pollMillis + LATE_MILLIS;
			case REDIS_EMPTIED, REDIS_OLDER -> 4 * AFTERMATH_MILLIS;
			default -> AFTERMATH_MILLIS;
		};
	}

}
