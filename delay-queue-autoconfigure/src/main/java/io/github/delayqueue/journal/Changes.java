package io.github.delayqueue.journal;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
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
import java.util.function.Supplier;
import java.util.stream.Collectors;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.Names;
import io.github.delayqueue.StoreUnavailableException;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.journal.HandOver.Fresh;
import io.github.delayqueue.journal.SharedWrites.Arrival;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.DuplicatePolicy;
import io.github.delayqueue.store.Generation;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.ScheduleOutcome;
import io.github.delayqueue.store.StoredTask;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.store.VersionedTaskStore;

/**
 * Changes of queues with a journal that producers ask for: in the table within a
 * transaction, in the store after its commit. Thread-safe.
 */
final class Changes {

	private static final Logger logger = LoggerFactory.getLogger(Changes.class);

	/** More may take longer than a statement is allowed to. */
	static final int CLEARED_AT_A_TIME = 10_000;

	/** With fewer there are hardly more to come. */
	private static final int WORTH_A_THREAD = TaskStore.MAX_BATCH / 2;

	private final VersionedTaskStore store;

	private final JournalTable table;

	private final Transactions transactions;

	private final Rechecks rechecks;

	private final HandOver handOver;

	private final Journal journal;

	private final Clock clock;

	private final SharedWrites shared = new SharedWrites(this::writeTogether);

	private final WritesAhead ahead = new WritesAhead();

	Changes(VersionedTaskStore store, JournalTable table, Transactions transactions, Rechecks rechecks,
			HandOver handOver, Journal journal) {
		this.store = store;
		this.table = table;
		this.transactions = transactions;
		this.rechecks = rechecks;
		this.handOver = handOver;
		this.journal = journal;
		this.clock = journal.clock();
	}

	List<ScheduleOutcome> schedule(String queue, List<NewTask> tasks) {
		return schedule(queue, tasks, this.clock.instant());
	}

	/**
	 * The same, with something to be done while the tasks are being written, if they are
	 * many and new.
	 */
	Supplier<List<ScheduleOutcome>> scheduleAhead(String queue, List<NewTask> tasks) {
		Instant since = this.clock.instant();
		if (tasks.size() >= WORTH_A_THREAD && this.transactions.isNoneAround()
				&& tasks.stream().allMatch(Changes::isNew)) {
			return this.ahead.write(() -> schedule(queue, tasks, since));
		}
		List<ScheduleOutcome> outcomes = schedule(queue, tasks, since);
		return () -> outcomes;
	}

	WritesAhead ahead() {
		return this.ahead;
	}

	private List<ScheduleOutcome> schedule(String queue, List<NewTask> tasks, Instant since) {
		if (tasks.size() == 1 && isNew(tasks.get(0)) && this.transactions.isNoneAround()
				&& this.table.writesAtOnce(tasks)) {
			requireMarkable(queue, tasks.get(0));
			this.shared.write(queue, new Arrival(tasks.get(0), since));
			return List.of(ScheduleOutcome.CREATED);
		}
		tasks.forEach((task) -> requireMarkable(queue, task));
		Map<String, StoredTask> known = knownToStoreOnly(queue, tasks);
		return this.transactions.write(queue, this.table.writesAtOnce(tasks), (later) -> {
			ScheduleOutcome[] outcomes = new ScheduleOutcome[tasks.size()];
			List<Fresh> fresh = new ArrayList<>(tasks.size());
			List<Integer> left = new ArrayList<>(tasks.size());
			for (int i = 0; i < tasks.size(); i++) {
				left.add(i);
			}
			// an id that comes again is seen again
			while (!left.isEmpty()) {
				left = schedule(queue, tasks, left, since, known, outcomes, fresh);
			}
			later.run(() -> this.handOver.afterCommit(queue, fresh));
			return List.of(outcomes);
		});
	}

	/** What several threads have come with, none of them in a transaction. */
	private void writeTogether(String queue, List<Arrival> arrivals) {
		this.transactions.write(queue, true, (later) -> {
			List<Entry> entries = arrivals.stream().map((arrival) -> entry(arrival.task(), arrival.since())).toList();
			List<Written> written = this.table.write(queue, entries);
			List<Fresh> fresh = new ArrayList<>(arrivals.size());
			for (int i = 0; i < arrivals.size(); i++) {
				Arrival arrival = arrivals.get(i);
				fresh.add(new Fresh(arrival.task(), written.get(i).generation(), entries.get(i).dueMillis(),
						arrival.since()));
			}
			later.run(() -> this.handOver.afterCommit(queue, fresh));
			return true;
		});
	}

