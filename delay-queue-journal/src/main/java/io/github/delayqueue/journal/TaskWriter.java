package io.github.delayqueue.journal;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.DuplicatePolicy;
import io.github.delayqueue.ScheduleOutcome;
import io.github.delayqueue.StoreUnavailableException;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.journal.SharedWrites.Arrival;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.Generation;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.StoredTask;
import io.github.delayqueue.store.TaskStore;

/**
 * Writes tasks that are scheduled in queues with a journal: in the table within a
 * transaction, in the store after its commit. Thread-safe.
 */
final class TaskWriter {

	/** With fewer there are hardly more to come. */
	private static final int WORTH_A_THREAD = TaskStore.MAX_BATCH / 2;

	private final TaskStore store;

	private final JournalTable table;

	private final Transactions transactions;

	private final HandOver handOver;

	private final Journal journal;

	private final Clock clock;

	private final SharedWrites shared = new SharedWrites(this::writeTogether);

	private final WritesAhead ahead;

	TaskWriter(JournalParts parts) {
		this.store = parts.store();
		this.table = parts.table();
		this.transactions = parts.transactions();
		this.handOver = parts.handOver();
		this.journal = parts.journal();
		this.clock = parts.journal().clock();
		this.ahead = new WritesAhead(this.handOver::executor);
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
				&& tasks.stream().allMatch(TaskWriter::isNew)) {
			return this.ahead.write(() -> schedule(queue, tasks, since));
		}
		List<ScheduleOutcome> outcomes = schedule(queue, tasks, since);
		return () -> outcomes;
	}

	private List<ScheduleOutcome> schedule(String queue, List<NewTask> tasks, Instant since) {
		if (tasks.size() == 1 && isNew(tasks.get(0)) && this.transactions.isNoneAround() && isAtOnce(tasks)) {
			requireMarkable(queue, tasks.get(0));
			this.shared.write(queue, new Arrival(tasks.get(0), since));
			return List.of(ScheduleOutcome.CREATED);
		}
		tasks.forEach((task) -> requireMarkable(queue, task));
		Map<String, StoredTask> known = knownToStoreOnly(queue, tasks);
		return this.transactions.write(queue, isAtOnce(tasks), (later) -> {
			List<FreshTask> fresh = new ArrayList<>(tasks.size());
			List<ScheduleOutcome> outcomes = write(queue, tasks, since, known, fresh);
			later.execute(() -> this.handOver.afterCommit(queue, fresh));
			return outcomes;
		});
	}

	/** What several threads have come with, none of them in a transaction. */
	private void writeTogether(String queue, List<Arrival> arrivals) {
		this.transactions.write(queue, true, (later) -> {
			List<WriteResult> written = this.table.write(queue,
					arrivals.stream().map((arrival) -> entry(arrival.task(), arrival.since())).toList());
			List<FreshTask> fresh = new ArrayList<>(arrivals.size());
			for (int i = 0; i < arrivals.size(); i++) {
				fresh.add(fresh(arrivals.get(i).task(), arrivals.get(i).since(), written.get(i)));
			}
			later.execute(() -> this.handOver.afterCommit(queue, fresh));
			return true;
		});
	}

	private List<ScheduleOutcome> write(String queue, List<NewTask> tasks, Instant since, Map<String, StoredTask> known,
			List<FreshTask> fresh) {
		ScheduleOutcome[] outcomes = new ScheduleOutcome[tasks.size()];
		Arrays.fill(outcomes, ScheduleOutcome.REJECTED);
		// of what was completed, perhaps scheduled by a clock that was ahead
		long above = known.values().stream().mapToLong(Lookup::generation).max().orElse(-1);
		for (List<Integer> batch : batches(tasks, known)) {
			List<WriteResult> written = this.table.write(queue,
					batch.stream().map((i) -> entry(tasks.get(i), since)).toList(), above);
			for (int n = 0; n < batch.size(); n++) {
				int i = batch.get(n);
				NewTask task = tasks.get(i);
				ScheduleOutcome outcome = written.get(n).outcome();
				outcomes[i] = isNew(task) ? ScheduleOutcome.CREATED
						: (known.containsKey(task.id()) && outcome == ScheduleOutcome.CREATED)
								? ScheduleOutcome.REPLACED : outcome;
				if (outcome != ScheduleOutcome.REJECTED) {
					fresh.add(fresh(task, since, written.get(n)));
				}
			}
		}
		return List.of(outcomes);
	}

	/**
	 * The positions of those that are to be written; an id that comes again is written
	 * again.
	 */
	private static List<List<Integer>> batches(List<NewTask> tasks, Map<String, StoredTask> known) {
		List<List<Integer>> batches = new ArrayList<>();
		Map<String, Integer> seen = new HashMap<>();
		for (int i = 0; i < tasks.size(); i++) {
			String id = tasks.get(i).id();
			if (known.containsKey(id) && tasks.get(i).onDuplicate() == DuplicatePolicy.REJECT) {
				continue;
			}
			int times = seen.merge(id, 1, Integer::sum);
			if (times > batches.size()) {
				batches.add(new ArrayList<>());
			}
			batches.get(times - 1).add(i);
		}
		return batches;
	}

	/** Whether the database does it by a single statement, that needs no transaction. */
	private boolean isAtOnce(List<NewTask> tasks) {
		return this.table.replacesAtOnce()
				&& tasks.stream().allMatch((task) -> task.onDuplicate() != DuplicatePolicy.REJECT)
				&& tasks.stream().map(NewTask::id).distinct().count() == tasks.size();
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

	private static FreshTask fresh(NewTask task, Instant since, WriteResult written) {
		return new FreshTask(task, written.generation(), dueMillis(task.due(), since), since);
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
						.filter((found) -> found.state() == TaskState.COMPLETED || Lookup.isWithoutJournal(found))
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

	/** By the row, and by the store, a delay counts from when the caller came. */
	static long dueMillis(DueTime due, Instant since) {
		return due.resolveMillis(since.getEpochSecond() * 1_000_000 + since.getNano() / 1000);
	}

}
