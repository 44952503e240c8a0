package io.github.delayqueue.management;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.DeadReason;
import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.Names;
import io.github.delayqueue.QueueStats;
import io.github.delayqueue.TaskFailure;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.convert.Envelope;
import io.github.delayqueue.convert.FailureJson;
import io.github.delayqueue.convert.TaskCodec;
import io.github.delayqueue.convert.UnreadableTaskException;
import io.github.delayqueue.producer.ManagedQueues;
import io.github.delayqueue.producer.ProducerPart;
import io.github.delayqueue.producer.StoreErrors;
import io.github.delayqueue.producer.TaskDetails;
import io.github.delayqueue.producer.TaskView;
import io.github.delayqueue.roles.Contents;
import io.github.delayqueue.roles.Generation;
import io.github.delayqueue.roles.QueueControl;
import io.github.delayqueue.roles.QueueView;
import io.github.delayqueue.store.StoredTask;
import io.github.delayqueue.store.TaskStore;

/**
 * Looks at queues and steers them for a template, many tasks step by step. Public for
 * wiring. Thread-safe.
 */
public record QueueSteps(TaskStore store, TaskCodec codec) implements ManagedQueues, ProducerPart {

	/** Redriving is a few commands for each task: not too many in one step. */
	private static final int PAGE = 100;

	@Override
	public Set<String> queues() {
		return QueueView.of(this.store).queues();
	}

	@Override
	public Optional<TaskDetails> find(String queue, String taskId) {
		return this.store.find(queue, taskId).map((task) -> details(queue, task));
	}

	@Override
	public List<TaskDetails> list(String queue, TaskState state, int offset, int limit) {
		return list(queue, state, offset, limit, Contents.ALL);
	}

	@Override
	public List<TaskDetails> listDue(String queue, int offset, int limit) {
		return list(queue, TaskState.SCHEDULED, offset, limit, Contents.ALL.ofDue());
	}

	private List<TaskDetails> list(String queue, TaskState state, int offset, int limit, Contents contents) {
		requireLimit(queue, "offset", offset, 0, MAX_OFFSET);
		requireLimit(queue, "limit", limit, 1, TaskStore.MAX_BATCH);
		return QueueView.of(this.store)
			.list(queue, state, offset, limit, contents)
			.stream()
			.map((task) -> details(queue, task))
			.toList();
	}

	private TaskDetails details(String queue, StoredTask task) {
		byte[] failure = task.failure();
		return new TaskDetails(queue, task.id(), task.state(), task.dueAt(), task.at(), task.priority(),
				task.failures(), task.leasesLost(), (failure != null) ? FailureJson.readFailure(failure) : null,
				(failure != null) ? FailureJson.readLastRun(failure) : null,
				TaskView.Content.read(this.codec, () -> read(queue, task)));
	}

	private Envelope read(String queue, StoredTask task) {
		if (task.envelope() == null) {
			throw new UnreadableTaskException(queue, task.id(), "it has no record");
		}
		return this.codec.readEnvelope(task.envelope());
	}

	@Override
	public QueueStats stats(String queue) {
		return QueueView.of(this.store).stats(Names.requireQueue(queue));
	}

	@Override
	public List<String> cancelAll(String queue, Collection<String> taskIds) {
		requireLimit(queue, "number of ids", taskIds.size(), 0, TaskStore.MAX_BATCH);
		taskIds.forEach((id) -> Names.requireTaskId(queue, id));
		List<String> cancelled = new ArrayList<>(taskIds.size());
		for (String id : taskIds) {
			if (afterSome(cancelled.size(), "cancelled", () -> this.store.cancel(queue, id))) {
				cancelled.add(id);
			}
		}
		return cancelled;
	}

	@Override
	public boolean redrive(String queue, String taskId) {
		return QueueControl.of(this.store).redrive(queue, List.of(taskId)).get(0);
	}

	@Override
	public long redrive(String queue, int limit) {
		return redrive(queue, null, limit);
	}

	@Override
	public long redrive(String queue, @Nullable DeadReason reason, int limit) {
		return each(queue, reason, limit, "redriven",
				(ids) -> Collections.frequency(QueueControl.of(this.store).redrive(queue, ids), true));
	}

