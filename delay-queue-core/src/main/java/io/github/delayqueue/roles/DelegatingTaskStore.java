package io.github.delayqueue.roles;

import java.util.List;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopInfrastructureBean;

import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.ClaimResult;
import io.github.delayqueue.store.Condition;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.Extension;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.ScheduleOptions;
import io.github.delayqueue.store.ScheduleReply;
import io.github.delayqueue.store.Settlement;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.store.WakeListener;
import io.github.delayqueue.store.WakeSubscription;

/**
 * A store that leaves every step and role to another one: for decorators, which override
 * the steps, and implement the {@linkplain #role roles}, that they change. Public for
 * extension. As safe for threads as the other store is.
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
	public WakeSubscription subscribe(String queue, WakeListener listener) {
		return this.delegate.subscribe(queue, listener);
	}

	@Override
	public List<String> sources(String queue) {
		return this.delegate.sources(queue);
	}

	@Override
	public String source(String queue, String taskId) {
		return this.delegate.source(queue, taskId);
	}

	/** {@inheritDoc} The other store has it unless this one implements it. */
	@Override
	public <R> @Nullable R role(Class<R> type) {
		return type.isInstance(this) ? type.cast(this) : this.delegate.role(type);
	}

}
