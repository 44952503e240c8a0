package io.github.delayqueue.journal;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.DuplicatePolicy;
import io.github.delayqueue.Names;
import io.github.delayqueue.StoreUnavailableException;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.store.Condition;
import io.github.delayqueue.store.Contents;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.Generation;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.StoredTask;
import io.github.delayqueue.store.TaskStore;

/**
 * Changes of tasks of queues with a journal: in the table within a transaction, in the
 * store after its commit. Thread-safe.
 */
final class TaskChanges {

	private static final Logger logger = LoggerFactory.getLogger(TaskChanges.class);

	/** More may take longer than a statement is allowed to. */
	static final int CLEARED_AT_A_TIME = 10_000;

	private final TaskStore store;

	private final JournalTable table;

	private final Transactions transactions;

	private final HandOver handOver;

	private final Rechecks rechecks;

	private final Clock clock;

	TaskChanges(JournalParts parts) {
		this.store = parts.store();
		this.table = parts.table();
		this.transactions = parts.transactions();
		this.handOver = parts.handOver();
		this.rechecks = parts.rechecks();
		this.clock = parts.journal().clock();
	}

	boolean cancel(String queue, String taskId) {
		Optional<Boolean> byRow = this.transactions.write(queue, (later) -> {
			Optional<Row> row = this.table.lock(queue, taskId);
			if (row.isEmpty()) {
				return Optional.empty();
			}
			if (row.get().dead()) {
				return Optional.of(false);
			}
			Key key = new Key(taskId, row.get().generation());
			this.table.delete(queue, List.of(key));
			later.execute(
					() -> inStore(queue, () -> this.store.cancel(queue, taskId, Condition.upTo(key.generation()))));
			return Optional.of(true);
		});
		return byRow.orElseGet(() -> withoutJournal(queue, taskId, Set.of(TaskState.SCHEDULED, TaskState.IN_FLIGHT),
				() -> this.store.cancel(queue, taskId, Condition.upTo(0))));
	}

	/**
	 * Change a task from before the queue had a journal. There is none as far as can be
	 * said while the store is out of reach: most tasks without a row have been handled.
	 */
	private boolean withoutJournal(String queue, String taskId, Set<TaskState> states, BooleanSupplier change) {
		if (this.handOver.isPaused(queue)) {
			return false;
		}
		try {
			boolean possible = this.store.find(queue, taskId)
				.filter((task) -> Lookup.isWithoutJournal(task) && states.contains(task.state()))
				.isPresent();
			AtomicBoolean changed = new AtomicBoolean(possible);
			if (possible) {
				this.transactions.afterCommit(() -> changed.set(change.getAsBoolean()));
			}
			return changed.get();
		}
		catch (StoreUnavailableException ex) {
			logger.debug("It is not known whether task '{}' of queue '{}' is from before the journal",
					Names.printable(taskId), queue, ex);
			return false;
		}
	}

	boolean reschedule(String queue, String taskId, DueTime due) {
		Instant since = this.clock.instant();
		Optional<Boolean> byRow = this.transactions.write(queue, (later) -> {
			Optional<Row> locked = this.table.lock(queue, taskId);
			if (locked.isEmpty()) {
				return Optional.empty();
			}
			Row row = locked.get();
			Optional<StoredTask> known = inStore(queue, row);
			if (row.dead() || known.filter((task) -> task.state() != TaskState.SCHEDULED).isPresent()) {
				return Optional.of(false);
			}
			long generation = Generation.next(row.generation(), this.clock.instant());
			Arrival moved = new Arrival(new NewTask(taskId, row.envelope(), due, row.priority(), DuplicatePolicy.NEWER),
					since);
			this.table.move(queue, taskId, row.generation(), generation, moved.dueMillis(), known.isPresent());
			FreshTask fresh = new FreshTask(moved, generation);
			later.execute(() -> inStore(queue, () -> move(queue, fresh, known.isPresent(), row.generation())));
			return Optional.of(true);
		});
		return byRow.orElseGet(() -> withoutJournal(queue, taskId, Set.of(TaskState.SCHEDULED),
				() -> this.store.reschedule(queue, taskId, due)));
	}

	/**
	 * The task as the store has it, if it is of the generation of the row: an older one
	 * may have another content, and must not be given the new generation. If the store
	 * cannot be asked, the row has the say.
	 */
	private Optional<StoredTask> inStore(String queue, Row row) {
		boolean mayBeHanded = row.dueMillis() <= this.handOver.untilMillis();
		if (!mayBeHanded || this.handOver.isPaused(queue)) {
			return Optional.empty();
		}
		try {
			return this.store.find(queue, row.taskId()).filter((task) -> Lookup.generation(task) == row.generation());
		}
		catch (RuntimeException ex) {
			this.handOver.failed(queue, 1, ex);
			return Optional.empty();
		}
	}

	private void move(String queue, FreshTask task, boolean known, long expected) {
		DueTime due = task.remaining(this.clock.instant());
		if (!known || !this.store.reschedule(queue, task.arrival().taskId(), due,
				Condition.exactly(expected, task.generation()))) {
			this.handOver.afterCommit(queue, List.of(task));
		}
	}

