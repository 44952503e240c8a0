package io.github.delayqueue.test;

import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.roles.DelegatingTaskStore;
import io.github.delayqueue.roles.InstanceTraces;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.ScheduleOptions;
import io.github.delayqueue.store.ScheduleReply;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.store.WakeListener;
import io.github.delayqueue.store.WakeSubscription;

/** Refuses what a test schedules that no test method would find. */
final class CheckedTaskStore extends DelegatingTaskStore {

	private final TestTurns tests;

	private final DelayQueueTestClock clock;

	CheckedTaskStore(TaskStore store, TestTurns tests, DelayQueueTestClock clock) {
		super(store);
		this.tests = tests;
		this.clock = clock;
	}

	@Override
	public Supplier<ScheduleReply> scheduleAhead(String queue, List<NewTask> tasks, ScheduleOptions options) {
		tasks.stream().findFirst().ifPresent((task) -> this.tests.requireTurn(queue, task.id()));
		return super.scheduleAhead(queue, tasks, options);
	}

	/** Who waits in real time also learns that the time of the test has come. */
	@Override
	public WakeSubscription subscribe(String queue, WakeListener listener) {
		WakeSubscription subscription = super.subscribe(queue, listener);
		Runnable watch = this.clock.watch(() -> listener.wake(Duration.ZERO));
		return () -> {
			watch.run();
			subscription.close();
		};
	}

	/** Listeners of a test leave no traces, which would need another thread. */
	@Override
	public <R> @Nullable R role(Class<R> type) {
		return (type == InstanceTraces.class) ? null : super.role(type);
	}

}
