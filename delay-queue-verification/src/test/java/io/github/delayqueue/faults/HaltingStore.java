package io.github.delayqueue.faults;

import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.github.delayqueue.roles.DelegatingTaskStore;
import io.github.delayqueue.store.Condition;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.ScheduleOptions;
import io.github.delayqueue.store.ScheduleReply;
import io.github.delayqueue.store.Settlement;
import io.github.delayqueue.store.TaskStore;

/**
 * Ends the process without any tidying up now and then, and where it is asked for,
 * between what a journal did in the database and what it does in Redis thereupon, or
 * right after that. Thread-safe.
 * <p>
 * What is scheduled here is committed already, or is being handed over by a loader; what
 * is completed has no row any more.
 */
final class HaltingStore extends DelegatingTaskStore {

	static final String BETWEEN_COMMIT_AND_HAND_OVER = "before-hand-over";

	static final String BETWEEN_ROW_AND_SETTLEMENT = "before-settlement";

	/** One call in so many, beside those that are asked for. */
	private static final int EVERY = 1500;

	private final Path directory;

	private final HistoryLog log;

	private final Random random;

	HaltingStore(TaskStore store, HistoryLog log, Path directory, long seed) {
		super(store);
		this.directory = directory;
		this.log = log;
		this.random = new Random(seed);
	}

	/**
	 * The file that asks for a halt, and is removed by the process that halts.
	 * @param directory folder of the histories
	 * @param where where to halt
	 * @return the file
	 */
	static Path request(Path directory, String where) {
		return directory.resolve("halt-" + where);
	}

	private void halt(String where) {
		halt(where, List.of());
	}

	private void halt(String where, List<NewTask> tasks) {
		File request = request(this.directory, where).toFile();
		if (request.exists() || this.random.nextInt(EVERY) == 0) {
			this.log.write("halting", where, tasks.stream().map(NewTask::id).collect(Collectors.joining(" ")));
			request.delete();
			Runtime.getRuntime().halt(3);
		}
	}

	@Override
	public Supplier<ScheduleReply> scheduleAhead(String queue, List<NewTask> tasks, ScheduleOptions options) {
		halt(BETWEEN_COMMIT_AND_HAND_OVER, tasks);
		ScheduleReply reply = super.scheduleAhead(queue, tasks, options).get();
		halt("after-hand-over");
		return () -> reply;
	}

	@Override
	public List<Boolean> settle(String partition, List<Settlement> settlements) {
		if (settlements.stream()
			.anyMatch((settlement) -> settlement.end() instanceof Settlement.Complete end && !end.keep())) {
			// their rows are gone
			halt(BETWEEN_ROW_AND_SETTLEMENT);
		}
		List<Boolean> applied = super.settle(partition, settlements);
		halt("after-settlement");
		return applied;
	}

	@Override
	public boolean cancel(String queue, String taskId, Condition condition) {
		if (!condition.generation().isEmpty()) {
			halt("before-cancellation");
		}
		return super.cancel(queue, taskId, condition);
	}

	@Override
	public boolean reschedule(String queue, String taskId, DueTime due, Condition condition) {
		if (!condition.generation().isEmpty()) {
			halt("before-move");
		}
		return super.reschedule(queue, taskId, due, condition);
	}

}
