package io.github.delayqueue.producer;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
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
import io.github.delayqueue.store.DueTime;
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

	private final TaskCodec codec;

	private final TaskIds ids = new TaskIds(System::currentTimeMillis);

	private final TaskSender sender;

	private final @Nullable ScheduleObserver observer;

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
		this.codec = codec;
		this.sender = new TaskSender(store, events, List.of(parts), settings);
		this.observer = (events.observer() instanceof ScheduleObserver observer) ? observer : null;
		for (ProducerPart part : parts) {
			if (part instanceof SendingPart sending) {
				sending.join(this.sender, this::encode);
			}
		}
	}

	/** The part that implements some of the calls. */
	private <P> P part(Class<P> calls) {
		for (ProducerPart part : this.sender.parts()) {
			if (calls.isInstance(part)) {
				return calls.cast(part);
			}
		}
		throw new UnsupportedOperationException("This template has no part that is a " + calls.getSimpleName());
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
		ScheduleObserver observer = activeObserver();
		return (observer != null) ? observer.schedule(request, this::send) : send(request);
	}

	private @Nullable ScheduleObserver activeObserver() {
		ScheduleObserver observer = this.observer;
		return (observer != null && observer.isActive()) ? observer : null;
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
		ScheduleObserver observer = activeObserver();
		return (observer != null) ? observer.scheduleAsync(request, part(ManyTasks.class)::scheduleAsync)
				: part(ManyTasks.class).scheduleAsync(request);
	}

	@Override
	public List<ScheduleResult> scheduleAll(Collection<TaskRequest> requests) {
		ScheduleObserver observer = activeObserver();
		return (observer != null) ? observer.scheduleAll(requests, part(ManyTasks.class)::scheduleAll)
				: part(ManyTasks.class).scheduleAll(requests);
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
		return onTask(queue, taskId, () -> this.sender.store().cancel(queue, taskId, Condition.NONE));
	}

	@Override
	public List<String> cancelAll(String queue, Collection<String> taskIds) {
		return part(ManagedQueues.class).cancelAll(queue, taskIds);
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
		return onTask(queue, taskId, () -> this.sender.store().reschedule(queue, taskId, due));
	}

	@Override
	public Optional<TaskDetails> find(String queue, String taskId) {
		return onTask(queue, taskId, () -> part(ManagedQueues.class).find(queue, taskId));
	}

	@Override
	public List<TaskDetails> list(String queue, TaskState state, int offset, int limit) {
		return part(ManagedQueues.class).list(queue, state, offset, limit);
	}

	@Override
	public List<TaskDetails> listDue(String queue, int offset, int limit) {
		return part(ManagedQueues.class).listDue(queue, offset, limit);
	}

	@Override
	public Set<String> queues() {
		return part(ManagedQueues.class).queues();
	}

	@Override
	public QueueStats stats(String queue) {
		return part(ManagedQueues.class).stats(queue);
	}

	@Override
	public long redrive(String queue, int limit) {
		return part(ManagedQueues.class).redrive(queue, limit);
	}

	@Override
	public boolean redrive(String queue, String taskId) {
		return onTask(queue, taskId, () -> part(ManagedQueues.class).redrive(queue, taskId));
	}

	@Override
	public long redrive(String queue, DeadReason reason, int limit) {
		return part(ManagedQueues.class).redrive(queue, reason, limit);
	}

	@Override
	public boolean delete(String queue, String taskId) {
		return onTask(queue, taskId, () -> part(ManagedQueues.class).delete(queue, taskId));
	}

	@Override
	public long delete(String queue, DeadReason reason, int limit) {
		return part(ManagedQueues.class).delete(queue, reason, limit);
	}

	@Override
	public long delete(String queue, TaskState state, int limit) {
		return part(ManagedQueues.class).delete(queue, state, limit);
	}

	@Override
	public void pause(String queue) {
		part(ManagedQueues.class).pause(queue);
	}

	@Override
	public void resume(String queue) {
		part(ManagedQueues.class).resume(queue);
	}

	@Override
	public boolean forget(String queue) {
		return part(ManagedQueues.class).forget(queue);
	}

	@Override
	public long clear(String queue) {
		return part(ManagedQueues.class).clear(queue);
	}

	@Override
	public List<ClaimedTask> poll(String queue, int limit, Duration leaseDuration) {
		return part(TaskPoller.class).poll(queue, limit, leaseDuration);
	}

	@Override
	public List<ClaimedTask> poll(String queue, int limit, Duration leaseDuration, Duration maxWait)
			throws InterruptedException {
		return part(TaskPoller.class).poll(queue, limit, leaseDuration, maxWait);
	}

	private static <T> T onTask(String queue, String taskId, Supplier<T> step) {
		Names.requireTaskId(Names.requireQueue(queue), taskId);
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
