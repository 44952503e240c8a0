package io.github.delayqueue.journal;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiPredicate;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.Names;
import io.github.delayqueue.ScheduleOutcome;
import io.github.delayqueue.StoreUnavailableException;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.roles.Contents;
import io.github.delayqueue.roles.DueSpan;
import io.github.delayqueue.roles.Generation;
import io.github.delayqueue.roles.QueueControl;
import io.github.delayqueue.roles.QueueView;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.Replacement;
import io.github.delayqueue.store.StoredTask;
import io.github.delayqueue.store.TaskStore;

/** Changes tasks: in the table within a transaction, in the store after its commit. */
final class TaskChanges extends JournalAccess {

	private static final Logger logger = LoggerFactory.getLogger(TaskChanges.class);

	/** More may take longer than a statement is allowed to. */
	static final int CLEARED_AT_A_TIME = 10_000;

	/** So many dead letters that somebody else holds keep no others from being purged. */
	static final int PASSED_OVER = 5000;

	TaskChanges(JournalParts parts) {
		super(parts);
	}

	boolean cancel(String queue, String taskId) {
		return change(queue, taskId, Set.of(TaskState.SCHEDULED, TaskState.IN_FLIGHT), (row, later) -> {
			if (row.dead()) {
				return false;
			}
			this.table.delete(queue, List.of(row.key()));
			later.execute(() -> this.handOver.inStore(queue,
					() -> this.store.cancel(queue, taskId, Generation.upTo(row.generation()))));
			return true;
		}, () -> this.store.cancel(queue, taskId, Generation.upTo(0)));
	}

	/** By its row, which is locked, or without one in the store. */
	private boolean change(String queue, String taskId, Set<TaskState> states, BiPredicate<Row, Executor> byRow,
			BooleanSupplier without) {
		Optional<Boolean> changed = this.transactions.write(queue,
				(later) -> this.table.lockIfThere(queue, taskId).map((row) -> byRow.test(row, later)));
		return changed.orElseGet(() -> withoutJournal(queue, taskId, states, without));
	}

