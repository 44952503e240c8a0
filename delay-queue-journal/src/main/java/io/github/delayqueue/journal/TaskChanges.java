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
import io.github.delayqueue.roles.QueueControl;
import io.github.delayqueue.roles.QueueView;
import io.github.delayqueue.store.Condition;
import io.github.delayqueue.roles.Contents;
import io.github.delayqueue.roles.DueSpan;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.Generation;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.Replacement;
import io.github.delayqueue.store.StoredTask;
import io.github.delayqueue.store.TaskStore;

/**
 * Changes of tasks of queues with a journal: in the table within a transaction, in the
 * store after its commit. Thread-safe.
 */
record TaskChanges(JournalParts parts) {

	private static final Logger logger = LoggerFactory.getLogger(TaskChanges.class);

	/** More may take longer than a statement is allowed to. */
	static final int CLEARED_AT_A_TIME = 10_000;

	/** So many dead letters that somebody else holds keep no others from being purged. */
	static final int PASSED_OVER = 5000;

	boolean cancel(String queue, String taskId) {
		return change(queue, taskId, Set.of(TaskState.SCHEDULED, TaskState.IN_FLIGHT), (row, later) -> {
			if (row.dead()) {
				return false;
			}
			this.parts.table().delete(queue, List.of(row.key()));
			later.execute(() -> this.parts.handOver()
				.inStore(queue, () -> this.parts.store().cancel(queue, taskId, Condition.upTo(row.generation()))));
			return true;
		}, () -> this.parts.store().cancel(queue, taskId, Condition.upTo(0)));
	}

	/** By its row, which is locked, or without one in the store. */
	private boolean change(String queue, String taskId, Set<TaskState> states, BiPredicate<Row, Executor> byRow,
			BooleanSupplier without) {
		Optional<Boolean> changed = this.parts.transactions()
			.write(queue,
					(later) -> this.parts.table().lockIfThere(queue, taskId).map((row) -> byRow.test(row, later)));
		return changed.orElseGet(() -> withoutJournal(queue, taskId, states, without));
	}

	/**
	 * Change a task from before the queue had a journal. There is none as far as can be
	 * said while the store is out of reach: most tasks without a row have been handled.
	 */
	private boolean withoutJournal(String queue, String taskId, Set<TaskState> states, BooleanSupplier change) {
		if (this.parts.handOver().isPaused(queue)) {
			return false;
		}
		try {
			AtomicBoolean changed = new AtomicBoolean(this.parts.store()
				.find(queue, taskId)
				.filter((task) -> Lookup.isWithoutJournal(task) && states.contains(task.state()))
				.isPresent());
			if (changed.get()) {
				this.parts.transactions().afterCommit(() -> changed.set(change.getAsBoolean()));
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
			Optional<StoredTask> known = this.parts.handOver().inStore(queue, row);
			if (row.dead() || known.filter((task) -> task.state() != TaskState.SCHEDULED).isPresent()) {
				return false;
			}
			move(queue, row, due, since, known.isPresent(), later);
			return true;
		}, () -> this.parts.store().reschedule(queue, taskId, due));
	}

	/** Give a row that is locked another time and generation, and then the store. */
	private void move(String queue, Row row, DueTime due, Instant since, boolean known, Executor later) {
		long generation = Generation.next(row.generation(), this.parts.clock().instant());
		Arrival moved = new Arrival(new NewTask(row.taskId(), row.envelope(), due, row.priority(), Replacement.NEWER),
				since);
		this.parts.table()
			.move(queue, row.taskId(), row.generation(), generation, moved.dueMillis(), due.relative(), known);
		FreshTask fresh = new FreshTask(moved, new WriteResult(ScheduleOutcome.REPLACED, generation));
		later.execute(() -> this.parts.handOver().inStore(queue, () -> {
			DueTime remaining = fresh.remaining(this.parts.clock().earliest());
			if (!known || !this.parts.store()
				.reschedule(queue, row.taskId(), remaining, Condition.exactly(row.generation(), generation))) {
				this.parts.handOver().afterCommit(queue, List.of(fresh));
			}
		}));
	}

