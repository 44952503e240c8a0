package io.github.delayqueue.store;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.QueueStats.Totals;
import io.github.delayqueue.TaskState;

/**
 * Counts what happened in histories: each operation by what it met and what it was
 * answered with. Not safe for use by several threads.
 */
final class HistoryCoverage {

	private final Map<String, Long> counts = new TreeMap<>();

	/** More than any but a few histories have. */
	private static final int MANY_TRIMMED = 100;

	private long steps;

	/**
	 * Count a step.
	 * @param operation what was done
	 * @param before the state before
	 * @param after the stores after
	 */
	void add(HistoryOperation operation, QueueImage before, SideBySide after) {
		this.steps++;
		Object answer = after.answer();
		String kind = operation.kind();
		if (answer instanceof String text && text.startsWith("throws")) {
			count(kind + (text.contains("OtherPartitions") ? " with other partitions" : " refused"));
			return;
		}
		long now = after.clock().millis();
		if (operation instanceof HistoryOperation.Schedule schedule) {
			each(schedule.tasks(), NewTask::id, (List<?>) answer, (task, repeated,
					outcome) -> count("schedule %s: %s".formatted(met(task, repeated, before), outcome)));
		}
		else if (operation instanceof HistoryOperation.Settle settle) {
			each(settle.settlements(), Settlement::taskId, (List<?>) answer,
					(its, repeated, applied) -> count("settle %s %s: %s".formatted(its.action(),
							holder(before, its.taskId(), its.token(), now, repeated), applied(applied))));
		}
		else if (operation instanceof HistoryOperation.Extend extend) {
			each(extend.extensions(), Extension::taskId, (List<?>) answer,
					(its, repeated, applied) -> count("extend %s: %s"
						.formatted(holder(before, its.taskId(), its.token(), now, repeated), applied(applied))));
		}
		else if (operation instanceof HistoryOperation.Redrive redrive) {
			each(redrive.ids(), String::toString, (List<?>) answer,
					(id, repeated, done) -> count("redrive %s: %s".formatted(state(before, id, repeated), done)));
		}
		else if (operation instanceof HistoryOperation.Claim claim) {
			claim(claim.request(), (ClaimResult) answer, before, after.image());
		}
		else {
			count(text(operation, answer, before));
		}
		for (Duration wake : after.wakes()) {
			count(kind + (wake.isZero() ? " wakes now" : " wakes later"));
		}
	}

	private String text(HistoryOperation operation, Object answer, QueueImage before) {
		if (operation instanceof HistoryOperation.Cancel cancel) {
			return "cancel %s: %s".formatted(state(before, cancel.id(), false), answer);
		}
		if (operation instanceof HistoryOperation.Reschedule reschedule) {
			return "reschedule %s: %s".formatted(state(before, reschedule.id(), false), answer);
		}
		if (operation instanceof HistoryOperation.CancelOlder cancel) {
			return "cancel by generation %s: %s".formatted(version(before, cancel.id(),
					OptionalLong.of(cancel.generation()), TaskState.SCHEDULED, TaskState.IN_FLIGHT), answer);
		}
		if (operation instanceof HistoryOperation.RescheduleVersion reschedule) {
			return "reschedule by generation %s: %s".formatted(
					version(before, reschedule.id(), OptionalLong.of(reschedule.generation()), TaskState.SCHEDULED),
					answer);
		}
		if (operation instanceof HistoryOperation.Beat) {
			return before.epoch().isEmpty() ? "beat of a new store" : "beat";
		}
		if (operation instanceof HistoryOperation.Find find) {
			return "find " + state(before, find.id(), false);
		}
		if (operation instanceof HistoryOperation.Page page) {
			return "page %s: %s".formatted(page.state(), ((List<?>) answer).isEmpty() ? "none" : "some");
		}
		if (operation instanceof HistoryOperation.Glance glance) {
			return "glance %s: %s".formatted(glance.state(), ((List<?>) answer).isEmpty() ? "none" : "some");
		}
		if (operation instanceof HistoryOperation.Purge purge) {
			return "purge %s: %s".formatted(purge.state(), answer.equals(0L) ? "none" : "some");
		}
		if (operation instanceof HistoryOperation.Clear) {
			return answer.equals(0L) ? "clear: none" : "clear: some";
		}
		if (operation instanceof HistoryOperation.Learn learn) {
			return "learn when %s%s".formatted(before.partitions().equals("1") ? "nothing is known" : "some are known",
					learn.fresh() ? ", fresh" : "");
		}
		if (operation instanceof HistoryOperation.Clock clock) {
			return clock.by().isNegative() ? "clock back" : "clock on";
		}
		return operation.kind();
	}

