package io.github.delayqueue.migration;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

import io.github.delayqueue.migration.MovingArea.Total;
import io.github.delayqueue.producer.ScheduleResult;
import io.github.delayqueue.store.TaskStore;

/**
 * Makes tasks of entries that have left their source. Each {@link Step} can be repeated,
 * and a record in the moving area says from which on.
 */
final class HandingOver {

	/** Most entries that are handed over at a time. */
	static final int MAX_BATCH = TaskStore.MAX_BATCH;

	private final String queue;

	private final MovingArea area;

	private final Destination destination;

	private final Consumer<Step> after;

	/**
	 * Create one.
	 * @param queue where to
	 * @param area where the records are
	 * @param destination stores the tasks
	 * @param after told after each step
	 */
	HandingOver(String queue, MovingArea area, Destination destination, Consumer<Step> after) {
		this.queue = queue;
		this.area = area;
		this.destination = destination;
		this.after = after;
	}

	void after(Step step) {
		this.after.accept(step);
	}

	/**
	 * Make tasks of entries that have not been stored, as far as is known.
	 * @param taken at most {@link #MAX_BATCH}
	 * @return how many have arrived
	 */
	long handOver(List<Taken> taken) {
		if (taken.isEmpty()) {
			return 0;
		}
		this.area.keep();
		List<ScheduleResult> results = this.destination
			.park(taken.stream().map((entry) -> entry.candidate().request()).toList());
		after(Step.PARKED);
		List<Taken> created = new ArrayList<>();
		List<Taken> others = new ArrayList<>();
		for (int i = 0; i < taken.size(); i++) {
			(results.get(i).isAccepted() ? created : others).add(taken.get(i));
		}
		long arrived = arrive(created);
		for (Taken entry : others) {
			arrived += handOverKnown(entry);
		}
		return arrived;
	}

	/** Parked before a process ended, or a task of somebody else. */
	private long handOverKnown(Taken entry) {
		if (this.destination.isParked(this.queue, entry.candidate().taskId())) {
			return arrive(List.of(entry));
		}
		this.area.drop(Total.KNOWN, List.of(entry.candidate().key()));
		return 0;
	}

	/** From here on a task may be handled, and its entry must not be parked again. */
	private long arrive(List<Taken> parked) {
		if (parked.isEmpty()) {
			return 0;
		}
		List<String> arrived = new ArrayList<>();
		List<Boolean> marked = mark(parked);
		for (int i = 0; i < parked.size(); i++) {
			Taken entry = parked.get(i);
			if (marked.get(i)) {
				this.destination.release(this.queue, entry.candidate().taskId(), entry.dueAt());
				arrived.add(entry.candidate().key());
			}
			else {
				removeIfForgotten(entry.candidate());
			}
		}
		after(Step.RELEASED);
		return drop(arrived);
	}

	private List<Boolean> mark(List<Taken> parked) {
		Map<String, String> tasks = new LinkedHashMap<>();
		parked.forEach((entry) -> tasks.put(entry.candidate().key(), entry.candidate().taskId()));
		try {
			List<Boolean> marked = this.area.mark(tasks);
			after(Step.MARKED);
			return marked;
		}
		catch (LockLostException ex) {
			parked.forEach((entry) -> removeIfForgotten(entry.candidate()));
			throw ex;
		}
	}

	/**
	 * Whoever has moved the entry meanwhile has dropped its record. Then it will release
	 * nothing any more, and what has been parked here since is one too many.
	 */
	private void removeIfForgotten(Candidate candidate) {
		if (!this.area.contains(candidate.key())) {
			this.destination.remove(this.queue, candidate.taskId());
		}
	}

	/**
	 * Go on with entries whose tasks have been stored.
	 * @param records their records
	 * @param dueAt when the task of a record is due
	 * @return how many have arrived
	 */
	long resume(List<MovingRecord> records, Function<MovingRecord, Instant> dueAt) {
		List<String> arrived = new ArrayList<>();
		for (MovingRecord record : records) {
			this.destination.release(this.queue, record.taskId(), dueAt.apply(record));
			arrived.add(record.key());
		}
		return drop(arrived);
	}

	private long drop(List<String> keys) {
		if (keys.isEmpty()) {
			return 0;
		}
		long dropped = this.area.drop(Total.MOVED, keys);
		after(Step.DROPPED);
		return dropped;
	}

}
