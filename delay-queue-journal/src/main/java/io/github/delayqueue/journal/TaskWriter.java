package io.github.delayqueue.journal;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.ScheduleOutcome;
import io.github.delayqueue.StoreUnavailableException;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.debounce.DueLimit;
import io.github.delayqueue.roles.Generation;
import io.github.delayqueue.store.Bounds;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.Replacement;
import io.github.delayqueue.store.StoredTask;

/**
 * Writes scheduled tasks: in the table within a transaction, in the store after its
 * commit.
 */
final class TaskWriter extends JournalAccess {

	private final SharedWrites shared = new SharedWrites((queue, arrivals) -> write(queue, arrivals, true, Map.of()));

	TaskWriter(JournalParts parts) {
		super(parts);
	}

	List<ScheduleOutcome> schedule(String queue, List<NewTask> tasks) {
		Bounds.requireBatch(tasks);
		Instant since = this.parts.clock(queue).instant();
		List<Arrival> arrivals = tasks.stream().map((task) -> new Arrival(task, since)).toList();
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
		long above = known.values().stream().mapToLong(Row::generation).max().orElse(-1);
		return this.transactions.write(queue, atOnce, (later) -> {
			ScheduleOutcome[] outcomes = new ScheduleOutcome[arrivals.size()];
			Arrays.fill(outcomes, ScheduleOutcome.REJECTED);
			List<FreshTask> fresh = new ArrayList<>(arrivals.size());
			for (List<Integer> batch : batches(arrivals, known.keySet())) {
				List<FreshTask> written = write(queue, batch.stream().map(arrivals::get).toList(), above);
				for (int n = 0; n < batch.size(); n++) {
					FreshTask task = written.get(n);
					ScheduleOutcome outcome = task.result().outcome();
					boolean replaces = outcome == ScheduleOutcome.CREATED && known.containsKey(task.arrival().taskId());
					outcomes[batch.get(n)] = task.arrival().isNew() ? ScheduleOutcome.CREATED
							: replaces ? ScheduleOutcome.REPLACED : outcome;
					if (outcome != ScheduleOutcome.REJECTED) {
						fresh.add(task);
					}
				}
			}
			later.execute(() -> this.handOver.afterCommit(queue, fresh));
			return List.of(outcomes);
		});
	}

	private List<FreshTask> write(String queue, List<Arrival> batch, long above) {
		if (batch.get(0).isDebounced()) {
			return List.of(debounce(queue, batch.get(0), above));
		}
		List<WriteResult> results = this.table.write(queue, batch, above);
		return IntStream.range(0, batch.size()).mapToObj((i) -> new FreshTask(batch.get(i), results.get(i))).toList();
	}

	/** Of two that come at once, one begins the burst, and the other finds its row. */
	private FreshTask debounce(String queue, Arrival arrival, long above) {
		Arrival begins = arrival.debounced(OptionalLong.empty(), Replacement.REJECT);
		WriteResult result = this.table.write(queue, List.of(begins), above).get(0);
		if (result.outcome() != ScheduleOutcome.REJECTED) {
			return new FreshTask(begins, result);
		}
		Optional<Row> row = this.table.lock(queue, arrival.taskId());
		Arrival comes = arrival.debounced(row.map((known) -> limit(queue, known)).orElseGet(OptionalLong::empty),
				Replacement.REPLACE);
		return new FreshTask(comes, this.table.write(queue, List.of(comes), above).get(0));
	}

	/** Until when a row's burst goes on, which only the store may know to be over. */
	private OptionalLong limit(String queue, Row row) {
		OptionalLong limit = row.dead() ? OptionalLong.empty()
				: DueLimit.of(Objects.requireNonNull(row.envelope()), row.dueMillis());
		boolean delivered = limit.isPresent() && this.handOver.inStore(queue, row)
			.filter((task) -> task.state() != TaskState.SCHEDULED || task.failures() + task.leasesLost() > 0)
			.isPresent();
		return delivered ? OptionalLong.empty() : limit;
	}

	/**
	 * Positions of those that are to be written; an id that comes again is written again.
	 * Debounced ones are written one by one, in the order in which everybody locks rows.
	 */
	private static Collection<List<Integer>> batches(List<Arrival> arrivals, Set<String> known) {
		List<Integer> positions = IntStream.range(0, arrivals.size())
			.filter((i) -> arrivals.get(i).replaces() || !known.contains(arrivals.get(i).taskId()))
			.boxed()
			.toList();
		if (arrivals.stream().anyMatch(Arrival::isDebounced)) {
			return positions.stream()
				.sorted(Comparator.comparing((i) -> arrivals.get(i).taskId()))
				.map(List::of)
				.toList();
		}
		Map<String, Integer> times = new HashMap<>();
		return positions.stream()
			.collect(Collectors.groupingBy((i) -> times.merge(arrivals.get(i).taskId(), 1, Integer::sum), TreeMap::new,
					Collectors.toList()))
			.values();
	}

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
	 * Completed and kept, or from before the queue had a journal. If the store is out of
	 * reach there are none, except where completed ones decide.
	 */
	private Map<String, StoredTask> knownToStoreOnly(String queue, List<Arrival> arrivals) {
		boolean kept = this.parts.journal().completedKept().test(queue);
		Collection<Arrival> asked = arrivals.stream()
			.filter((arrival) -> !arrival.task().generated() && (kept || !arrival.replaces()))
			.collect(
					Collectors.toMap(Arrival::taskId, Function.identity(), (first, other) -> first, LinkedHashMap::new))
			.values();
		Predicate<Arrival> needed = (arrival) -> kept && !arrival.replaces();
		Map<String, StoredTask> known = new HashMap<>();
		for (Arrival arrival : asked) {
			if (!needed.test(arrival) && this.handOver.isPaused(queue)) {
				continue;
			}
			try {
				this.store.find(queue, arrival.taskId())
					.filter((found) -> found.state() == TaskState.COMPLETED || Lookup.isWithoutJournal(found))
					.ifPresent((found) -> known.put(arrival.taskId(), found));
			}
			catch (StoreUnavailableException ex) {
				requireRows(queue, asked.stream().dropWhile((one) -> one != arrival).filter(needed).toList(), ex);
				break;
			}
		}
		return known;
	}

	private void requireRows(String queue, List<Arrival> arrivals, StoreUnavailableException away) {
		List<String> ids = arrivals.stream().map(Arrival::taskId).toList();
		boolean there = ids.isEmpty()
				|| this.transactions.read(queue, () -> this.table.versions(queue, ids).size() == ids.size());
		if (!there) {
			throw away;
		}
	}

}
