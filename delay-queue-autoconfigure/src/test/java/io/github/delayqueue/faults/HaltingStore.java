package io.github.delayqueue.faults;

import java.util.List;
import java.util.Random;

import io.github.delayqueue.store.DelegatingTaskStore;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.Epoch;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.ScheduleOutcome;
import io.github.delayqueue.store.Settlement;
import io.github.delayqueue.store.VersionedTaskStore;

/**
 * Ends the process without any tidying up now and then, between what a journal did in the
 * database and what it does in Redis thereupon, or right after that. Thread-safe.
 */
final class HaltingStore extends DelegatingTaskStore implements VersionedTaskStore {

	/** One call in so many. */
	private static final int EVERY = 800;

	private final VersionedTaskStore store;

	private final HistoryLog log;

	private final Random random = new Random();

	HaltingStore(VersionedTaskStore store, HistoryLog log) {
		super(store);
		this.store = store;
		this.log = log;
	}

	private void halt(String where) {
		if (this.random.nextInt(EVERY) == 0) {
			this.log.write("halting", where);
			Runtime.getRuntime().halt(3);
		}
	}

	@Override
	public List<ScheduleOutcome> schedule(String queue, List<NewTask> tasks) {
		halt("before-hand-over");
		List<ScheduleOutcome> outcomes = super.schedule(queue, tasks);
		halt("after-hand-over");
		return outcomes;
	}

	@Override
	public List<Boolean> settle(String partition, List<Settlement> settlements) {
		halt("before-settlement");
		List<Boolean> applied = super.settle(partition, settlements);
		halt("after-settlement");
		return applied;
	}

	@Override
	public boolean cancel(String queue, String taskId, long generation) {
		halt("before-cancellation");
		return this.store.cancel(queue, taskId, generation);
	}

	@Override
	public boolean reschedule(String queue, String taskId, DueTime due, long generation) {
		halt("before-move");
		return this.store.reschedule(queue, taskId, due, generation);
	}

	@Override
	public Epoch beat(String partition, String incarnation) {
		return this.store.beat(partition, incarnation);
	}

}