	/**
	 * From before the queue had a journal. There is none as far as can be said while the
	 * store is out of reach.
	 */
	private boolean withoutJournal(String queue, String taskId, Set<TaskState> states, BooleanSupplier change) {
		if (this.handOver.isPaused(queue)) {
			return false;
		}
		try {
			AtomicBoolean changed = new AtomicBoolean(this.store.find(queue, taskId)
				.filter((task) -> Lookup.isWithoutJournal(task) && states.contains(task.state()))
				.isPresent());
			if (changed.get()) {
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
		Instant since = this.parts.clock(queue).instant();
		return change(queue, taskId, Set.of(TaskState.SCHEDULED), (row, later) -> {
			Optional<StoredTask> known = this.handOver.inStore(queue, row);
			if (row.dead() || known.filter((task) -> task.state() != TaskState.SCHEDULED).isPresent()) {
				return false;
			}
			move(queue, row, due, since, known.isPresent(), later);
			return true;
		}, () -> this.store.reschedule(queue, taskId, due));
	}

	/** Give a row that is locked another time and generation, and then the store. */
	private void move(String queue, Row row, DueTime due, Instant since, boolean known, Executor later) {
		long generation = Generation.next(row.generation(), this.clock.instant());
		Arrival moved = new Arrival(new NewTask(row.taskId(), row.envelope(), due, row.priority(), Replacement.NEWER),
				since);
		this.table.move(queue, row.taskId(), row.generation(), generation, moved.dueMillis(), due.relative(), known);
		FreshTask fresh = new FreshTask(moved, new WriteResult(ScheduleOutcome.REPLACED, generation));
		later.execute(() -> this.handOver.inStore(queue, () -> {
			DueTime remaining = fresh.remaining(this.clock.earliest());
			if (!known || !this.store.reschedule(queue, row.taskId(), remaining,
					Generation.exactly(row.generation(), generation))) {
				this.handOver.afterCommit(queue, List.of(fresh));
			}
		}));
	}

	List<Boolean> redrive(String queue, List<String> taskIds, DueSpan due) {
		Map<String, Long> delays = new HashMap<>();
		IntStream.range(0, taskIds.size())
			.forEach((i) -> delays.putIfAbsent(taskIds.get(i), due.millis(i, taskIds.size())));
		Instant since = this.parts.clock(queue).instant();
		Set<String> redriven = new HashSet<>();
		Map<String, Row> open = new HashMap<>();
		this.transactions.write(queue, (later) -> {
			redriven.clear();
			open.clear();
			List<String> told = new ArrayList<>();
			later.execute(() -> this.handOver.inStore(queue, () -> {
				List<Boolean> answers = QueueControl.of(this.store).redrive(queue, told, due);
				IntStream.range(0, told.size()).filter(answers::get).mapToObj(told::get).forEach(redriven::add);
			}));
			redriven.addAll(this.table.revive(queue, taskIds,
					(id) -> Arrival.millis(DueTime.in(Duration.ofMillis(delays.get(id))), since)));
			List<String> others = taskIds.stream().filter((id) -> !redriven.contains(id)).toList();
			open.putAll(this.table.versions(queue, others));
			// what dies from now on stays dead
			taskIds.stream().distinct().filter((id) -> !open.containsKey(id)).forEach(told::add);
			return true;
		});
		// what has died in the store alone, because its process ended, has a row that
		// says so from the next look on
		this.rechecks.some(queue, open.values().stream().map(Row::key).toList());
		return taskIds.stream().map(redriven::remove).toList();
	}

	long purge(String queue, int limit) {
		return purge(queue, Instant.MAX, () -> deleteDead(queue, limit),
				(purged) -> (purged < limit) ? QueueView.of(this.store)
					.list(queue, TaskState.DEAD, 0, limit - purged, Contents.NONE)
					.stream()
					.map(StoredTask::id)
					.toList() : List.of());
	}

	/** Of a task that has died since, the store keeps its death, and its row may go. */
	long purge(String queue, Map<String, Long> generations, Instant until) {
		List<String> ids = generations.keySet().stream().sorted().toList();
		return purge(queue, until,
				() -> this.table.deleteDead(queue, ids, (row) -> row.generation() <= generations.get(row.taskId())),
				(purged) -> ids);
	}

	/**
	 * @param others answers, by how many have been purged, ids that are meant as far as
	 * they have no row
	 */
	private long purge(String queue, Instant until, Supplier<Set<Key>> rows, IntFunction<List<String>> others) {
		AtomicBoolean told = new AtomicBoolean();
		int purged = this.transactions.write(queue, (later) -> {
			Map<String, Long> generations = rows.get().stream().collect(Collectors.toMap(Key::taskId, Key::generation));
			later.execute(() -> this.handOver.inStore(queue, () -> {
				QueueControl.of(this.store).purge(queue, TaskState.DEAD, generations, until);
				told.set(true);
			}));
			return generations.size();
		});
		// else the store has these as well, and they would be counted twice
		return told.get() ? purged + purgeUnknown(queue, until, () -> others.apply(purged)) : purged;
	}

	/** A page that others have locked, or redriven since it was found, hides no other. */
	private Set<Key> deleteDead(String queue, int limit) {
		for (int offset = 0, page = limit; offset <= PASSED_OVER; offset += page, page = TaskStore.MAX_BATCH) {
			List<Key> found = this.table.findDead(queue, offset, page);
			Set<Key> deleted = this.table.deleteDead(queue, found, limit);
			if (found.isEmpty() || !deleted.isEmpty()) {
				return deleted;
			}
		}
		return Set.of();
	}

	/**
	 * From before the queue had a journal, or left behind when the store was out of
	 * reach.
	 */
	private long purgeUnknown(String queue, Instant until, Supplier<List<String>> ids) {
		AtomicLong purged = new AtomicLong();
		this.handOver.inStore(queue, () -> {
			// whatever is scheduled from now on has a higher one
			long newest = Generation.next(-1, this.clock.instant());
			List<String> dead = ids.get();
			if (dead.isEmpty()) {
				return;
			}
			Map<String, Row> rows = this.transactions.read(queue, () -> this.table.versions(queue, dead));
			Map<String, Long> unknown = dead.stream()
				.filter((id) -> !rows.containsKey(id))
				.collect(Collectors.toMap(Function.identity(), (id) -> newest, (one, other) -> one));
			purged.set(QueueControl.of(this.store).purge(queue, TaskState.DEAD, unknown, until));
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
					cleared.set(QueueControl.of(this.store).clear(queue));
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

}
