package io.github.delayqueue.producer;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import io.github.delayqueue.DeadReason;
import io.github.delayqueue.QueueStats;
import io.github.delayqueue.TaskState;

/**
 * The calls that look at queues, and steer them. A {@link ProducerPart} implements them.
 */
public interface ManagedQueues {

	/** Largest offset of {@link #list(String, TaskState, int, int)}. */
	int MAX_OFFSET = 10_000;

	/** All queues that have been used and not been forgotten. */
	Set<String> queues();

	/**
	 * Remove tasks that are scheduled or in flight, one step after the other. If it
	 * throws, some are cancelled; the message says how many. Repeating it is harmless.
	 * @param taskIds the tasks, at most 500
	 * @return those that there were, in the same order
	 */
	List<String> cancelAll(String queue, Collection<String> taskIds);

	/** Look up a task: as it is now, empty if there is none. */
	Optional<TaskDetails> find(String queue, String taskId);

	/**
	 * Look at the tasks of one state: scheduled ones by due time, those in flight by
	 * lease deadline, completed and dead ones by when they became so.
	 * @param offset how many to skip, at most 10,000
	 * @param limit how many to return at most, 1 to 500
	 */
	List<TaskDetails> list(String queue, TaskState state, int offset, int limit);

	/**
	 * Look at the tasks that are due, and take none of them: scheduled ones whose time
	 * has come by the clock of the store, by due time. Consumers take them meanwhile, by
	 * priority; to take some by hand,
	 * {@linkplain DelayQueueOperations#poll(String, int, Duration) poll}.
	 * @param offset how many to skip, at most 10,000
	 * @param limit how many to return at most, 1 to 500
	 */
	List<TaskDetails> listDue(String queue, int offset, int limit);

	/** The figures of a queue, all zero if there is none of that name. */
	QueueStats stats(String queue);

	/**
	 * Schedule dead letters again, due now, the longest dead first. Counts start at zero,
	 * the last failure stays visible until the task is handled. A sequence of steps, for
	 * no more tasks than are dead when it begins; ids without a record are passed over.
	 * @param limit how many at most, at least 1
	 * @return how many
	 */
	long redrive(String queue, int limit);

	/**
	 * Schedule dead letters again as {@link #redrive(String, int)} does, those that died
	 * of a reason. Looks at all dead letters, a page at a time, until it has as many.
	 */
	long redrive(String queue, DeadReason reason, int limit);

	/**
	 * Schedule a dead letter again, due now.
	 * @return whether it was dead
	 */
	boolean redrive(String queue, String taskId);

	/**
	 * Delete a task that is dead or completed. It is not delivered again, and its id is
	 * free. One that is not over stays: {@link DelayQueueOperations#cancel} is for those.
	 * @return whether a dead or completed task was deleted
	 */
	boolean delete(String queue, String taskId);

	/**
	 * Delete tasks that are over, the oldest first. A sequence of steps.
	 * @param state {@link TaskState#DEAD} or {@link TaskState#COMPLETED}
	 * @param limit how many at most, at least 1
	 * @return how many
	 */
	long delete(String queue, TaskState state, int limit);

	/**
	 * Delete dead letters as {@link #delete(String, TaskState, int)} does, those that
	 * died of a reason. Looks at all dead letters, a page at a time, until it has as
	 * many.
	 */
	long delete(String queue, DeadReason reason, int limit);

	/**
	 * Deliver nothing more from a queue, on any instance, until it is resumed. Handlers
	 * that run go on; scheduling goes on.
	 */
	void pause(String queue);

	/** End a pause. */
	void resume(String queue);

	/**
	 * Forget a queue that is no longer used: its name, totals and pause. If it is used
	 * again, it is known again, with totals of zero.
	 * @return whether it is forgotten; {@code false}, and nothing is changed, if there
	 * are tasks in it, dead and completed ones included
	 */
	boolean forget(String queue);

	/**
	 * Clear a queue: remove all its tasks, in whatever state.
	 * @return how many were scheduled, in flight or dead
	 */
	long clear(String queue);

}
