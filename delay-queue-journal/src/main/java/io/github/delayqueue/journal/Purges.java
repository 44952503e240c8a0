package io.github.delayqueue.journal;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.github.delayqueue.TaskState;
import io.github.delayqueue.store.Contents;
import io.github.delayqueue.store.Generation;
import io.github.delayqueue.store.StoredTask;
import io.github.delayqueue.store.TaskStore;

/**
 * Purges dead tasks of queues with a journal: the table says which are dead, except those
 * that only the store has. Thread-safe.
 */
record Purges(JournalParts parts) {

	/** So many dead tasks that somebody else holds keep no others from being purged. */
	static final int PASSED_OVER = 5000;

	long purge(String queue, int limit) {
		return purge(queue, Instant.MAX, () -> deleteDead(queue, limit),
				(purged) -> (purged < limit) ? this.parts.store()
					.list(queue, TaskState.DEAD, 0, limit - purged, Contents.NONE)
					.stream()
					.map(StoredTask::id)
					.toList() : List.of());
	}

	/** Of a task that has died since, the store keeps its death, and its row may go. */
	long purge(String queue, Map<String, Long> generations, Instant until) {
		List<String> ids = generations.keySet().stream().sorted().toList();
		return purge(queue, until,
				() -> this.parts.table()
					.deleteDead(queue, ids, (row) -> row.generation() <= generations.get(row.taskId())),
				(purged) -> ids);
	}

	/**
	 * Purge dead tasks.
	 * @param until by when they have died in the store
	 * @param rows deletes the rows of those that are meant
	 * @param others answers, by how many have been purged, ids of tasks that are meant as
	 * far as they have no row
	 */
	private long purge(String queue, Instant until, Supplier<Set<Key>> rows, IntFunction<List<String>> others) {
		AtomicBoolean told = new AtomicBoolean();
		int purged = this.parts.transactions().write(queue, (later) -> {
			Map<String, Long> generations = rows.get().stream().collect(Collectors.toMap(Key::taskId, Key::generation));
			later.execute(() -> this.parts.handOver().inStore(queue, () -> {
				this.parts.store().purge(queue, TaskState.DEAD, generations, until);
				told.set(true);
			}));
			return generations.size();
		});
		// else the store has these as well, and they would be counted twice
		return told.get() ? purged + purgeUnknown(queue, until, () -> others.apply(purged)) : purged;
	}

	/**
	 * A page that others have locked, or redriven since it was found, hides no other. The
	 * next ones are large, so that there are few.
	 */
	private Set<Key> deleteDead(String queue, int limit) {
		JournalTable table = this.parts.table();
		int page = limit;
		for (int offset = 0; offset <= PASSED_OVER; offset += page, page = TaskStore.MAX_BATCH) {
			List<Key> found = table.findDead(queue, offset, page);
			Set<Key> deleted = table.deleteDead(queue, found, limit);
			if (found.isEmpty() || !deleted.isEmpty()) {
				return deleted;
			}
		}
		return Set.of();
	}

	/**
	 * Dead tasks without a row: from before the queue had a journal, or left behind when
	 * the store was out of reach.
	 */
	private long purgeUnknown(String queue, Instant until, Supplier<List<String>> ids) {
		AtomicLong purged = new AtomicLong();
		this.parts.handOver().inStore(queue, () -> {
			// whatever is scheduled from now on has a higher one
			long newest = Generation.next(-1, this.parts.clock().instant());
			List<String> dead = ids.get();
			if (dead.isEmpty()) {
				return;
			}
			Set<String> rows = this.parts.transactions()
				.read(queue, () -> this.parts.table().versions(queue, dead))
				.keySet();
			purged.set(
					this.parts.store()
						.purge(queue, TaskState.DEAD, dead.stream()
							.filter((id) -> !rows.contains(id))
							.collect(Collectors.toMap(Function.identity(), (id) -> newest, (one, other) -> one)),
								until));
		});
		return purged.get();
	}

}
