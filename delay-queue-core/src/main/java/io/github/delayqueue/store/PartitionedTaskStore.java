package io.github.delayqueue.store;

import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.QueueStats;
import io.github.delayqueue.TaskState;

/**
 * Spreads queues over partitions, each of which is a queue of its own in another store.
 * Public for wiring. Thread-safe.
 * <p>
 * Tasks are claimed from, settled and extended in single partitions, by the names that
 * {@link #partitions(String)} returns; all other methods take the name of the queue. A
 * call for several tasks, or for all of a queue, is one atomic step for each partition,
 * not for all of them together: it may fail when it is done for some.
 * <p>
 * A queue may get more partitions while it is in use, but never fewer. Processes that
 * know of different numbers come to agree on the largest; tasks stay where they are, and
 * are found there. Replacing such a task stores the new one first and removes the old one
 * then. If the process dies in between, there are both until it is replaced or cancelled
 * again.
 * <p>
 * A queue with one partition costs no further call.
 */
public class PartitionedTaskStore extends DelegatingTaskStore {

	private static final Logger logger = LoggerFactory.getLogger(PartitionedTaskStore.class);

	private final PartitionStore store;

	private final ToIntFunction<String> configured;

	private final KnownQueues<QueuePartitions> queues = new KnownQueues<>();

	/**
	 * Create a store.
	 * @param store keeps the partitions
	 * @param configured how many partitions a queue is to have at least, 1 to
	 * {@link Partitions#MAX}
	 */
	public PartitionedTaskStore(PartitionStore store, ToIntFunction<String> configured) {
		super(store);
		this.store = store;
		this.configured = configured;
	}

	private QueuePartitions of(String queue) {
		return this.queues.get(queue,
				(name) -> new QueuePartitions(this.store, name, this.configured.applyAsInt(name)));
	}

	@Override
	public List<String> partitions(String queue) {
		return of(queue).names();
	}

	/**
	 * {@inheritDoc}
	 * <p>
	 * Only what goes to one partition, without a look into others, is sent ahead. A task
	 * that is rejected because of one from before the queue had as many partitions has no
	 * replicas to wait for.
	 */
	@Override
	public Supplier<ScheduleReply> scheduleAhead(String queue, List<NewTask> tasks, ScheduleOptions options) {
		Bounds.requireBatch(tasks);
		PartitionCounts believed = of(queue).believed();
		String home = SpreadSchedule.onlyHome(queue, believed, tasks);
		if (home != null) {
			try {
				Supplier<ScheduleReply> answer = this.store.scheduleAhead(home, tasks, options.believing(believed));
				return () -> answered(answer, queue, tasks, options);
			}
			catch (PartitionsChangedException ex) {
				logRefusal(queue, ex);
			}
		}
		ScheduleReply reply = spread(queue, tasks, options);
		return () -> reply;
	}

	private ScheduleReply answered(Supplier<ScheduleReply> answer, String queue, List<NewTask> tasks,
			ScheduleOptions options) {
		try {
			return answer.get();
		}
		catch (PartitionsChangedException ex) {
			logRefusal(queue, ex);
			return spread(queue, tasks, options);
		}
	}

	private ScheduleReply spread(String queue, List<NewTask> tasks, ScheduleOptions options) {
		return new SpreadSchedule(this.store, of(queue), queue, tasks, options).run();
	}

	private static void logRefusal(String queue, PartitionsChangedException refusal) {
		logger.debug("Queue '{}' has got other partitions meanwhile; the tasks are sent again", queue, refusal);
	}

	/**
	 * {@inheritDoc}
	 * <p>
	 * Of the number of dead tasks to keep, and of the limits for all consumers, each
	 * partition gets its share.
	 */
	@Override
	public ClaimResult claim(String partition, ClaimRequest request) {
		QueuePartitions partitions = of(Partitions.queue(partition));
		int count = partitions.names().size();
		ClaimResult result = this.store.claim(partition,
				(count == 1) ? request : request.share(Partitions.number(partition), count));
		partitions.claimed(result.partitions());
		return result;
	}

	/** In all its homes: a process may have died while it replaced the task. */
	@Override
	public boolean cancel(String queue, String taskId, Condition condition) {
		// what one home has cancelled stays so where another one knows other counts
		boolean[] cancelled = new boolean[1];
		return of(queue).agreed((counts) -> {
			for (String partition : homes(queue, counts, taskId)) {
				cancelled[0] |= this.store.cancel(partition, taskId, condition.believing(counts));
			}
			return cancelled[0];
		});
	}

	@Override
	public boolean reschedule(String queue, String taskId, DueTime due, Condition condition) {
		return of(queue).agreed((counts) -> {
			Condition believing = condition.believing(counts);
			return homes(queue, counts, taskId).stream()
				.anyMatch((partition) -> this.store.reschedule(partition, taskId, due, believing));
		});
	}