	private List<Integer> schedule(String queue, List<NewTask> tasks, List<Integer> positions, Instant since,
			Map<String, StoredTask> known, ScheduleOutcome[] outcomes, List<Fresh> fresh) {
		Set<String> seen = new HashSet<>();
		List<Integer> now = new ArrayList<>(positions.size());
		List<Integer> again = new ArrayList<>();
		List<Entry> entries = new ArrayList<>(positions.size());
		boolean[] completed = new boolean[tasks.size()];
		// of what was completed, perhaps scheduled by a clock that was ahead
		long above = -1;
		for (int i : positions) {
			NewTask task = tasks.get(i);
			if (!seen.add(task.id())) {
				again.add(i);
				continue;
			}
			StoredTask former = known.get(task.id());
			completed[i] = former != null;
			above = Math.max(above, (former != null) ? generation(former) : -1);
			if (completed[i] && task.onDuplicate() == DuplicatePolicy.REJECT) {
				outcomes[i] = ScheduleOutcome.REJECTED;
				continue;
			}
			now.add(i);
			entries.add(entry(task, since));
		}
		List<Written> written = entries.isEmpty() ? List.of() : this.table.write(queue, entries, above);
		for (int n = 0; n < now.size(); n++) {
			int i = now.get(n);
			ScheduleOutcome outcome = written.get(n).outcome();
			outcomes[i] = isNew(tasks.get(i)) ? ScheduleOutcome.CREATED
					: (completed[i] && outcome == ScheduleOutcome.CREATED) ? ScheduleOutcome.REPLACED : outcome;
			if (outcome != ScheduleOutcome.REJECTED) {
				fresh.add(new Fresh(tasks.get(i), written.get(n).generation(), entries.get(n).dueMillis(), since));
			}
		}
		return again;
	}

	private static void requireMarkable(String queue, NewTask task) {
		if (!Generation.isMarkable(task.envelope())) {
			throw new DelayQueueException(queue, task.id(),
					"The envelope of a task in a queue with a journal has to be a JSON object");
		}
	}

	private static Entry entry(NewTask task, Instant since) {
		return new Entry(task.id(), task.envelope(), dueMillis(task.due(), since), task.priority(), task.onDuplicate(),
				isNew(task));
	}

	private static boolean isNew(NewTask task) {
		return task.generated() && task.onDuplicate() != DuplicatePolicy.REJECT;
	}

	/**
	 * The tasks of these ids that the store has and the journal has not: those that are
	 * completed and kept, or from before the queue had a journal. If the store is out of
	 * reach, there are none as far as the journal knows. What is not to be scheduled
	 * twice within the time that completed tasks are kept is another matter, unless it
	 * has a row.
	 */
	private Map<String, StoredTask> knownToStoreOnly(String queue, List<NewTask> tasks) {
		boolean kept = this.journal.keepsCompleted(queue);
		Map<String, StoredTask> known = new HashMap<>();
		Set<String> asked = new HashSet<>();
		Set<String> doubtful = new HashSet<>();
		StoreUnavailableException away = null;
		for (NewTask task : tasks) {
			boolean reject = task.onDuplicate() == DuplicatePolicy.REJECT;
			boolean needed = kept && reject;
			if (task.generated() || !(kept || reject) || !asked.add(task.id())) {
				continue;
			}
			try {
				if (away == null && (needed || !this.handOver.isPaused(queue))) {
					this.store.find(queue, task.id())
						.filter((found) -> found.state() == TaskState.COMPLETED || isWithoutJournal(found))
						.ifPresent((found) -> known.put(task.id(), found));
				}
			}
			catch (StoreUnavailableException ex) {
				away = ex;
			}
			if (away != null && needed) {
				doubtful.add(task.id());
			}
		}
		if (away != null && !doubtful.isEmpty()
				&& this.transactions.read(queue, () -> this.table.versions(queue, doubtful)).size() < doubtful.size()) {
			throw away;
		}
		return known;
	}

	private static boolean isWithoutJournal(StoredTask task) {
		return generation(task) < 0;
	}

