package io.github.delayqueue.producer;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.SmartLifecycle;

import io.github.delayqueue.DeadReason;
import io.github.delayqueue.Names;
import io.github.delayqueue.QueueStats;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.convert.TaskCodec;
import io.github.delayqueue.event.TaskEvents;
import io.github.delayqueue.options.QueueOptions;
import io.github.delayqueue.store.Condition;
import io.github.delayqueue.store.Contents;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.StoredTask;
import io.github.delayqueue.store.TaskStore;

/**
 * Schedules, cancels, looks up and redrives tasks in a store. The bean that applications
 * inject. Thread-safe.
 * <p>
 * Works as soon as it is created and until it is destroyed. Stopping only sends what
 * {@link #scheduleAsync(TaskRequest)} has taken over: after listeners and the web server
 * have stopped, before the store does.
 */
public class DelayQueueTemplate implements DelayQueueOperations, SmartLifecycle, DisposableBean {

	/** Stops after whatever schedules, and before the store, whose phase is 0. */
	public static final int PHASE = 100;

	/** Largest offset of {@link #list(String, TaskState, int, int)}. */
	public static final int MAX_OFFSET = 10_000;

	private final TaskStore store;

	private final TaskCodec codec;

	private final TaskIds ids = new TaskIds(System::currentTimeMillis);

	private final TaskSender sender;

	private final TaskSteps steps;

	private final ObservedCalls observedCalls;

	private final @Nullable TaskPoller poller;

	private final @Nullable ManyTasks many;

	/** Says when a recurring task is run first. */
	private volatile Clock taskClock = Clock.systemUTC();

	private volatile boolean running;

	/**
	 * Create a template.
	 * @param events whom to tell what happens
	 * @param settings what is configured for a queue
	 * @param parts what hangs on it; none is needed to schedule
	 */
	public DelayQueueTemplate(TaskStore store, TaskCodec codec, TaskEvents events,
			Function<String, QueueOptions> settings, ProducerPart... parts) {
		this.store = store;
		this.codec = codec;
		this.sender = new TaskSender(store, events, List.of(parts), settings);
		this.steps = new TaskSteps(store);
		this.observedCalls = new ObservedCalls(events.observer());
		this.poller = part(TaskPoller.class);
		this.many = part(ManyTasks.class);
		if (this.many != null) {
			this.many.join(this.sender, this::encode);
		}
	}

	private <P extends ProducerPart> @Nullable P part(Class<P> type) {
		return this.sender.parts().stream().filter(type::isInstance).map(type::cast).findFirst().orElse(null);
	}

	private static <P extends ProducerPart> P require(@Nullable P part, String what) {
		if (part == null) {
			throw new UnsupportedOperationException("This template has no part that " + what);
		}
		return part;
	}

	/** For tests: another clock than the machine's for the first run of what recurs. */
	public void setTaskClock(Clock clock) {
		this.taskClock = clock;
	}

	@Override
	public ScheduleResult schedulePayload(String queue, @Nullable Object payload, Duration delay) {
		return schedule(TaskRequest.queue(queue).payload(payload).delay(delay).build());
	}

	@Override
	public ScheduleResult schedulePayload(String queue, @Nullable Object payload, Instant dueAt) {
		return schedule(TaskRequest.queue(queue).payload(payload).dueAt(dueAt).build());
	}

	@Override
	public ScheduleResult schedule(String queue, String taskId, @Nullable Object payload, Duration delay) {
		return schedule(TaskRequest.queue(queue).id(taskId).payload(payload).delay(delay).build());
	}

	@Override
	public ScheduleResult schedule(String queue, String taskId, @Nullable Object payload, Instant dueAt) {
		return schedule(TaskRequest.queue(queue).id(taskId).payload(payload).dueAt(dueAt).build());
	}

	@Override
	public ScheduleResult schedule(TaskRequest request) {
		return this.observedCalls.observer().isActive() ? this.observedCalls.schedule(request, this::send)
				: send(request);
	}

	private ScheduleResult send(TaskRequest request) {
		EncodedTask task = encode(request);
		try {
			return this.sender.send(task.queue(), List.of(task.task())).get(0);
		}
		catch (RuntimeException ex) {
			throw StoreErrors.ofTask(ex, task.queue(), task.id());
		}
	}

	@Override
	public CompletableFuture<ScheduleResult> scheduleAsync(TaskRequest request) {
		return this.observedCalls.observer().isActive()
				? this.observedCalls.scheduleAsync(request, many()::scheduleAsync) : many().scheduleAsync(request);
	}

	@Override
	public List<ScheduleResult> scheduleAll(Collection<TaskRequest> requests) {
		return this.observedCalls.observer().isActive() ? this.observedCalls.scheduleAll(requests, many()::scheduleAll)
				: many().scheduleAll(requests);
	}

	private ManyTasks many() {
		return require(this.many, "schedules many tasks");
	}

	private EncodedTask encode(TaskRequest request) {
		long start = System.nanoTime();
		try {
			return EncodedTask.of(request, this.ids, this.taskClock, this.codec,
					this.sender.settings().apply(request.queue()));
		}
		catch (RuntimeException ex) {
			throw this.sender.failed(request.queue(), start, ex);
		}
	}

