package io.github.delayqueue.faults;

import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

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
 * <p>
 * What is scheduled here is committed already, or is being handed over by a loader; what
 * is completed has no row any more.
 */
final class HaltingStore extends DelegatingTaskStore implements VersionedTaskStore {

	/** What processes do that are called so, once each. */
	static final String BETWEEN_COMMIT_AND_HAND_OVER = "before-hand-over";

	/** What processes do that are called so, once each. */
	static final String BETWEEN_ROW_AND_SETTLEMENT = "before-settlement";

	/** At which of these calls. */
	private static final int PLANNED = 40;

	/** The first of these in a row may die of something else before it has got so far. */
	private static final int PLANNED_PROCESSES = 3;

	/** Otherwise one call in so many. */
	private static final int EVERY = 1500;

	private final String process;

	private final AtomicInteger calls = new AtomicInteger();

	private final VersionedTaskStore store;

	private final HistoryLog log;

	private final Random random;

	HaltingStore(VersionedTaskStore store, HistoryLog log, String process, long seed) {
		super(store);
		this.process = process;
		this.store = store;
		this.log = log;
		this.random = new Random(seed + process.hashCode());
	}

	private boolean isPlanned(String where) {
		return IntStream.rangeClosed(1, PLANNED_PROCESSES)
			.anyMatch((number) -> this.process.equals(where + "-" + number));
	}

	private void halt(String where) {
		boolean planned = isPlanned(where) && this.calls.incrementAndGet() == PLANNED;
		if (planned || this.random.nextInt(EVERY) == 0) {
			this.log.write("halting", where);
			Runtime.getRuntime().halt(3);
		}
	}

	@Override
	public List<ScheduleOutcome> schedule(String queue, List<NewTask> tasks) {
		halt(BETWEEN_COMMIT_AND_HAND_OVER);
		List<ScheduleOutcome> outcomes = super.schedule(queue, tasks);
		halt("after-hand-over");
		return outcomes;
	}

	@Override
	public List<Boolean> settle(String partition, List<Settlement> settlements) {
		if (settlements.stream().anyMatch((settlement) -> settlement.action() == Settlement.Action.COMPLETE)) {
			// their rows are gone
			halt(BETWEEN_ROW_AND_SETTLEMENT);
		}
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
