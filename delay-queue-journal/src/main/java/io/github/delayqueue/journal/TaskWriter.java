package io.github.delayqueue.journal;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.DuplicatePolicy;
import io.github.delayqueue.ScheduleOutcome;
import io.github.delayqueue.StoreUnavailableException;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.store.Bounds;
import io.github.delayqueue.store.DueLimit;
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

	private final SharedWrites shared = new SharedWrites((queue, arrivals) -> write(queue, arrivals, true, Map.of()));

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
		return write(queue, arrivals(queue, tasks));
	}

	/**
	 * The same, with something to be done while the tasks are being written, if they are
	 * many and new.
	 */
	Supplier<List<ScheduleOutcome>> scheduleAhead(String queue, List<NewTask> tasks) {
		List<Arrival> arrivals = arrivals(queue, tasks);
		if (tasks.size() >= WORTH_A_THREAD && this.transactions.isNoneAround()
				&& arrivals.stream().allMatch(Arrival::isNew)) {
			return this.ahead.write(() -> write(queue, arrivals));
		}
		List<ScheduleOutcome> outcomes = write(queue, arrivals);
		return () -> outcomes;
	}

	private List<Arrival> arrivals(String queue, List<NewTask> tasks) {
		Bounds.requireBatch(tasks);
		Instant since = this.clock.instant();
		return tasks.stream().map((task) -> new Arrival(leading(queue, task), since)).toList();
	}

	/** The store alone remembers bursts: it is asked before a row is locked. */
	private NewTask leading(String queue, NewTask task) {
		DueTime due = task.due();
		return (due.leading() && !this.handOver.beginsBurst(queue, task)) ? task.withDue(due.leading(false)) : task;
	}

	private List<ScheduleOutcome> write(String queue, List<Arrival> arrivals) {
		if (arrivals.isEmpty()) {
			return List.of();
		}
		arrivals.forEach((arrival) -> requireMarkable(queue, arrival.task()));
		boolean atOnce = isAtOnce(arrivals);
		if (atOnce && arrivals.size() == 1 && arrivals.get(0).isNew() && this.transactions.isNoneAround()) {
			this.shared.write(queue, arrivals.get(0));
			return List.of(ScheduleOutcome.CREATED);
		}
		return write(queue, arrivals, atOnce, knownToStoreOnly(queue, arrivals));
	}

	private List<ScheduleOutcome> write(String queue, List<Arrival> arrivals, boolean atOnce,
			Map<String, StoredTask> known) {
		// of what was completed, perhaps scheduled by a clock that was ahead
		long above = known.values().stream().mapToLong(Lookup::generation).max().orElse(-1);
		return this.transactions.write(queue, atOnce, (later) -> {
			ScheduleOutcome[] outcomes = new ScheduleOutcome[arrivals.size()];
			Arrays.fill(outcomes, ScheduleOutcome.REJECTED);
			List<FreshTask> fresh = new ArrayList<>(arrivals.size());
			for (List<Integer> batch : batches(arrivals, known)) {
				List<Written> written = write(queue, batch.stream().map(arrivals::get).toList(), above);
				for (int n = 0; n < batch.size(); n++) {
					Arrival arrival = written.get(n).arrival();
					ScheduleOutcome outcome = written.get(n).result().outcome();
					boolean replaces = outcome == ScheduleOutcome.CREATED && known.containsKey(arrival.taskId());
					outcomes[batch.get(n)] = arrival.isNew() ? ScheduleOutcome.CREATED
							: replaces ? ScheduleOutcome.REPLACED : outcome;
					if (outcome != ScheduleOutcome.REJECTED) {
						fresh.add(new FreshTask(arrival, written.get(n).result().generation()));
					}
				}
			}
			later.execute(() -> this.handOver.afterCommit(queue, fresh));
			return List.of(outcomes);
		});
	}

	private List<Written> write(String queue, List<Arrival> batch, long above) {
		if (batch.get(0).isDebounced()) {
			return List.of(debounce(queue, batch.get(0), above));
		}
		List<WriteResult> results = this.table.write(queue, batch, above);
		return IntStream.range(0, batch.size()).mapToObj((i) -> new Written(batch.get(i), results.get(i))).toList();
	}

	/** Of two that come at once, one begins the burst, and the other finds its row. */
	private Written debounce(String queue, Arrival arrival, long above) {
		Arrival begins = arrival.debounced(OptionalLong.empty(), DuplicatePolicy.REJECT);
		WriteResult result = this.table.write(queue, List.of(begins), above).get(0);
		if (result.outcome() != ScheduleOutcome.REJECTED) {
			return new Written(begins, result);
		}
		Optional<Row> row = this.table.lock(queue, arrival.taskId());
		Arrival comes = arrival.debounced(row.map((known) -> limit(queue, known)).orElseGet(OptionalLong::empty),
				DuplicatePolicy.REPLACE);
		return new Written(comes, this.table.write(queue, List.of(comes), above).get(0));
	}

	/**
	 * Until when the burst of a row goes on, which only the store may know to be over.
	 */
	private OptionalLong limit(String queue, Row row) {
		OptionalLong limit = row.dead() ? OptionalLong.empty()
				: DueLimit.of(Objects.requireNonNull(row.envelope()), row.dueMillis());
		boolean delivered = limit.isPresent() && this.handOver.inStore(queue, row)
			.filter((task) -> task.state() != TaskState.SCHEDULED || task.failures() + task.leasesLost() > 0)
			.isPresent();
		return delivered ? OptionalLong.empty() : limit;
	}

	/** A task as it was written, and what became of it. */
	private record Written(Arrival arrival, WriteResult result) {

	}

	/**
	 * The positions of those that are to be written; an id that comes again is written
	 * again. Those that are debounced need statements of their own: all one by one then,
	 * in the order in which everybody locks rows.
	 */
	private static List<List<Integer>> batches(List<Arrival> arrivals, Map<String, StoredTask> known) {
		if (arrivals.stream().anyMatch(Arrival::isDebounced)) {
			return IntStream.range(0, arrivals.size())
				.filter((i) -> arrivals.get(i).replaces() || !known.containsKey(arrivals.get(i).taskId()))
				.boxed()
				.sorted(Comparator.comparing((i) -> arrivals.get(i).taskId()))
				.map(List::of)
				.toList();
		}
		List<List<Integer>> batches = new ArrayList<>();
		Map<String, Integer> seen = new HashMap<>();
		for (int i = 0; i < arrivals.size(); i++) {
			String id = arrivals.get(i).taskId();
			if (known.containsKey(id) && !arrivals.get(i).replaces()) {
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
	private boolean isAtOnce(List<Arrival> arrivals) {
		return this.table.replacesAtOnce()
				&& arrivals.stream().allMatch((arrival) -> arrival.replaces() && !arrival.isDebounced())
				&& arrivals.stream().map(Arrival::taskId).distinct().count() == arrivals.size();
	}

	private static void requireMarkable(String queue, NewTask task) {
		if (!Generation.isMarkable(task.envelope())) {
			throw new DelayQueueException(queue, task.id(),
					"The envelope of a task in a queue with a journal has to be a JSON object");
		}
	}

	/**
	 * The tasks of these ids that the store has and the journal has not: those that are
	 * completed and kept, or from before the queue had a journal. If the store is out of
	 * reach, there are none as far as the journal knows. What is not to be scheduled
	 * twice within the time that completed tasks are kept is another matter, unless it
	 * has a row.
	 */
	private Map<String, StoredTask> knownToStoreOnly(String queue, List<Arrival> arrivals) {
		boolean kept = this.journal.keepsCompleted(queue);
		Map<String, StoredTask> known = new HashMap<>();
		Set<String> asked = new HashSet<>();
		Set<String> doubtful = new HashSet<>();
		StoreUnavailableException away = null;
		for (Arrival arrival : arrivals) {
			String id = arrival.taskId();
			boolean needed = kept && !arrival.replaces();
			if (arrival.task().generated() || (!kept && arrival.replaces()) || !asked.add(id)) {
				continue;
			}
			try {
				if (away == null && (needed || !this.handOver.isPaused(queue))) {
					this.store.find(queue, id)
						.filter((found) -> found.state() == TaskState.COMPLETED || Lookup.isWithoutJournal(found))
						.ifPresent((found) -> known.put(id, found));
				}
			}
			catch (StoreUnavailableException ex) {
				away = ex;
			}
			if (away != null && needed) {
				doubtful.add(id);
			}
		}
		if (away != null && !doubtful.isEmpty()
				&& this.transactions.read(queue, () -> this.table.versions(queue, doubtful)).size() < doubtful.size()) {
			throw away;
		}
		return known;
	}

}
