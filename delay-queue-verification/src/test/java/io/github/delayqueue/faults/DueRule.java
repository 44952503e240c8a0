package io.github.delayqueue.faults;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.faults.Call.Answer;
import io.github.delayqueue.faults.Call.Kind;

/**
 * Nothing is handled before it is due by the server's clock: not before the time that the
 * handler was told, and that time is not before the one that the producer asked for, or
 * that follows from a failure.
 */
final class DueRule implements Rule {

	@Override
	public void check(TaskHistory task, History history, Findings findings) {
		task.sends().forEach((send) -> {
			List<Handling> handlings = task.handlingsOf(send, history);
			Handling previous = null;
			for (Handling handling : handlings) {
				long latest = history.clock.latest(send.from, handling.from);
				if (latest < handling.dueAt) {
					findings.violation("early", "Handled " + (handling.dueAt - latest) + " ms before it was due", task);
				}
				long wanted = wanted(task, send, handling, previous, history);
				if (handling.dueAt < wanted) {
					findings.violation("early", "Due at " + handling.dueAt + ", " + (wanted - handling.dueAt)
							+ " ms before it should have been: " + send.id, task);
				}
				previous = handling;
			}
		});
	}

	private static long wanted(TaskHistory task, Call send, Handling handling, @Nullable Handling previous,
			History history) {
		List<Call> moves = moves(task, send, handling);
		ServerClock clock = history.clock;
		if (handling.failures == 0) {
			return wantedFirst(send, moves, handling, clock);
		}
		if (!moves.isEmpty() || previous == null || history.disturbances().isForgotten(previous.from, handling.from)) {
			return Long.MIN_VALUE;
		}
		if (previous.failures == handling.failures) {
			return previous.dueAt;
		}
		// one that ended well, or only after its end was confirmed, was over before
		boolean ended = previous.to < handling.from && previous.to <= previous.settledAt
				&& previous.outcome != HandlerOutcome.OK;
		long failedAt = ended ? previous.to : previous.from;
		return clock.earliest(failedAt, handling.from) + retryDelay(send, previous);
	}

	/**
	 * One that went on for so long may have failed by its timeout, whatever it asked for.
	 */
	private static long retryDelay(Call send, Handling failed) {
		long wanted = send.plan.retryDelay().toMillis();
		boolean timedOut = failed.to - failed.from >= SuiteSettings.MAYBE_TIMED_OUT.toMillis();
		return timedOut ? Math.min(wanted, SuiteSettings.RETRY_DELAY.toMillis()) : wanted;
	}

	/** What may have moved it before it was handled. */
	private static List<Call> moves(TaskHistory task, Call send, Handling handling) {
		List<Call> moves = new ArrayList<>();
		for (Call call : task.calls) {
			if (call.isAccepted() && call.from > send.from && !send.isUnknown()) {
				// those that follow move another one; what nobody knows the end of may be
				// later
				break;
			}
			boolean effective = call.answer == Answer.TRUE || call.isUnknown();
			// one that nobody knows the end of may reach the server later
			boolean meets = call.from <= handling.from && (call.isUnknown() || call.to >= send.from);
			if (call.kind == Kind.MOVE && effective && meets) {
				moves.add(call);
			}
		}
		return moves;
	}

	/** The last that certainly moved it counts; one that nobody knows of may be later. */
	private static long wantedFirst(Call send, List<Call> moves, Handling handling, ServerClock clock) {
		long wanted = wanted(send, handling, clock);
		long unknown = Long.MAX_VALUE;
		for (Call move : moves) {
			long moved = wanted(move, handling, clock);
			if (move.isUnknown()) {
				unknown = Math.min(unknown, moved);
				continue;
			}
			boolean certain = move.from >= send.to && move.to <= handling.from && !send.isUnknown();
			wanted = certain ? moved : Math.min(wanted, moved);
		}
		return Math.min(wanted, unknown);
	}

	private static long wanted(Call call, Handling handling, ServerClock clock) {
		Due due = call.due;
		if (due == null) {
			throw new IllegalArgumentException("Not a call with a due time: " + call);
		}
		if (!due.relative()) {
			return due.millis();
		}
		// what nobody knows the end of may have reached the server later
		long end = call.isUnknown() ? handling.from : Math.min(call.to, handling.from);
		return clock.earliest(call.from, end) + due.millis();
	}

}
