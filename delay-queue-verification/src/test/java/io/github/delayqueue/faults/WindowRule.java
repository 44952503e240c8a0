package io.github.delayqueue.faults;

import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import io.github.delayqueue.event.DeliveryOutcome;

/**
 * Some faults must not stop the work: while memory is full tasks are completed, while
 * wake messages are lost tasks are begun. Judged only where a consumer was there all the
 * time.
 */
final class WindowRule {

	/** How long things take to show. */
	private static final long BEGINNING_MILLIS = 300;

	private WindowRule() {
	}

	static void check(History history, Findings findings) {
		for (FaultSpan fault : history.faults) {
			if (fault.kind() == FaultKind.MEMORY_FULL && isWithout(history, fault,
					(handling) -> handling.settled == DeliveryOutcome.SUCCESS && isIn(fault, handling.settledAt))) {
				findings.violation("memory-full", "Nothing was completed while memory was full: " + fault, null);
			}
			if (fault.kind() == FaultKind.MESSAGES_LOST
					&& isWithout(history, fault, (handling) -> isIn(fault, handling.from))) {
				findings.violation("messages-lost", "Nothing was begun while wake messages were lost: " + fault, null);
			}
		}
	}

	private static boolean isIn(FaultSpan fault, long time) {
		return time > fault.from() + BEGINNING_MILLIS && time < fault.to();
	}

	private static boolean isWithout(History history, FaultSpan fault, Predicate<Handling> work) {
		return history.handlings().noneMatch(work) && isAnybodyThere(history, fault);
	}

	private static boolean isAnybodyThere(History history, FaultSpan fault) {
		Set<String> before = processes(history, (handling) -> handling.from < fault.from());
		Set<String> after = processes(history, (handling) -> handling.from > fault.to());
		List<String> there = before.stream().filter(after::contains).toList();
		return there.stream()
			.anyMatch((process) -> !history.disturbances().isStopped(process, fault.from(), fault.to()));
	}

	private static Set<String> processes(History history, Predicate<Handling> filter) {
		return history.handlings().filter(filter).map((handling) -> handling.process).collect(Collectors.toSet());
	}

}
