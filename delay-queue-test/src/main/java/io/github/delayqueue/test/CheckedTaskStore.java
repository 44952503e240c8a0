package io.github.delayqueue.test;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import io.github.delayqueue.store.Attendance;
import io.github.delayqueue.store.DelegatingTaskStore;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.ScheduleOptions;
import io.github.delayqueue.store.ScheduleReply;
import io.github.delayqueue.store.TaskStore;

/**
 * Where the producers of a test schedule: refuses what no test method would find.
 */
final class CheckedTaskStore extends DelegatingTaskStore {

	private final TestTurns tests;

	CheckedTaskStore(TaskStore store, TestTurns tests) {
		super(store);
		this.tests = tests;
	}

	@Override
	public ScheduleReply schedule(String queue, List<NewTask> tasks, ScheduleOptions options) {
		check(queue, tasks);
		return super.schedule(queue, tasks, options);
	}

	@Override
	public Supplier<ScheduleReply> scheduleAhead(String queue, List<NewTask> tasks, ScheduleOptions options) {
		check(queue, tasks);
		return super.scheduleAhead(queue, tasks, options);
	}

	/**
	 * Not known: listeners of a test leave no traces, which would need another thread.
	 */
	@Override
	public Optional<List<Attendance>> attendance() {
		return Optional.empty();
	}

	private void check(String queue, List<NewTask> tasks) {
		tasks.stream().findFirst().ifPresent((task) -> this.tests.requireTurn(queue, task.id()));
	}

}