	@Override
	public boolean delete(String queue, String taskId) {
		List<String> id = List.of(taskId);
		return delete(queue, TaskState.DEAD, id) > 0 || delete(queue, TaskState.COMPLETED, id) > 0;
	}

	@Override
	public long delete(String queue, DeadReason reason, int limit) {
		return each(queue, reason, limit, "deleted", (ids) -> (int) delete(queue, TaskState.DEAD, ids));
	}

	/**
	 * Go through dead letters.
	 * @param reason what they died of, {@code null} for whatever it was
	 * @param step returns with how many of some it has been done
	 */
	private long each(String queue, @Nullable DeadReason reason, int limit, String done,
			ToIntFunction<List<String>> step) {
		requireLimit(queue, "limit", limit, 1, Integer.MAX_VALUE);
		// A task that dies again meanwhile must not be taken in a circle
		long dead = QueueView.of(this.store).stats(queue).dead();
		long most = Math.min(limit, dead);
		long taken = 0;
		int passedOver = 0;
		// what is taken within a transaction is listed until it commits, and passed over
		while (taken < most && passedOver < dead) {
			int page = (int) Math.min(PAGE, ((reason != null) ? dead : most) - taken);
			int offset = passedOver;
			List<StoredTask> tasks = afterSome(taken, done,
					() -> QueueView.of(this.store).list(queue, TaskState.DEAD, offset, page, Contents.NONE));
			if (tasks.isEmpty()) {
				break;
			}
			List<String> ids = new ArrayList<>();
			for (StoredTask task : tasks) {
				if (ids.size() < most - taken && (reason == null || reason == reason(task))) {
					ids.add(task.id());
				}
			}
			int some = ids.isEmpty() ? 0 : afterSome(taken, done, () -> step.applyAsInt(ids));
			taken += some;
			passedOver += Math.max(0, tasks.size() - some);
		}
		return taken;
	}

	private static @Nullable DeadReason reason(StoredTask task) {
		TaskFailure failure = (task.failure() != null) ? FailureJson.readFailure(task.failure()) : null;
		return (failure != null) ? failure.reason() : null;
	}

	@Override
	public long delete(String queue, TaskState state, int limit) {
		requireLimit(queue, "limit", limit, 1, Integer.MAX_VALUE);
		if (state != TaskState.DEAD && state != TaskState.COMPLETED) {
			throw new DelayQueueException(queue, null, "Queue '" + queue + "': only DEAD and COMPLETED tasks can be"
					+ " deleted, not " + state + " ones; cancel removes a task, clear all of them");
		}
		long deleted = 0;
		while (deleted < limit) {
			int chunk = (int) Math.min(TaskStore.MAX_BATCH, limit - deleted);
			long removed = afterSome(deleted, "deleted", () -> QueueControl.of(this.store).purge(queue, state, chunk));
			deleted += removed;
			if (removed == 0) {
				break;
			}
		}
		return deleted;
	}

	private long delete(String queue, TaskState state, List<String> ids) {
		Map<String, Long> generations = new HashMap<>();
		ids.forEach((id) -> generations.put(id, Generation.MAX));
		return QueueControl.of(this.store).purge(queue, state, generations);
	}

	@Override
	public void pause(String queue) {
		QueueControl.of(this.store).setPaused(Names.requireQueue(queue), true);
	}

	@Override
	public void resume(String queue) {
		QueueControl.of(this.store).setPaused(Names.requireQueue(queue), false);
	}

	@Override
	public boolean forget(String queue) {
		return QueueControl.of(this.store).forget(Names.requireQueue(queue));
	}

	@Override
	public long clear(String queue) {
		return QueueControl.of(this.store).clear(Names.requireQueue(queue));
	}

	private static void requireLimit(String queue, String name, int value, int min, int max) {
		Names.requireQueue(queue);
		if (value < min || value > max) {
			String rule = (max < Integer.MAX_VALUE) ? min + " to " + max : "at least " + min;
			throw new DelayQueueException(queue, null,
					"Queue '" + queue + "': " + name + " must be " + rule + ", but is " + value);
		}
	}

	private static <T> T afterSome(long tasks, String done, Supplier<T> step) {
		try {
			return step.get();
		}
		catch (RuntimeException ex) {
			throw StoreErrors.withProgress(ex, "after " + tasks + " tasks had been " + done);
		}
	}

}
