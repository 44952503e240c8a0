package io.github.delayqueue.store;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

import org.springframework.aop.framework.AopInfrastructureBean;

import io.github.delayqueue.QueueStats;
import io.github.delayqueue.TaskState;

/**
 * A store that leaves every step to another one: for decorators, which override what they
 * do otherwise. Public for extension. As safe for threads as the other store is.
 * <p>
 * The short forms of {@link TaskStore} are cases of the long ones, and {@code schedule}
 * of {@link #scheduleAhead}; only these are to be overridden.
 */
public class DelegatingTaskStore implements TaskStore, AopInfrastructureBean {

	private final TaskStore delegate;

	/** Create a store. */
	protected DelegatingTaskStore(TaskStore delegate) {
		this.delegate = delegate;
	}

	@Override
	public Supplier<ScheduleReply> scheduleAhead(String queue, List<NewTask> tasks, ScheduleOptions options) {
		return this.delegate.scheduleAhead(queue, tasks, options);
	}

	@Override
	public ClaimResult claim(String queue, ClaimRequest request) {
		return this.delegate.claim(queue, request);
	}

	@Override
	public Tended tend(String partition, Retention retention) {
		return this.delegate.tend(partition, retention);
	}

	@Override
	public Map<String, String> claimedWith(String queue, Set<String> tokens) {
		return this.delegate.claimedWith(queue, tokens);
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
	public boolean cancel(String queue, String taskId, Condition condition) {
		return this.delegate.cancel(queue, taskId, condition);
	}

	@Override
	public boolean reschedule(String queue, String taskId, DueTime due, Condition condition) {
		return this.delegate.reschedule(queue, taskId, due, condition);
	}

	@Override
	public List<Boolean> redrive(String queue, List<String> taskIds, DueSpan due) {
		return this.delegate.redrive(queue, taskIds, due);
	}

	@Override
	public long purge(String queue, TaskState state, int limit) {
		return this.delegate.purge(queue, state, limit);
	}

	@Override
	public long purge(String queue, TaskState state, Map<String, Long> generations, Instant until) {
		return this.delegate.purge(queue, state, generations, until);
	}

	@Override
	public long clear(String queue) {
		return this.delegate.clear(queue);
	}

	@Override
	public void setPaused(String queue, boolean paused) {
		this.delegate.setPaused(queue, paused);
	}

	@Override
	public Optional<StoredTask> find(String queue, String taskId) {
		return this.delegate.find(queue, taskId);
	}

	@Override
	public List<StoredTask> list(String queue, TaskState state, int offset, int limit, Contents contents) {
		return this.delegate.list(queue, state, offset, limit, contents);
	}

	@Override
	public DeadPage dead(String queue, DeadSearch search) {
		return this.delegate.dead(queue, search);
	}

	@Override
	public QueueStats stats(String queue) {
		return this.delegate.stats(queue);
	}

	@Override
	public Forecast forecast(String queue, Forecast.Bars bars) {
		return this.delegate.forecast(queue, bars);
	}

	@Override
	public History history(String queue) {
		return this.delegate.history(queue);
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
	public void attend(String instance, String trace) {
		this.delegate.attend(instance, trace);
	}

	@Override
	public Optional<List<Attendance>> attendance(String idPrefix) {
		return this.delegate.attendance(idPrefix);
	}

	@Override
	public Optional<LeaseHolders> leaseHolders() {
		return this.delegate.leaseHolders();
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

	@Override
	public Epoch beat(String partition, Epoch known, String incarnation) {
		return this.delegate.beat(partition, known, incarnation);
	}

	@Override
	public void adopt(String queue, String table) {
		this.delegate.adopt(queue, table);
	}

}