	private static long generation(StoredTask task) {
		return (task.envelope() != null) ? Generation.of(task.envelope()).orElse(-1) : -1;
	}

	/** By the row, and by the store, a delay counts from when the caller came. */
	private static long dueMillis(DueTime due, Instant since) {
		return due.resolveMillis(since.getEpochSecond() * 1_000_000 + since.getNano() / 1000);
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
			later.run(() -> inStore(queue, () -> this.store.cancel(queue, taskId, key.generation())));
			return Optional.of(true);
		});
		return byRow.orElseGet(() -> withoutJournal(queue, taskId, Set.of(TaskState.SCHEDULED, TaskState.IN_FLIGHT),
				() -> this.store.cancel(queue, taskId, 0)));
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
				.filter((task) -> isWithoutJournal(task) && states.contains(task.state()))
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
			long dueMillis = dueMillis(due, since);
			this.table.move(queue, taskId, row.generation(), generation, dueMillis);
			NewTask task = new NewTask(taskId, row.envelope(), due, row.priority(), DuplicatePolicy.NEWER);
			Fresh fresh = new Fresh(task, generation, dueMillis, since);
			later.run(() -> inStore(queue, () -> move(queue, fresh, known.isPresent(), row.generation())));
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
			return this.store.find(queue, row.taskId()).filter((task) -> generation(task) == row.generation());
		}
		catch (RuntimeException ex) {
			this.handOver.failed(queue, 1, ex);
			return Optional.empty();
		}
	}

	private void move(String queue, Fresh task, boolean known, long expected) {
		DueTime due = task.remaining(this.clock.instant());
		if (!known || !this.store.reschedule(queue, task.task().id(), due, expected, task.generation())) {
			this.handOver.afterCommit(queue, List.of(task));
		}
	}

	List<Boolean> redrive(String queue, List<String> taskIds) {
		AtomicReference<List<Boolean>> redriven = new AtomicReference<>();
		Set<String> revived = this.transactions.write(queue, (later) -> {
			Set<String> dead = new HashSet<>(this.table.revive(queue, taskIds, this.clock.millis()));
			later.run(() -> inStore(queue, () -> redriven.set(this.store.redrive(queue, taskIds))));
			return dead;
		});
		List<Boolean> inStore = redriven.get();
		Set<String> counted = new HashSet<>();
		List<Boolean> answer = new ArrayList<>(taskIds.size());
		for (int i = 0; i < taskIds.size(); i++) {
			boolean first = counted.add(taskIds.get(i));
			answer.add((inStore != null && inStore.get(i)) || (first && revived.contains(taskIds.get(i))));
		}
		return answer;
	}

	long purgeDead(String queue, int limit) {
		AtomicBoolean committed = new AtomicBoolean();
		long purged = this.transactions.write(queue, (later) -> {
			List<Key> dead = this.table.lockDead(queue, limit);
			this.table.delete(queue, dead);
			Map<String, Long> generations = dead.stream().collect(Collectors.toMap(Key::taskId, Key::generation));
			later.run(() -> inStore(queue, () -> this.store.purge(queue, generations)));
			later.run(() -> committed.set(true));
			return dead.size();
		});
		return (committed.get() && purged < limit) ? purged + purgeUnknown(queue, (int) (limit - purged)) : purged;
	}

	/**
	 * Dead tasks without a row: from before the queue had a journal, or left behind when
	 * the store was out of reach.
	 */
	private long purgeUnknown(String queue, int limit) {
		AtomicLong purged = new AtomicLong();
		inStore(queue, () -> {
			// whatever is scheduled from now on has a higher one
			long newest = Generation.next(-1, this.clock.instant());
			List<String> dead = this.store.list(queue, TaskState.DEAD, 0, limit, false)
				.stream()
				.map(StoredTask::id)
				.toList();
			Set<String> rows = this.transactions.read(queue, () -> this.table.versions(queue, dead)).keySet();
			purged.set(this.store.purge(queue,
					dead.stream()
						.filter((id) -> !rows.contains(id))
						.collect(Collectors.toMap(Function.identity(), (id) -> newest))));
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
			later.run(() -> {
				this.handOver.await(queue);
				cleared.set(this.store.clear(queue));
				// what others have scheduled since the commit may have gone with it
				this.rechecks.want(queue);
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