	List<Boolean> redrive(String queue, List<String> taskIds) {
		AtomicReference<List<Boolean>> redriven = new AtomicReference<>();
		Set<String> revived = this.transactions.write(queue, (later) -> {
			Set<String> dead = new HashSet<>(this.table.dead().revive(queue, taskIds, this.clock.millis()));
			later.execute(() -> inStore(queue, () -> redriven.set(this.store.redrive(queue, taskIds))));
			return dead;
		});
		List<Boolean> inStore = redriven.get();
		List<Boolean> answer = new ArrayList<>(taskIds.size());
		for (int i = 0; i < taskIds.size(); i++) {
			// only the first time that it is named
			boolean byRow = revived.remove(taskIds.get(i));
			answer.add(byRow || (inStore != null && inStore.get(i)));
		}
		return answer;
	}

	long purgeDead(String queue, int limit) {
		return purgeDead(queue, Instant.MAX, () -> deleteDead(queue, limit),
				(purged) -> (purged < limit) ? this.store.list(queue, TaskState.DEAD, 0, limit - purged, Contents.NONE)
					.stream()
					.map(StoredTask::id)
					.toList() : List.of());
	}

	/** Of a task that has died since, the store keeps its death, and its row may go. */
	long purgeDead(String queue, Map<String, Long> generations, Instant until) {
		List<String> ids = generations.keySet().stream().sorted().toList();
		return purgeDead(queue, until,
				() -> this.table.dead()
					.delete(queue,
							this.table.versions(queue, ids)
								.values()
								.stream()
								.filter((row) -> row.dead() && row.generation() <= generations.get(row.taskId()))
								.map(Row::key)
								.toList()),
				(purged) -> ids);
	}

	/**
	 * Purge dead tasks.
	 * @param until by when they have died in the store
	 * @param rows deletes the rows of those that are meant
	 * @param others answers, by how many have been purged, ids of tasks that are meant as
	 * far as they have no row
	 */
	private long purgeDead(String queue, Instant until, Supplier<Set<Key>> rows, IntFunction<List<String>> others) {
		AtomicBoolean committed = new AtomicBoolean();
		int purged = this.transactions.write(queue, (later) -> {
			Map<String, Long> generations = rows.get().stream().collect(Collectors.toMap(Key::taskId, Key::generation));
			later.execute(() -> inStore(queue, () -> this.store.purge(queue, TaskState.DEAD, generations, until)));
			later.execute(() -> committed.set(true));
			return generations.size();
		});
		return committed.get() ? purged + purgeUnknown(queue, until, () -> others.apply(purged)) : purged;
	}

	/** A page that others have locked, or redriven since it was found, hides no other. */
	private Set<Key> deleteDead(String queue, int limit) {
		for (int offset = 0;; offset += limit) {
			List<Key> found = this.table.dead().find(queue, offset, limit);
			Set<Key> deleted = this.table.dead().delete(queue, found);
			if (found.isEmpty() || !deleted.isEmpty()) {
				return deleted;
			}
		}
	}

	/**
	 * Dead tasks without a row: from before the queue had a journal, or left behind when
	 * the store was out of reach.
	 */
	private long purgeUnknown(String queue, Instant until, Supplier<List<String>> ids) {
		AtomicLong purged = new AtomicLong();
		inStore(queue, () -> {
			// whatever is scheduled from now on has a higher one
			long newest = Generation.next(-1, this.clock.instant());
			List<String> dead = ids.get();
			if (dead.isEmpty()) {
				return;
			}
			Set<String> rows = this.transactions.read(queue, () -> this.table.versions(queue, dead)).keySet();
			purged.set(this.store.purge(queue, TaskState.DEAD,
					dead.stream()
						.filter((id) -> !rows.contains(id))
						.collect(Collectors.toMap(Function.identity(), (id) -> newest, (one, other) -> one)),
					until));
		});
		return purged.get();
	}

	long clear(String queue) {
		long rows = 0;
		long some;
		do {
			// in the transaction of the caller, if there is one
			some = this.transactions.write(queue, (later) -> this.table.clear(queue, CLEARED_AT_A_TIME));
			rows += some;
		}
		while (some > CLEARED_AT_A_TIME / 2);
		AtomicLong cleared = new AtomicLong();
		rows += this.transactions.write(queue, (later) -> {
			long deleted = this.table.clear(queue);
			later.execute(() -> {
				this.handOver.await(queue);
				try {
					cleared.set(this.store.clear(queue));
				}
				finally {
					// what others have scheduled since the commit may have gone with it
					this.rechecks.want(queue);
				}
			});
			return deleted;
		});
		if (this.transactions.isNoneAround()) {
			this.rechecks.wanted(queue);
		}
		return Math.max(rows, cleared.get());
	}

	/** What fails here is made up for by claims and loaders: the table has the say. */
	private void inStore(String queue, Runnable step) {
		if (this.handOver.isPaused(queue)) {
			return;
		}
		this.handOver.await(queue);
		try {
			step.run();
		}
		catch (RuntimeException ex) {
			this.handOver.failed(queue, 1, ex);
		}
	}

}
