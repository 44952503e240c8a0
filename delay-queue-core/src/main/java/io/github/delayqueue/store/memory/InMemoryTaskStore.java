package io.github.delayqueue.store.memory;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopInfrastructureBean;

import io.github.delayqueue.QueueStats;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.roles.Attendance;
import io.github.delayqueue.roles.ClaimedTokens;
import io.github.delayqueue.roles.Contents;
import io.github.delayqueue.roles.DeadPage;
import io.github.delayqueue.roles.DeadSearch;
import io.github.delayqueue.roles.DueMillis;
import io.github.delayqueue.roles.DueSpan;
import io.github.delayqueue.roles.Epoch;
import io.github.delayqueue.roles.Forecast;
import io.github.delayqueue.roles.Generation;
import io.github.delayqueue.roles.History;
import io.github.delayqueue.roles.Incarnations;
import io.github.delayqueue.roles.InstanceTraces;
import io.github.delayqueue.roles.QueueControl;
import io.github.delayqueue.roles.QueueView;
import io.github.delayqueue.roles.Retention;
import io.github.delayqueue.roles.SourceNumbers;
import io.github.delayqueue.roles.TaskRetention;
import io.github.delayqueue.roles.Tended;
import io.github.delayqueue.store.Bounds;
import io.github.delayqueue.store.ClaimNotes;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.ClaimResult;
import io.github.delayqueue.store.Condition;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.Extension;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.ScheduleOptions;
import io.github.delayqueue.store.ScheduleReply;
import io.github.delayqueue.store.Settlement;
import io.github.delayqueue.store.StoredTask;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.store.WakeListener;
import io.github.delayqueue.store.WakeSubscription;

/**
 * Keeps tasks in the memory of this process, by the clock it is given: for tests without
 * Redis and without waiting. Public for the tests of applications.
 * <p>
 * Keeps the whole contract of {@link TaskStore}, but nothing survives the process. Safe
 * for use by several threads, one step at a time. Wake listeners are called by the thread
 * whose step made the earliest event earlier; turning the clock wakes nobody. An id is
 * never found without its record, so {@link ClaimNotes#orphans()} is always empty.
 */