	private void claim(ClaimRequest request, ClaimResult result, QueueImage before, QueueImage after) {
		if (result.paused()) {
			count("claim: paused");
		}
		else {
			count("claim: " + (result.tasks().isEmpty() ? "none" : "some"));
			count("claim wakeIn " + wakeIn(result.wakeIn()));
		}
		result.tasks()
			.forEach((task) -> count(task.leaseLost() ? "claimed expired"
					: "claimed due " + task.priority() + (request.oldestFirst() ? " oldest first" : "")));
		boolean moreDue = Duration.ZERO.equals(result.wakeIn());
		limited(request, result, before);
		if (moreDue && result.tasks().size() == request.limit()) {
			count("claim limited by number");
		}
		if (moreDue && !result.tasks().isEmpty() && result.tasks().size() < request.limit()
				&& request.maxBytes() < ClaimRequest.DEFAULT_MAX_BYTES) {
			count("claim limited by bytes");
		}
		Set<String> gone = new HashSet<>(before.tasks().keySet());
		gone.removeAll(after.tasks().keySet());
		if (result.purged().size() >= MANY_TRIMMED) {
			count("claim purged many dead");
		}
		if (gone.size() - result.purged().size() >= MANY_TRIMMED) {
			count("claim forgot many completed");
		}
		if (result.leaves()) {
			count("claim leaves last chances: " + (result.tasks().isEmpty() ? "none" : "some"));
		}
		if (result.tasks().size() == TaskStore.MAX_BATCH) {
			count("claim took as many as one may");
		}
		if (!result.purged().isEmpty()) {
			count("claim purged dead");
		}
		result.purged().forEach(gone::remove);
		if (!gone.isEmpty()) {
			count("claim forgot completed");
		}
	}

	private void limited(ClaimRequest request, ClaimResult result, QueueImage before) {
		FlowLimits limits = request.limits();
		Duration wakeIn = result.wakeIn();
		boolean more = wakeIn != null && !wakeIn.isZero() && result.tasks().size() < request.limit();
		if (limits.rate() != null && limits.inFlight() == null && more && isDue(before, result)) {
			count("claim limited by rate: " + (result.tasks().isEmpty() ? "none" : "some"));
		}
		if (limits.inFlight() != null && limits.rate() == null && more && isDue(before, result)) {
			count("claim limited by what is in flight: " + (result.tasks().isEmpty() ? "none" : "some"));
		}
	}

	/** Whether more was due than was taken. */
	private static boolean isDue(QueueImage before, ClaimResult result) {
		long now = result.now().toEpochMilli();
		return before.tasks()
			.values()
			.stream()
			.filter((task) -> task.state() == TaskState.SCHEDULED && task.score() <= now)
			.count() > result.tasks().size();
	}

	private static String wakeIn(@Nullable Duration wakeIn) {
		if (wakeIn == null) {
			return "never";
		}
		return wakeIn.isZero() ? "now" : (wakeIn.compareTo(Duration.ofDays(1)) < 0) ? "later" : "a day";
	}

	private static String state(QueueImage before, String id, boolean repeated) {
		if (repeated) {
			return "REPEATED";
		}
		QueueImage.Task task = before.tasks().get(id);
		return (task != null) ? task.state().name() : "UNKNOWN";
	}