	@Override
	public boolean cancel(String queue, String taskId) {
		return onTask(queue, taskId, () -> this.store.cancel(queue, taskId, Condition.NONE));
	}

	@Override
	public List<String> cancelAll(String queue, Collection<String> taskIds) {
		return this.steps.cancel(queue, taskIds);
	}

	@Override
	public boolean reschedule(String queue, String taskId, Duration delay) {
		return reschedule(queue, taskId, DueTime.in(delay));
	}

	@Override
	public boolean reschedule(String queue, String taskId, Instant dueAt) {
		return reschedule(queue, taskId, DueTime.at(dueAt));
	}

	private boolean reschedule(String queue, String taskId, DueTime due) {
		return onTask(queue, taskId, () -> this.store.reschedule(queue, taskId, due));
	}

	@Override
	public Optional<TaskDetails> find(String queue, String taskId) {
		return onTask(queue, taskId, () -> this.store.find(queue, taskId))
			.map((task) -> TaskDetails.of(this.codec, queue, task));
	}

	@Override
	public List<TaskDetails> list(String queue, TaskState state, int offset, int limit) {
		return list(queue, state, offset, limit, Contents.ALL);
	}

	@Override
	public List<TaskDetails> listDue(String queue, int offset, int limit) {
		return list(queue, TaskState.SCHEDULED, offset, limit, Contents.ALL.ofDue());
	}

	private List<TaskDetails> list(String queue, TaskState state, int offset, int limit, Contents contents) {
		TaskSteps.requireLimit(queue, "offset", offset, 0, MAX_OFFSET);
		TaskSteps.requireLimit(queue, "limit", limit, 1, TaskStore.MAX_BATCH);
		List<TaskDetails> tasks = new ArrayList<>();
		for (StoredTask task : this.store.view().list(queue, state, offset, limit, contents)) {
			tasks.add(TaskDetails.of(this.codec, queue, task));
		}
		return tasks;
	}

	@Override
	public Set<String> queues() {
		return this.store.view().queues();
	}

	@Override
	public QueueStats stats(String queue) {
		return this.store.view().stats(Names.requireQueue(queue));
	}

	@Override
	public long redrive(String queue, int limit) {
		return this.steps.redrive(queue, null, TaskSteps.requireLimit(queue, "limit", limit, 1, Integer.MAX_VALUE));
	}

	@Override
	public boolean redrive(String queue, String taskId) {
		return onTask(queue, taskId, () -> this.store.control().redrive(queue, List.of(taskId)).get(0));
	}

	@Override
	public long redrive(String queue, DeadReason reason, int limit) {
		return this.steps.redrive(queue, reason, TaskSteps.requireLimit(queue, "limit", limit, 1, Integer.MAX_VALUE));
	}

	@Override
	public boolean delete(String queue, String taskId) {
		return onTask(queue, taskId, () -> this.steps.delete(queue, taskId));
	}

	@Override
	public long delete(String queue, DeadReason reason, int limit) {
		return this.steps.delete(queue, reason, TaskSteps.requireLimit(queue, "limit", limit, 1, Integer.MAX_VALUE));
	}

	@Override
	public long delete(String queue, TaskState state, int limit) {
		return this.steps.delete(queue, state, TaskSteps.requireLimit(queue, "limit", limit, 1, Integer.MAX_VALUE));
	}

	@Override
	public void pause(String queue) {
		this.store.control().setPaused(Names.requireQueue(queue), true);
	}

	@Override
	public void resume(String queue) {
		this.store.control().setPaused(Names.requireQueue(queue), false);
	}

	@Override
	public boolean forget(String queue) {
		return this.store.control().forget(Names.requireQueue(queue));
	}

	@Override
	public long clear(String queue) {
		return this.store.control().clear(Names.requireQueue(queue));
	}

	@Override
	public List<ClaimedTask> poll(String queue, int limit, Duration leaseDuration) {
		return poller(queue, limit).poll(queue, limit, leaseDuration);
	}

	@Override
	public List<ClaimedTask> poll(String queue, int limit, Duration leaseDuration, Duration maxWait)
			throws InterruptedException {
		return poller(queue, limit).poll(queue, limit, leaseDuration, maxWait);
	}

	private TaskPoller poller(String queue, int limit) {
		TaskSteps.requireLimit(queue, "limit", limit, 1, TaskStore.MAX_BATCH);
		return require(this.poller, "polls");
	}

	private static <T> T onTask(String queue, String taskId, Supplier<T> step) {
		Names.requireQueue(queue);
		Names.requireTaskId(queue, taskId);
		try {
			return step.get();
		}
		catch (RuntimeException ex) {
			throw StoreErrors.ofTask(ex, queue, taskId);
		}
	}

	@Override
	public void start() {
		this.ids.renew();
		this.sender.parts().forEach(ProducerPart::begin);
		this.running = true;
	}

	@Override
	public void stop() {
		this.running = false;
		this.sender.parts().forEach(ProducerPart::end);
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	@Override
	public int getPhase() {
		return PHASE;
	}

	@Override
	public void destroy() {
		this.sender.parts().forEach(ProducerPart::close);
	}

}