public final class InMemoryTaskStore implements TaskStore, QueueView, QueueControl, SourceNumbers, Incarnations,
		ClaimedTokens, InstanceTraces, TaskRetention, AopInfrastructureBean {

	private final Clock clock;

	private final Map<String, QueueState> queues = new HashMap<>();

	private final Set<String> announced = new TreeSet<>();

	private final Map<String, Trace> traces = new LinkedHashMap<>();

	private Function<String, @Nullable DueOrder> orders = (queue) -> null;

	private final WakeListeners wakeListeners = new WakeListeners();

	/**
	 * Create a store without tasks.
	 * @param clock what decides when a task is due and when a lease runs out
	 */
	public InMemoryTaskStore(Clock clock) {
		this.clock = clock;
	}

	/**
	 * Let a part choose which due tasks of its queues are taken. Before the store is
	 * used.
	 * @param orders the choice for a queue, {@code null} for the usual one
	 */
	public void setOrders(Function<String, @Nullable DueOrder> orders) {
		this.orders = orders;
	}

	@Override
	public Supplier<ScheduleReply> scheduleAhead(String queue, List<NewTask> tasks, ScheduleOptions options) {
		Bounds.requireBatch(tasks);
		return ScheduleReply.of(step(queue, (state, now) -> {
			if (!tasks.isEmpty()) {
				state.requireSources(queue, options.sources());
			}
			return tasks.stream().map((task) -> state.schedule(task, now)).toList();
		}));
	}

	@Override
	public ClaimResult claim(String queue, ClaimRequest request) {
		Bounds.requireLimit(request.limit());
		return step(queue, (state, now) -> {
			state.requireTable(queue, request.terms().table());
			return state.claim(request, now);
		});
	}

	@Override
	public Tended tend(String source, Retention retention) {
		return step(source, (state, now) -> state.house().tend(retention, now));
	}

	@Override
	public Map<String, String> claimedWith(String queue, Set<String> tokens) {
		return step(queue,
				(state, now) -> state.table()
					.in(TaskState.IN_FLIGHT)
					.filter((entry) -> tokens.contains(entry.deliveries().token()))
					.limit(MAX_BATCH)
					.collect(Collectors.toMap(TaskEntry::id, (entry) -> entry.deliveries().token())));
	}

	@Override
	public List<Boolean> settle(String queue, List<Settlement> settlements) {
		Bounds.requireBatch(settlements);
		return step(queue, (state, now) -> {
			List<Boolean> applied = settlements.stream().map((settlement) -> state.settle(settlement, now)).toList();
			state.handled(settlements, Collections.frequency(applied, true));
			return applied;
		});
	}

	@Override
	public List<Boolean> extend(String queue, List<Extension> extensions) {
		Bounds.requireBatch(extensions);
		return step(queue,
				(state, now) -> extensions.stream().map((extension) -> state.extend(extension, now)).toList());
	}

	@Override
	public boolean cancel(String queue, String taskId, Condition condition) {
		return step(queue, (state, now) -> state.cancel(taskId, condition));
	}

	@Override
	public boolean reschedule(String queue, String taskId, DueTime due, Condition condition) {
		return step(queue, (state, now) -> state.reschedule(taskId, due, condition, now));
	}

	@Override
	public List<Boolean> redrive(String queue, List<String> taskIds, DueSpan due) {
		Bounds.requireBatch(taskIds);
		return step(queue, (state, now) -> state.redrive(taskIds, due, now));
	}

	@Override
	public Epoch beat(String source, Epoch known, String incarnation) {
		Epoch.requireIncarnation(incarnation);
		return step(source, (state, now) -> state.beat(known, incarnation));
	}

	@Override
	public void adopt(String source, String table) {
		step(source, (state, now) -> state.adopt(table));
	}

	@Override
	public String learn(String source, String number, boolean fresh) {
		return step(source, (state, now) -> state.learn(number, fresh));
	}

	@Override
	public long purge(String queue, TaskState state, int limit) {
		Bounds.requireLimit(limit);
		requireOver(state);
		return step(queue, (tasks, now) -> tasks.purge(state, limit));
	}

	private static void requireOver(TaskState state) {
		if (state != TaskState.DEAD && state != TaskState.COMPLETED) {
			throw new IllegalArgumentException("Only DEAD or COMPLETED tasks can be deleted, not " + state);
		}
	}

	@Override
	public long purge(String queue, TaskState state, Map<String, Long> generations, Instant until) {
		Bounds.requireBatch(generations.keySet());
		requireOver(state);
		generations.values().forEach(Generation::requireBounds);
		return step(queue, (tasks, now) -> tasks.purge(state, generations, DueMillis.bounded(until)));
	}

	@Override
	public long clear(String queue) {
		return step(queue, (state, now) -> state.clear());
	}

	@Override
	public void setPaused(String queue, boolean paused) {
		this.wakeListeners.wake(queue, step(queue, (state, now) -> state.setPaused(paused, now)));
	}

	@Override
	public Optional<StoredTask> find(String queue, String taskId) {
		return step(queue, (state, now) -> state.table().find(taskId));
	}

	@Override
	public List<StoredTask> list(String queue, TaskState state, int offset, int limit, Contents contents) {
		Bounds.requireLimit(limit);
		boolean dueOnly = contents.dueOnly() && state == TaskState.SCHEDULED;
		return step(queue,
				(tasks, now) -> tasks.table()
					.list(state, offset, limit, contents.maxBytes())
					.stream()
					.filter((task) -> !dueOnly || task.at().toEpochMilli() <= now.millis())
					.toList());
	}

	@Override
	public DeadPage dead(String queue, DeadSearch search) {
		return step(queue, (tasks, now) -> new DeadLook(tasks.table()).look(search));
	}

	@Override
	public QueueStats stats(String queue) {
		return step(queue, QueueState::stats);
	}

	@Override
	public Forecast forecast(String queue, Forecast.Bars bars) {
		return step(queue, (state, now) -> new QueueFigures(state.table(), now).forecast(bars));
	}

	@Override
	public History history(String queue) {
		return step(queue, (state, now) -> state.house().history(now));
	}

	@Override
	public synchronized void announce(String queue) {
		this.announced.add(queue);
	}

	@Override
	public synchronized boolean forget(String queue) {
		QueueState state = state(queue);
		if (state.table().size() > 0) {
			return false;
		}
		this.queues.put(queue, state.forgotten());
		this.announced.remove(queue);
		return true;
	}

	@Override
	public synchronized Set<String> queues() {
		return new TreeSet<>(this.announced);
	}

	/** The latest last. */
	@Override
	public synchronized void attend(String instance, String trace) {
		this.traces.remove(instance);
		this.traces.put(instance, new Trace(this.clock.instant(), trace));
		attendance();
	}

	@Override
	public synchronized Optional<List<Attendance>> attendance(String idPrefix) {
		Instant now = this.clock.instant();
		this.traces.values().removeIf((trace) -> trace.age(now).compareTo(Attendance.KEPT) > 0);
		this.traces.keySet()
			.removeAll(List.copyOf(this.traces.keySet()).subList(0, Math.max(0, this.traces.size() - Attendance.MAX)));
		return Optional.of(this.traces.entrySet()
			.stream()
			.filter((trace) -> trace.getKey().startsWith(idPrefix))
			.map((trace) -> new Attendance(trace.getKey(), trace.getValue().at(), trace.getValue().age(now),
					trace.getValue().text()))
			.toList());
	}

	@Override
	public WakeSubscription subscribe(String queue, WakeListener listener) {
		return this.wakeListeners.subscribe(queue, listener);
	}

	/**
	 * Forget everything: tasks, totals, pauses, numbers of sources and the names of
	 * queues, as if the store had just been created. Subscriptions stay.
	 */
	public synchronized void reset() {
		this.queues.clear();
		this.announced.clear();
		this.traces.clear();
	}

	private record Trace(Instant at, String text) {

		Duration age(Instant now) {
			return Duration.between(this.at, now).abs();
		}

	}

	synchronized QueueState state(String queue) {
		return this.queues.computeIfAbsent(queue, (name) -> new QueueState(this.orders.apply(name)));
	}

	private <T extends @Nullable Object> T step(String queue, BiFunction<QueueState, StepTime, T> step) {
		T result;
		Duration wakeIn = null;
		boolean withdrew;
		synchronized (this) {
			QueueState state = state(queue);
			StepTime now = StepTime.of(this.clock);
			long before = state.earliestDue();
			boolean full = state.isFull();
			result = step.apply(state, now);
			withdrew = state.withdrew();
			long after = state.earliestDue();
			if (after < before && before > now.millis()) {
				wakeIn = now.until(after);
			}
			if (full && !state.isFull()) {
				wakeIn = Duration.ZERO;
			}
		}
		if (withdrew) {
			this.wakeListeners.tell(queue, WakeListener::withdrawn);
		}
		this.wakeListeners.wake(queue, wakeIn);
		return result;
	}

}