	List<Boolean> redrive(String queue, List<String> taskIds, DueSpan due) {
		Map<String, Long> delays = new HashMap<>();
		IntStream.range(0, taskIds.size())
			.forEach((i) -> delays.putIfAbsent(taskIds.get(i), due.millis(i, taskIds.size())));
		Instant since = this.parts.clock(queue).instant();
		Set<String> unmarked = unmarked(queue, taskIds);
		Set<String> redriven = new HashSet<>();
		this.parts.transactions().write(queue, (later) -> {
			redriven.clear();
			List<String> told = new ArrayList<>();
			later.execute(() -> this.parts.handOver().inStore(queue, () -> {
				List<Boolean> answers = QueueControl.of(this.parts.store()).redrive(queue, told, due);
				IntStream.range(0, told.size()).filter(answers::get).mapToObj(told::get).forEach(redriven::add);
			}));
			// as everybody locks rows, so that two do not wait for each other
			List<String> ordered = taskIds.stream().distinct().sorted().toList();
			List<List<String>> batches = unmarked.isEmpty() ? List.of(ordered)
					: ordered.stream().map(List::of).toList();
			for (List<String> batch : batches) {
				batch.stream()
					.filter(unmarked::contains)
					.filter((id) -> reviveUnmarked(queue, id, Duration.ofMillis(delays.get(id)), later))
					.forEach(redriven::add);
				redriven.addAll(this.parts.table()
					.revive(queue, batch,
							(id) -> Arrival.millis(DueTime.in(Duration.ofMillis(delays.get(id))), since)));
			}
			List<String> others = taskIds.stream().filter((id) -> !redriven.contains(id)).toList();
			Set<String> open = this.parts.table().versions(queue, others).keySet();
			// what dies from now on stays dead
			taskIds.stream().distinct().filter((id) -> !open.contains(id)).forEach(told::add);
			return true;
		});
		return taskIds.stream().map(redriven::remove).toList();
	}

	/**
	 * Which tasks are dead in the store, and by their rows not yet. Seen before any row
	 * is locked, as the store may take its time.
	 */
	private Set<String> unmarked(String queue, List<String> taskIds) {
		return this.parts.transactions()
			.read(queue, () -> this.parts.table().versions(queue, taskIds))
			.values()
			.stream()
			.filter((row) -> !row.dead() && isDead(queue, row))
			.map(Row::taskId)
			.collect(Collectors.toSet());
	}

	/**
	 * Revive such a task if it is still so: with another generation, so that whoever is
	 * about to note the death does not. Its row is locked from then on.
	 */
	private boolean reviveUnmarked(String queue, String taskId, Duration delay, Executor later) {
		Optional<Row> locked = this.parts.table()
			.lock(queue, taskId)
			.filter((row) -> !row.dead() && isDead(queue, row));
		locked.ifPresent((row) -> move(queue, row, DueTime.in(delay), this.parts.clock().instant(), true, later));
		return locked.isPresent();
	}

	private boolean isDead(String queue, Row row) {
		return this.parts.handOver().inStore(queue, row).filter((task) -> task.state() == TaskState.DEAD).isPresent();
	}

	long purge(String queue, int limit) {
		return purge(queue, Instant.MAX, () -> deleteDead(queue, limit),
				(purged) -> (purged < limit) ? QueueView.of(this.parts.store())
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
	 * Purge dead letters: the table says which are dead, except those that only the store
	 * has.
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
				QueueControl.of(this.parts.store()).purge(queue, TaskState.DEAD, generations, until);
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
		for (int offset = 0, page = limit; offset <= PASSED_OVER; offset += page, page = TaskStore.MAX_BATCH) {
			List<Key> found = this.parts.table().findDead(queue, offset, page);
			Set<Key> deleted = this.parts.table().deleteDead(queue, found, limit);
			if (found.isEmpty() || !deleted.isEmpty()) {
				return deleted;
			}
		}
		return Set.of();
	}

	/**
	 * Dead letters without a row: from before the queue had a journal, or left behind
	 * when the store was out of reach.
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
			Map<String, Row> rows = this.parts.transactions()
				.read(queue, () -> this.parts.table().versions(queue, dead));
			Map<String, Long> unknown = dead.stream()
				.filter((id) -> !rows.containsKey(id))
				.collect(Collectors.toMap(Function.identity(), (id) -> newest, (one, other) -> one));
			purged.set(QueueControl.of(this.parts.store()).purge(queue, TaskState.DEAD, unknown, until));
		});
		return purged.get();
	}

	long clear(String queue) {
		long rows = 0;
		long some;
		do {
			// in the transaction of the caller, if there is one
			some = this.parts.transactions()
				.write(queue, (later) -> this.parts.table().clear(queue, CLEARED_AT_A_TIME));
			rows += some;
		}
		while (some > CLEARED_AT_A_TIME / 2);
		AtomicLong cleared = new AtomicLong();
		rows += this.parts.transactions().write(queue, (later) -> {
			long deleted = this.parts.table().clear(queue);
			later.execute(() -> {
				this.parts.handOver().await(queue);
				try {
					cleared.set(QueueControl.of(this.parts.store()).clear(queue));
				}
				finally {
					// what others have scheduled since the commit may have gone with it
					this.parts.rechecks().want(queue);
				}
			});
			return deleted;
		});
		if (this.parts.transactions().isNoneAround()) {
			this.parts.rechecks().wanted(queue);
		}
		return Math.max(rows, cleared.get());
	}

}
