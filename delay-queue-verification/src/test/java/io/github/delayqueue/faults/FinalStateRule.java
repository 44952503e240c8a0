package io.github.delayqueue.faults;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.DeadReason;
import io.github.delayqueue.event.DeliveryOutcome;
import io.github.delayqueue.faults.Call.Answer;
import io.github.delayqueue.faults.Call.Kind;
import io.github.delayqueue.faults.History.DeadTask;
import io.github.delayqueue.faults.History.Totals;

/**
 * In the end nothing is left but the history, and totals that add up and agree with what
 * producers were told; and what had died was meant to.
 */
final class FinalStateRule {

	private FinalStateRule() {
	}

	static void check(History history, Findings findings) {
		if (!history.complete) {
			return;
		}
		checkKeys(history, findings);
		checkDead(history, findings);
		if (history.hasLosses()) {
			return;
		}
		Map<String, List<TaskHistory>> tasks = history.tasks.values()
			.stream()
			.collect(Collectors.groupingBy((task) -> task.key.queue()));
		history.totals
			.forEach((queue, totals) -> checkTotals(queue, totals, tasks.getOrDefault(queue, List.of()), findings));
	}

	private static void checkKeys(History history, Findings findings) {
		Set<String> allowed = new HashSet<>(Set.of(Observer.KEY_PREFIX + "names", Observer.KEY_PREFIX + "instances"));
		Stream
			.concat(SuiteSettings.QUEUES.stream(),
					Stream.of(SuiteSettings.PROBE, SuiteSettings.CLOCKS, SuiteSettings.OWN_CLOCK))
			.forEach((queue) -> Stream.of(":meta", ":hours", ":times")
				.forEach((suffix) -> allowed.add(keyOf(queue, suffix))));
		// the slots of groups, which are free
		allowed.add(keyOf(SuiteSettings.GROUPED, ":groups"));
		for (String key : history.keys) {
			if (!allowed.contains(key)) {
				findings.violation("left", "A key was left: " + key, null);
			}
		}
	}

	private static String keyOf(String queue, String suffix) {
		return Observer.KEY_PREFIX + "{" + queue + "}" + suffix;
	}

	private static void checkDead(History history, Findings findings) {
		Map<TaskKey, DeadTask> dead = new HashMap<>();
		history.dead.forEach((task) -> dead.put(task.task(), task));
		for (TaskHistory task : history.tasks.values()) {
			checkDead(task, dead.remove(task.key), history, findings);
		}
		dead.values().forEach((task) -> findings.violation("dead", "Nobody scheduled " + task, null));
	}

	/** An older copy brings back what was dead then: nobody handles that. */
	private static void checkDead(TaskHistory task, @Nullable DeadTask dead, History history, Findings findings) {
		if (dead != null) {
			DeadReason planned = task.sends()
				.filter((send) -> send.id.equals(dead.send()))
				.findFirst()
				.map((send) -> send.plan.deadReason())
				.orElse(null);
			if (planned == null || !planned.name().equals(dead.reason())) {
				findings.violation("dead", "Dead of " + dead.reason() + ", planned was " + planned, task);
			}
		}
		boolean ambiguous = task.calls.stream().anyMatch((call) -> call.kind != Kind.MOVE && call.isUnknown());
		List<Call> last = task.calls.stream()
			.filter((call) -> call.isAccepted() || (call.kind == Kind.CANCEL && call.answer == Answer.TRUE))
			.toList();
		if (ambiguous || last.isEmpty() || (dead != null && history.hasLosses())) {
			return;
		}
		Call call = last.get(last.size() - 1);
		boolean dies = call.isSend() && call.plan.deadReason() != null;
		if (dies != (dead != null)) {
			findings.violation("dead", dies ? "Not among the dead, though it was to die" : "Dead, though not planned",
					task);
		}
	}

	private static void checkTotals(String queue, Totals totals, List<TaskHistory> tasks, Findings findings) {
		long sum = totals.completed() + totals.cancelled() + totals.replaced() + totals.purged();
		if (totals.scheduled() != sum) {
			findings.violation("totals", queue + ": " + totals.scheduled() + " scheduled, but the others are " + sum
					+ " together: " + totals, null);
		}
		long accepted = 0;
		long unknownSends = 0;
		long cancelled = 0;
		long unknownCancels = 0;
		long completed = 0;
		for (TaskHistory task : tasks) {
			for (Call call : task.calls) {
				accepted += (call.kind == Kind.SEND && call.isAccepted()) ? 1 : 0;
				unknownSends += (call.kind == Kind.SEND && call.isUnknown()) ? 1 : 0;
				cancelled += (call.kind == Kind.CANCEL && call.answer == Answer.TRUE) ? 1 : 0;
				unknownCancels += (call.kind == Kind.CANCEL && call.isUnknown()) ? 1 : 0;
			}
			for (Handling handling : task.handlings) {
				completed += (handling.settled == DeliveryOutcome.SUCCESS) ? 1 : 0;
			}
		}
		between(queue, "scheduled", totals.scheduled(), accepted, accepted + unknownSends, findings);
		between(queue, "cancelled", totals.cancelled(), cancelled, cancelled + unknownCancels, findings);
		between(queue, "completed", totals.completed(), completed, accepted + unknownSends, findings);
	}

	private static void between(String queue, String total, long value, long least, long most, Findings findings) {
		if (value < least || value > most) {
			findings.violation("totals",
					"%s: %s is %d, by the histories it should be %d to %d".formatted(queue, total, value, least, most),
					null);
		}
	}

}