	@Override
	public List<Boolean> redrive(String queue, List<String> taskIds, DueSpan due, Condition condition) {
		Bounds.requireBatch(taskIds);
		Set<Integer> redriven = new HashSet<>();
		return of(queue).agreed((counts) -> {
			Condition believing = condition.believing(counts);
			List<Function<String, List<Integer>>> rounds = List.of((id) -> List.of(counts.home(id)),
					counts::earlierHomes);
			for (Function<String, List<Integer>> homes : rounds) {
				SpreadSchedule.onEach(queue,
						IntStream.range(0, taskIds.size()).boxed().filter((i) -> !redriven.contains(i)),
						(i) -> homes.apply(taskIds.get(i)), (partition, here) -> this.store.redrive(partition,
								here.stream().map(taskIds::get).toList(), due, believing),
						redriven);
			}
			return IntStream.range(0, taskIds.size()).mapToObj(redriven::contains).toList();
		});
	}

	@Override
	public Optional<StoredTask> find(String queue, String taskId, Condition condition) {
		return of(queue).agreed((counts) -> homes(queue, counts, taskId).stream()
			.map((partition) -> this.store.find(partition, taskId, condition.believing(counts)))
			.flatMap(Optional::stream)
			.findFirst());
	}

	/** The first one again at the end: the task may have been replaced meanwhile. */
	private static List<String> homes(String queue, PartitionCounts counts, String taskId) {
		String home = Partitions.name(queue, counts.home(taskId));
		List<Integer> earlier = counts.earlierHomes(taskId);
		if (earlier.isEmpty()) {
			return List.of(home);
		}
		Stream<String> others = earlier.stream().map((number) -> Partitions.name(queue, number));
		return Stream.of(Stream.of(home), others, Stream.of(home)).flatMap(Function.identity()).toList();
	}

	/** Of each partition those that have been over for longest. */
	@Override
	public long purge(String queue, TaskState state, int limit) {
		Bounds.requireLimit(limit);
		long purged = 0;
		for (String partition : of(queue).checkedNames()) {
			if (purged < limit) {
				purged += this.store.purge(partition, state, (int) (limit - purged));
			}
		}
		return purged;
	}

	/** Wherever they are: what is over stays where it was when counts change. */
	@Override
	public long purge(String queue, TaskState state, Map<String, Long> generations, Instant until) {
		Bounds.requireBatch(generations.keySet());
		return generations.isEmpty() ? 0
				: of(queue).checkedNames()
					.stream()
					.mapToLong((partition) -> this.store.purge(partition, state, generations, until))
					.sum();
	}

	@Override
	public long clear(String queue) {
		return onEach(queue, this.store::clear);
	}

	@Override
	public void setPaused(String queue, boolean paused) {
		onEach(queue, (partition) -> {
			this.store.setPaused(partition, paused);
			return 0;
		});
	}

	@Override
	public void adopt(String queue, String table) {
		onEach(queue, (partition) -> {
			this.store.adopt(partition, table);
			return 0;
		});
	}

	/** Also on those that come to be meanwhile. */
	private long onEach(String queue, ToLongFunction<String> step) {
		long sum = 0;
		List<String> names = of(queue).checkedNames();
		List<String> done;
		do {
			sum += names.stream().mapToLong(step).sum();
			done = names;
			names = of(queue).checkedNames();
		}
		while (names.size() > done.size());
		return sum;
	}

	@Override
	public List<StoredTask> list(String queue, TaskState state, int offset, int limit, Contents contents) {
		Bounds.requireLimit(limit);
		List<String> names = of(queue).checkedNames();
		return (names.size() == 1) ? this.store.list(queue, state, offset, limit, contents)
				: new MergedList(this.store, names, state).read(offset, limit, contents);
	}

	/** One partition after the other. */
	@Override
	public DeadPage dead(String queue, DeadSearch search) {
		List<String> names = of(queue).checkedNames();
		SpreadCursor from = SpreadCursor.of(search.cursor(), names.size());
		DeadPage page = this.store.dead(names.get(from.number()), search.from(from.position()));
		return new DeadPage(page.looked(), page.groups(), page.tasks(), from.after(page.cursor()).text(names.size()));
	}

	@Override
	public QueueStats stats(String queue) {
		return SummedStats.read(this.store, of(queue));
	}

	@Override
	public Forecast forecast(String queue, Forecast.Bars bars) {
		return of(queue).checkedNames()
			.stream()
			.map((partition) -> this.store.forecast(partition, bars))
			.reduce(Forecast::plus)
			.orElseThrow();
	}

	@Override
	public History history(String queue) {
		return of(queue).checkedNames().stream().map(this.store::history).reduce(History.NONE, History::plus);
	}

	/**
	 * {@inheritDoc}
	 * <p>
	 * Of several partitions the first is the last: its name is that of the queue. Once
	 * all have been seen empty the queue is forgotten. A task that comes to one of them
	 * meanwhile is one of a queue that begins anew, with the totals of that partition.
	 */
	@Override
	public boolean forget(String queue) {
		List<String> names = of(queue).checkedNames();
		if (names.size() == 1) {
			return this.store.forget(queue);
		}
		boolean empty = names.stream()
			.map(this.store::stats)
			.allMatch((stats) -> stats.scheduled() + stats.inFlight() + stats.dead() + stats.completed() == 0);
		for (int i = empty ? names.size() - 1 : -1; i >= 0; i--) {
			if (!this.store.forget(names.get(i))) {
				this.store.setPaused(names.get(i), false);
			}
		}
		return empty;
	}

}
