package io.github.delayqueue.test;

import java.util.List;
import java.util.function.Supplier;

import io.github.delayqueue.store.DelegatingTaskStore;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.ReplicatedSchedule;
import io.github.delayqueue.store.ScheduleOutcome;
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
	public List<ScheduleOutcome> schedule(String queue, List<NewTask> tasks) {
		check(queue, tasks);
		return super.schedule(queue, tasks);
	}

	@Override
	public Supplier<List<ScheduleOutcome>> scheduleAhead(String queue, List<NewTask> tasks) {
		check(queue, tasks);
		return super.scheduleAhead(queue, tasks);
	}

	@Override
	public ReplicatedSchedule scheduleReplicated(String queue, List<NewTask> tasks, int minReplicas) {
		check(queue, tasks);
		return super.scheduleReplicated(queue, tasks, minReplicas);
	}

	private void check(String queue, List<NewTask> tasks) {
		tasks.stream().findFirst().ifPresent((task) -> this.tests.requireTurn(queue, task.id()));
	}

}
