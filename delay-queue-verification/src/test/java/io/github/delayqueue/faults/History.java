package io.github.delayqueue.faults;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * What happened in a run, as all processes wrote it down.
 */
public final class History {

	final Map<TaskKey, TaskHistory> tasks = new LinkedHashMap<>();

	/** By id. */
	final Map<String, RecurringHistory> recurring = new LinkedHashMap<>();

	final List<FaultSpan> faults = new ArrayList<>();

	/**
	 * When processes could not run, or Redis did not answer, though nobody stopped them.
	 */
	final List<FaultSpan> stalls = new ArrayList<>();

	final ServerClock clock = new ServerClock();

	/** When processes ended without having been asked to, by their names. */
	final Map<String, Long> ends = new HashMap<>();

	/** What was dead in the end. */
	final List<DeadTask> dead = new ArrayList<>();

	/** How many completed tasks were kept. */
	final List<Kept> kept = new ArrayList<>();

	/** Totals of the queues in the end. */
	final Map<String, Totals> totals = new LinkedHashMap<>();

	/** Keys that were left in the end. */
	final List<String> keys = new ArrayList<>();

	/** What was found during the run. */
	final List<String> violations = new ArrayList<>();

	/** Whether the run came to its end. */
	boolean complete;

	/** Whether a database has the tasks, so that its rows have the say. */
	boolean journaled;

	/** How long it took until everything was handled, in milliseconds. */
	long drainMillis;

	/** By queue, when its handlings began. */
	private final Map<String, long[]> begun = new HashMap<>();

	private @Nullable Disturbances disturbances;

	/** Of the history as a whole: to be asked for when it is complete. */
	Disturbances disturbances() {
		if (this.disturbances == null) {
			this.disturbances = new Disturbances(this);
		}
		return this.disturbances;
	}

	/** Whether Redis forgot something, its totals included. */
	boolean hasLosses() {
		return this.faults.stream().anyMatch((fault) -> fault.kind().costsTasks());
	}

	/**
	 * When the last handling of a queue began by some time, zero if none did: to be asked
	 * for when the history is complete.
	 */
	long lastBegun(String queue, long at) {
		long[] begun = this.begun.computeIfAbsent(queue,
				(name) -> handlings().filter((handling) -> handling.task.queue().equals(name))
					.mapToLong((handling) -> handling.from)
					.sorted()
					.toArray());
		int place = Arrays.binarySearch(begun, at + 1);
		int before = (place < 0) ? -place - 1 : place;
		while (before > 0 && begun[before - 1] > at) {
			before--;
		}
		return (before > 0) ? begun[before - 1] : 0;
	}

	Stream<Call> calls() {
		return this.tasks.values().stream().flatMap((task) -> task.calls.stream());
	}

	Stream<Handling> handlings() {
		return this.tasks.values().stream().flatMap((task) -> task.handlings.stream());
	}

	TaskHistory task(TaskKey key) {
		return this.tasks.computeIfAbsent(key, TaskHistory::new);
	}

	/**
	 * A task that was dead in the end.
	 *
	 * @param task the task
	 * @param send the call that had scheduled it
	 * @param reason why it died
	 */
	record DeadTask(TaskKey task, String send, String reason) {

	}

	/**
	 * How many completed tasks were kept at a time.
	 *
	 * @param at when, by the machine's clock
	 * @param count how many
	 */
	record Kept(long at, long count) {

	}

	/**
	 * Totals of a queue, see {@link io.github.delayqueue.QueueStats.Totals}.
	 */
	record Totals(long scheduled, long completed, long cancelled, long replaced, long purged, long leasesLost,
			long stale, long retried) {

	}

}
