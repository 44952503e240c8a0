package io.github.delayqueue.partition;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.QueueStats;
import io.github.delayqueue.ScheduleOutcome;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.roles.Contents;
import io.github.delayqueue.roles.DeadPage;
import io.github.delayqueue.roles.DeadSearch;
import io.github.delayqueue.roles.DelegatingTaskStore;
import io.github.delayqueue.roles.DueSpan;
import io.github.delayqueue.roles.Epoch;
import io.github.delayqueue.roles.Forecast;
import io.github.delayqueue.roles.History;
import io.github.delayqueue.roles.Incarnations;
import io.github.delayqueue.roles.QueueControl;
import io.github.delayqueue.roles.QueueView;
import io.github.delayqueue.roles.Retention;
import io.github.delayqueue.roles.SourceNames;
import io.github.delayqueue.roles.SourceNumbers;
import io.github.delayqueue.roles.TaskRetention;
import io.github.delayqueue.roles.Tended;
import io.github.delayqueue.store.Bounds;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.ClaimResult;
import io.github.delayqueue.store.Condition;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.KnownQueues;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.OtherSourcesException;
import io.github.delayqueue.store.ScheduleOptions;
import io.github.delayqueue.store.ScheduleReply.Doubt;
import io.github.delayqueue.store.ScheduleReply;
import io.github.delayqueue.store.Sources;
import io.github.delayqueue.store.StoredTask;
import io.github.delayqueue.store.TaskStore;

/**
 * Spreads queues over partitions, each of which is a queue of its own in another store.
 * Public for wiring. Thread-safe.
 * <p>
 * Tasks are claimed from, settled and extended in single partitions, by the names that
 * {@link #sources(String)} returns; all other methods take the name of the queue. A call
 * for several tasks, or for all of a queue, is one atomic step for each partition, not
 * for all of them together: it may fail when it is done for some.
 * <p>
 * A queue keeps its number of partitions until it is forgotten. Schedule and claim throw
 * a {@link DelayQueueException} if another one is configured. All other methods go by the
 * number that the store has.
 */
