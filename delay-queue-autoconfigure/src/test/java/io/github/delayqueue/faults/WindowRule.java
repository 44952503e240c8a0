package io.github.delayqueue.faults;

import io.github.delayqueue.event.DeliveryOutcome;

/**
 * Some faults must not stop the work: while memory is full tasks are completed, while
 * wake messages are lost tasks are begun.
 */
final class WindowRule {

	/** How long things take to show. */
	private static final long BEGINNING_MILLIS = 300;

	private WindowRule() {
	}

	static void check(History history, Findings findings) {
		for (FaultSpan fault : history.faults) {
			long from = fault.from() + BEGINNING_MILLIS;
			if (fault.kind() == FaultKind.MEMORY_FULL && fault.to() > from
					&& history.handlings().noneMatch((handling) -> handling.settled == DeliveryOutcome.SUCCESS
							&& handling.settledAt > from && handling.settledAt < fault.to())) {
				findings.violation("memory-full", "Nothing was completed while memory was full: " + fault, null);
			}
			if (fault.kind() == FaultKind.MESSAGES_LOST && fault.to() > from && history.handlings()
				.noneMatch((handling) -> handling.from > from && handling.from < fault.to())) {
				findings.violation("messages-lost", "Nothing was begun while wake messages were lost: " + fault, null);
			}
		}
	}

}
