package io.github.delayqueue.store;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.QueueCheck;
import io.github.delayqueue.QueueStats;
import io.github.delayqueue.TaskState;

/**
 * A store that leaves every step to another one: for decorators, which override what they
 * do otherwise. Public for extension. As safe for threads as the other store is.
 * <p>
 * No step is made of another here: {@link #schedule}, {@link #scheduleAhead} and
 * {@link #scheduleReplicated} go to the other store each by itself, and a decorator of
 * one has to think of all three. The exception is
 * {@link #list(String, TaskState, int, int)}, which is a case of
 * {@link #list(String, TaskState, int, int, boolean)}.
 */
public class DelegatingTaskStore implements TaskStore {

	private final TaskStore delegate;

	/**
	 * Create a store.
	 * @param delegate takes the steps
	 */
	protected DelegatingTaskStore(TaskStore delegate) {
		this.delegate = delegate;
	}

	@Override
	public List<ScheduleOutcome> schedule(String queue, List<NewTask> tasks) {
		return this.delegate.schedule(queue, tasks);
	}

	@Override
	public Supplier<List<ScheduleOutcome>> scheduleAhead(String queue, List<NewTask> tasks) {
		return this.delegate.scheduleAhead(queue, tasks);
	}

	@Override
	public ReplicatedSchedule scheduleReplicated(String queue, List<NewTask> tasks, int minReplicas) {
		return this.delegate.scheduleReplicated(queue, tasks, minReplicas);
	}

	@Override
	public ClaimResult claim(String queue, ClaimRequest request) {
		return this.delegate.claim(queue, request);
	}

	@Override
	public List<Boolean> settle(String queue, List<Settlement> settlements) {
		return this.delegate.settle(queue, settlements);
	}

	@Override
	public List<Boolean> extend(String queue, List<Extension> extensions) {
		return this.delegate.extend(queue, extensions);
	}

	@Override
	public boolean cancel(String queue, String taskId) {
		return this.delegate.cancel(queue, taskId);
	}

	@Override
	public boolean reschedule(String queue, String taskId, DueTime due) {
		return this.delegate.reschedule(queue, taskId, due);
	}

	@Override
	public List<Boolean> redrive(String queue, List<String> taskIds) {
		return this.delegate.redrive(queue, taskIds);
	}

	@Override
	public long purge(String queue, TaskState state, int limit) {
		return this.delegate.purge(queue, state, limit);
	}

	@Override
	public long clear(String queue) {
		return this.delegate.clear(queue);
	}

	@Override
	public void pause(String queue) {
		this.delegate.pause(queue);
	}

	@Override
	public void resume(String queue) {
		this.delegate.resume(queue);
	}

	@Override
	public Optional<StoredTask> find(String queue, String taskId) {
		return this.delegate.find(queue, taskId);
	}

	@Override
	public List<StoredTask> list(String queue, TaskState state, int offset, int limit, boolean envelopes) {
		return this.delegate.list(queue, state, offset, limit, envelopes);
	}

	@Override
	public List<StoredTask> glance(String queue, TaskState state, int offset, int limit) {
		return this.delegate.glance(queue, state, offset, limit);
	}

	@Override
	public QueueStats stats(String queue) {
		return this.delegate.stats(queue);
	}

	@Override
	public QueueCheck check(String queue, @Nullable String cursor, int limit) {
		return this.delegate.check(queue, cursor, limit);
	}

	@Override
	public QueueCheck repair(String queue, @Nullable String cursor, int limit, byte[] failure) {
		return this.delegate.repair(queue, cursor, limit, failure);
	}

	@Override
	public void announce(String queue) {
		this.delegate.announce(queue);
	}

	@Override
	public boolean forget(String queue) {
		return this.delegate.forget(queue);
	}

	@Override
	public Set<String> queues() {
		return this.delegate.queues();
	}

	@Override
	public WakeSubscription subscribe(String queue, WakeListener listener) {
		return this.delegate.subscribe(queue, listener);
	}

	@Override
	public boolean isSerial(String queue) {
		return this.delegate.isSerial(queue);
	}

	@Override
	public List<String> partitions(String queue) {
		return this.delegate.partitions(queue);
	}

}