	private static String met(NewTask task, boolean repeated, QueueImage before) {
		return switch (task.onDuplicate()) {
			case REPLACE -> (task.generated() ? "GENERATED " : task.due().isDebounced() ? "DEBOUNCED " : "REPLACE ")
					+ state(before, task.id(), repeated);
			case REJECT -> "REJECT " + state(before, task.id(), repeated);
			case NEWER -> "NEWER " + version(before, task.id(), repeated, generation(task));
		};
	}

	private static OptionalLong generation(NewTask task) {
		return Generation.of(task.envelope());
	}

	/** The version only where the state does not decide alone. */
	private static String version(QueueImage before, String id, OptionalLong generation, TaskState... states) {
		QueueImage.Task task = before.tasks().get(id);
		return (task == null || !List.of(states).contains(task.state())) ? state(before, id, false)
				: version(before, id, false, generation);
	}

	/** The state, and whether what is known is older than a generation. */
	private static String version(QueueImage before, String id, boolean repeated, OptionalLong generation) {
		QueueImage.Task task = before.tasks().get(id);
		String state = state(before, id, repeated);
		if (repeated || task == null) {
			return state;
		}
		byte[] envelope = task.envelope().latin1().getBytes(StandardCharsets.ISO_8859_1);
		long known = Generation.of(envelope).orElse(-1);
		long asked = generation.orElse(-1);
		return state + ((known < asked) ? " older" : (known == asked) ? " same" : " newer");
	}

	private static String holder(QueueImage before, String id, String token, long now, boolean repeated) {
		QueueImage.Task task = before.tasks().get(id);
		if (repeated || task == null || task.deliveries() == null || task.deliveries().token() == null) {
			return state(before, id, repeated);
		}
		return token.equals(task.deliveries().token()) ? (task.score() > now) ? "HELD" : "EXPIRED" : "CLAIMED AGAIN";
	}

	private static String applied(Object flag) {
		return flag.equals(true) ? "applied" : "stale";
	}

	private <T> void each(List<T> entries, Function<T, String> id, List<?> answers, EntryCounter<T> counter) {
		Set<String> seen = new HashSet<>();
		for (int i = 0; i < entries.size(); i++) {
			counter.count(entries.get(i), !seen.add(id.apply(entries.get(i))), answers.get(i));
		}
	}

	private void count(String what) {
		this.counts.merge(what, 1L, Long::sum);
	}

	/**
	 * Count the totals of a queue at the end of a history.
	 * @param totals the totals
	 */
	void addTotals(Totals totals) {
		Map.ofEntries(Map.entry("scheduled", totals.scheduled()), Map.entry("completed", totals.completed()),
				Map.entry("retried", totals.retried()), Map.entry("buried", totals.deadLettered()),
				Map.entry("cancelled", totals.cancelled()), Map.entry("replaced", totals.replaced()),
				Map.entry("cleared", totals.cleared()), Map.entry("purged", totals.purged()),
				Map.entry("redriven", totals.redriven()), Map.entry("expired", totals.leasesLost()),
				Map.entry("stale", totals.stale()))
			.forEach((name, total) -> this.counts.merge("total " + name, total, Long::sum));
	}

	void addAll(HistoryCoverage other) {
		other.counts.forEach((what, count) -> this.counts.merge(what, count, Long::sum));
		this.steps += other.steps;
	}

	long steps() {
		return this.steps;
	}

	/**
	 * How often each thing happened.
	 * @return counts by what happened, in alphabetical order
	 */
	Map<String, Long> counts() {
		return this.counts;
	}

	/**
	 * What never happened, of what is expected.
	 * @param expected what is to happen
	 * @return what did not
	 */
	List<String> missing(Collection<String> expected) {
		return expected.stream().filter((what) -> this.counts.getOrDefault(what, 0L) == 0).toList();
	}

	@FunctionalInterface
	private interface EntryCounter<T> {

		void count(T entry, boolean repeated, Object answer);

	}

}