public class PartitionedTaskStore extends DelegatingTaskStore
		implements QueueView, QueueControl, Incarnations, TaskRetention {

	private final TaskStore store;

	private final ToIntFunction<String> configured;

	private final KnownQueues<QueuePartitions> queues = new KnownQueues<>();

	public PartitionedTaskStore(TaskStore store, ToIntFunction<String> configured) {
		super(store);
		this.store = store;
		this.configured = configured;
	}

	private QueuePartitions of(String queue) {
		return this.queues.get(queue,
				(name) -> new QueuePartitions(this.store, name, this.configured.applyAsInt(name), System::nanoTime));
	}

	@Override
	public List<String> sources(String queue) {
		return of(queue).names();
	}

	/** By the number that is configured, so that tasks of one id stay in order. */
	@Override
	public String source(String queue, String taskId) {
		return Partitions.home(taskId, of(queue).names());
	}

	@Override
	public Supplier<ScheduleReply> scheduleAhead(String queue, List<NewTask> tasks, ScheduleOptions options) {
		Bounds.requireBatch(tasks);
		QueuePartitions partitions = of(queue);
		String home = onlyHome(partitions.names(), tasks);
		// only what goes to one partition is sent ahead
		return (home != null) ? ahead(partitions, home, tasks, options) : spread(partitions, tasks, options);
	}

	/** Where all of some tasks belong, {@code null} if they belong to several. */
	private static @Nullable String onlyHome(List<String> names, List<NewTask> tasks) {
		String first = tasks.isEmpty() ? names.get(0) : Partitions.home(tasks.get(0).id(), names);
		boolean only = names.size() == 1
				|| tasks.stream().skip(1).allMatch((task) -> Partitions.home(task.id(), names).equals(first));
		return only ? first : null;
	}

	private Supplier<ScheduleReply> ahead(QueuePartitions partitions, String home, List<NewTask> tasks,
			ScheduleOptions options) {
		try {
			Supplier<ScheduleReply> answer = this.store.scheduleAhead(home, tasks, options.knowing(partitions.known()));
			return (answer instanceof ScheduleReply) ? answer : () -> {
				try {
					return answer.get();
				}
				catch (OtherSourcesException ex) {
					return again(partitions, home, tasks, options);
				}
			};
		}
		catch (OtherSourcesException ex) {
			return again(partitions, home, tasks, options);
		}
	}

	/** The store is new to the queue, or has been emptied; or this throws. */
	private ScheduleReply again(QueuePartitions partitions, String home, List<NewTask> tasks, ScheduleOptions options) {
		partitions.agree();
		return this.store.schedule(home, tasks, options.knowing(partitions.known()));
	}

	private ScheduleReply spread(QueuePartitions partitions, List<NewTask> tasks, ScheduleOptions options) {
		List<Doubt> doubts = new ArrayList<>();
		List<ScheduleOutcome> outcomes = byHome(partitions.names(), tasks, NewTask::id, (home, some) -> {
			ScheduleReply reply = ahead(partitions, home, some, options).get();
			if (reply.doubt() != null) {
				doubts.add(reply.doubt());
			}
			return reply.outcomes();
		});
		return new ScheduleReply(outcomes,
				doubts.stream()
					.min(Comparator.comparingInt(Doubt::confirmations).thenComparing((doubt) -> doubt.error() == null))
					.orElse(null));
	}

	/** What a step in each partition, with those that belong there, answers of all. */
	private static <T, R> List<R> byHome(List<String> names, List<T> all, Function<T, String> id,
			BiFunction<String, List<T>, List<R>> step) {
		Map<String, List<Integer>> byHome = new TreeMap<>();
		for (int i = 0; i < all.size(); i++) {
			byHome.computeIfAbsent(Partitions.home(id.apply(all.get(i)), names), (home) -> new ArrayList<>()).add(i);
		}
		List<@Nullable R> answers = new ArrayList<>(Collections.nCopies(all.size(), null));
		byHome.forEach((home, places) -> {
			Iterator<R> some = step.apply(home, places.stream().map(all::get).toList()).iterator();
			places.forEach((place) -> answers.set(place, some.next()));
		});
		return answers.stream().map(Objects::requireNonNull).toList();
	}

	/** Of the limits for all consumers each partition gets its share. */
	@Override
	public ClaimResult claim(String partition, ClaimRequest request) {
		QueuePartitions partitions = of(Sources.queue(partition));
		partitions.require(partition);
		return this.store.claim(partition, request.on(share(partitions, partition).of(request.terms())));
	}

	/** Of the number of dead letters to keep each partition gets its share. */
	@Override
	public Tended tend(String partition, Retention retention) {
		return this.store.requireRole(TaskRetention.class)
			.tend(partition, share(of(Sources.queue(partition)), partition).of(retention));
	}

	private static Share share(QueuePartitions partitions, String partition) {
		return new Share(partitions.names().indexOf(partition), partitions.names().size());
	}

	@Override
	public boolean cancel(String queue, String taskId, Condition condition) {
		return at(queue, taskId, (home) -> this.store.cancel(home, taskId, condition), (found) -> found);
	}

	@Override
	public boolean reschedule(String queue, String taskId, DueTime due, Condition condition) {
		return at(queue, taskId, (home) -> this.store.reschedule(home, taskId, due, condition), (found) -> found);
	}

	@Override
	public Optional<StoredTask> find(String queue, String taskId) {
		return at(queue, taskId, (home) -> this.store.find(home, taskId), Optional::isPresent);
	}

	/** Nobody is told that a task is unknown who looked in a wrong place. */
	private <T> T at(String queue, String taskId, Function<String, T> step, Predicate<T> known) {
		QueuePartitions partitions = of(queue);
		String home = partitions.home(taskId);
		T answer = step.apply(home);
		String other = known.test(answer) ? home : Partitions.home(taskId, partitions.believed());
		return other.equals(home) ? answer : step.apply(other);
	}

	@Override
	public List<Boolean> redrive(String queue, List<String> taskIds, DueSpan due) {
		Bounds.requireBatch(taskIds);
		return byHome(of(queue).believed(), taskIds, Function.identity(),
				(home, ids) -> QueueControl.of(this.store).redrive(home, ids, due));
	}

	/** Of each partition those that have been over for longest. */
	@Override
	public long purge(String queue, TaskState state, int limit) {
		Bounds.requireLimit(limit);
		long purged = 0;
		for (String partition : of(queue).found()) {
			if (purged < limit) {
				purged += QueueControl.of(this.store).purge(partition, state, (int) (limit - purged));
			}
		}
		return purged;
	}

	@Override
	public long purge(String queue, TaskState state, Map<String, Long> generations, Instant until) {
		return onEach(queue, (partition) -> QueueControl.of(this.store).purge(partition, state, generations, until));
	}

	@Override
	public void announce(String queue) {
		QueueControl.of(this.store).announce(queue);
	}

	@Override
	public long clear(String queue) {
		return onEach(queue, QueueControl.of(this.store)::clear);
	}

	@Override
	public void setPaused(String queue, boolean paused) {
		of(queue).found().forEach((partition) -> QueueControl.of(this.store).setPaused(partition, paused));
	}

	@Override
	public Epoch beat(String partition, Epoch known, String incarnation) {
		return this.store.requireRole(Incarnations.class).beat(partition, known, incarnation);
	}

	@Override
	public void adopt(String queue, String table) {
		Incarnations incarnations = this.store.requireRole(Incarnations.class);
		of(queue).found().forEach((partition) -> incarnations.adopt(partition, table));
	}

	private long onEach(String queue, ToLongFunction<String> step) {
		return of(queue).found().stream().mapToLong(step).sum();
	}

	@Override
	public List<StoredTask> list(String queue, TaskState state, int offset, int limit, Contents contents) {
		Bounds.requireLimit(limit);
		List<String> names = of(queue).found();
		return (names.size() == 1) ? QueueView.of(this.store).list(queue, state, offset, limit, contents)
				: new MergedList(this.store, names, state).read(offset, limit, contents);
	}

	/** One partition after the other. */
	@Override
	public DeadPage dead(String queue, DeadSearch search) {
		List<String> names = of(queue).found();
		SpreadCursor from = SpreadCursor.of(search.cursor(), names.size());
		DeadPage page = QueueView.of(this.store).dead(names.get(from.number()), search.from(from.position()));
		return new DeadPage(page.looked(), page.groups(), page.tasks(), from.after(page.cursor()).text(names.size()));
	}

	@Override
	public QueueStats stats(String queue) {
		QueueStats first = QueueView.of(this.store).stats(queue);
		List<String> names = (first.partitions() > 1) ? SourceNames.names(queue, first.partitions())
				: of(queue).names();
		Stream<QueueStats> others = names.stream().skip(1).map(QueueView.of(this.store)::stats);
		return SummedStats.sum(Stream.concat(Stream.of(first), others).toList());
	}

	@Override
	public Forecast forecast(String queue, Forecast.Bars bars) {
		return of(queue).found()
			.stream()
			.map((partition) -> QueueView.of(this.store).forecast(partition, bars))
			.reduce(Forecast::plus)
			.orElseThrow();
	}

	@Override
	public History history(String queue) {
		return SummedStats.history(of(queue).found().stream().map(QueueView.of(this.store)::history).toList());
	}

	@Override
	public Set<String> queues() {
		return QueueView.of(this.store).queues();
	}

	/**
	 * Of several partitions the first is the last: its name is that of the queue. A task
	 * that comes to one of them, after all have been seen empty, makes the queue begin
	 * anew. It does so with the same number, and with the totals of that partition.
	 */
	@Override
	public boolean forget(String queue) {
		List<String> names = of(queue).found();
		if (names.size() == 1) {
			return QueueControl.of(this.store).forget(queue);
		}
		boolean empty = names.stream()
			.map(QueueView.of(this.store)::stats)
			.allMatch((stats) -> stats.waiting() + stats.inFlight() + stats.dead() + stats.completed() == 0);
		boolean all = true;
		for (int i = empty ? names.size() - 1 : -1; i >= 0; i--) {
			if (!QueueControl.of(this.store).forget(names.get(i))) {
				QueueControl.of(this.store).setPaused(names.get(i), false);
				all = false;
			}
		}
		if (!all) {
			this.store.requireRole(SourceNumbers.class).learn(queue, String.valueOf(names.size()), true);
		}
		return empty;
	}

}
