package io.github.delayqueue.store;

import java.util.ArrayList;
import java.util.List;

import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.store.Settlement.Action;

/**
 * What random histories have to meet: every cell of the table of operations, and every
 * kind of answer.
 */
final class ExpectedCoverage {

	private static final List<String> OTHERS = List.of("claim: none", "claim: some", "claim: paused",
			"claim limited by number", "claim limited by rate: none", "claim limited by rate: some",
			"claim limited by what is in flight: none", "claim limited by what is in flight: some",
			"claim purged many dead", "claim forgot many completed", "claim took as many as one may",
			"claim leaves last chances: none", "claim leaves last chances: some", "claim limited by bytes",
			"claim purged dead", "claim forgot completed", "claim wakeIn never", "claim wakeIn now",
			"claim wakeIn later", "claim wakeIn a day", "claimed expired", "purge DEAD: none", "purge DEAD: some",
			"purge COMPLETED: none", "purge COMPLETED: some", "clear: none", "clear: some", "pause", "resume", "stats",
			"announce", "clock on", "clock back", "schedule wakes now", "schedule wakes later", "settle wakes now",
			"settle wakes later", "reschedule wakes now", "reschedule wakes later", "redrive wakes now",
			"resume wakes now", "resume wakes later", "schedule refused", "claim refused", "settle refused",
			"extend refused", "redrive refused", "purge refused", "page refused", "total scheduled", "total completed",
			"total retried", "total buried", "total cancelled", "total replaced", "total cleared", "total purged",
			"total redriven", "total expired", "total stale", "schedule with other partitions",
			"learn when nothing is known", "learn when nothing is known, fresh", "learn when some are known",
			"learn when some are known, fresh", "schedule NEWER UNKNOWN: CREATED", "schedule NEWER REPEATED: REPLACED",
			"schedule NEWER REPEATED: REJECTED", "cancel by generation UNKNOWN: false",
			"reschedule by generation UNKNOWN: false", "reschedule by generation SCHEDULED older: false",
			"cancelolder refused", "rescheduleversion refused", "rescheduleversion wakes now",
			"rescheduleversion wakes later", "beat", "beat of a new store", "beat refused",
			"schedule DEBOUNCED UNKNOWN: CREATED", "schedule DEBOUNCED SCHEDULED: REPLACED",
			"schedule DEBOUNCED IN_FLIGHT: REPLACED", "schedule DEBOUNCED REPEATED: REPLACED");

	private ExpectedCoverage() {
	}

	static List<String> all() {
		List<String> expected = new ArrayList<>(OTHERS);
		for (String known : List.of("SCHEDULED", "IN_FLIGHT", "COMPLETED", "DEAD", "REPEATED")) {
			expected.add("schedule REPLACE " + known + ": REPLACED");
			expected.add("schedule REJECT " + known + ": REJECTED");
		}
		for (String state : List.of("SCHEDULED", "IN_FLIGHT", "COMPLETED", "DEAD")) {
			expected.add("schedule GENERATED " + state + ": CREATED");
		}
		for (String state : List.of("SCHEDULED", "IN_FLIGHT", "COMPLETED", "DEAD")) {
			addVersions(expected, state);
		}
		for (String over : List.of("COMPLETED", "DEAD")) {
			expected.add("cancel by generation " + over + ": false");
			expected.add("reschedule by generation " + over + ": false");
		}
		expected.add("reschedule by generation IN_FLIGHT: false");
		expected.add("schedule GENERATED UNKNOWN: CREATED");
		expected.add("schedule REPLACE UNKNOWN: CREATED");
		expected.add("schedule REJECT UNKNOWN: CREATED");
		for (Action action : Action.values()) {
			addSettlements(expected, "settle " + action + " ");
		}
		addSettlements(expected, "extend ");
		expected.add("extend REPEATED: applied");
		for (String state : List.of("SCHEDULED", "IN_FLIGHT", "COMPLETED", "DEAD", "UNKNOWN")) {
			boolean scheduled = state.equals("SCHEDULED");
			expected.add("cancel " + state + ": " + (scheduled || state.equals("IN_FLIGHT")));
			expected.add("reschedule " + state + ": " + scheduled);
			expected.add("redrive " + state + ": " + state.equals("DEAD"));
			expected.add("find " + state);
		}
		expected.add("redrive REPEATED: false");
		for (TaskState state : TaskState.values()) {
			expected.add("page " + state + ": none");
			expected.add("page " + state + ": some");
		}
		for (TaskPriority priority : TaskPriority.values()) {
			expected.add("claimed due " + priority);
			expected.add("claimed due " + priority + " oldest first");
		}
		return expected;
	}

	private static void addVersions(List<String> expected, String state) {
		boolean cancelled = state.equals("SCHEDULED") || state.equals("IN_FLIGHT");
		for (String version : List.of("older", "same", "newer")) {
			boolean older = version.equals("older");
			String which = state + " " + version + ": ";
			expected.add("schedule NEWER " + which + (older ? "REPLACED" : "REJECTED"));
			if (cancelled && !which.startsWith("IN_FLIGHT same")) {
				expected.add("cancel by generation " + which + !version.equals("newer"));
			}
			if (state.equals("SCHEDULED")) {
				expected.add("reschedule by generation " + which + older);
			}
		}
	}

	private static void addSettlements(List<String> expected, String what) {
		for (String held : List.of("HELD", "EXPIRED")) {
			expected.add(what + held + ": applied");
		}
		for (String lost : List.of("CLAIMED AGAIN", "SCHEDULED", "COMPLETED", "DEAD", "UNKNOWN", "REPEATED")) {
			expected.add(what + lost + ": stale");
		}
	}

}
