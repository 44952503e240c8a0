package io.github.delayqueue.store;

import java.util.Map;

import io.github.delayqueue.TaskState;

/**
 * A store whose steps can be held to a {@linkplain Generation generation}, for somebody
 * who keeps the truth elsewhere and whose messages to the store may come late, twice, or
 * from several processes at once. Together with {@link DuplicatePolicy#NEWER} and
 * {@link Settlement#drop} each of them is harmless then. Public for the journal.
 */
public interface VersionedTaskStore extends TaskStore {

	/**
	 * Remove a task that is scheduled or in flight, as {@link #cancel(String, String)}
	 * does, unless it is newer.
	 * @param queue the queue
	 * @param taskId the task
	 * @param generation the highest generation that is removed, 0 to
	 * {@link Generation#MAX}; a task without a generation is removed as well
	 * @return whether there was such a task
	 * @throws IllegalArgumentException if the generation is not within its bounds
	 */
	boolean cancel(String queue, String taskId, long generation);

	/**
	 * Move the due time of a scheduled task, as
	 * {@link #reschedule(String, String, DueTime)} does, if it is of a generation: one of
	 * an older one may have another content. Its envelope gets the new generation;
	 * priority, counts and last failure stay.
	 * @param queue the queue
	 * @param taskId the task
	 * @param due the new due time
	 * @param expected the generation that the task has to have, 0 to
	 * {@link Generation#MAX}
	 * @param generation the generation that the task has then, 0 to
	 * {@link Generation#MAX}
	 * @return whether there was such a task, is {@link TaskState#SCHEDULED} and has been
	 * moved
	 * @throws IllegalArgumentException if a generation is not within its bounds
	 */
	boolean reschedule(String queue, String taskId, DueTime due, long expected, long generation);

	/**
	 * Forget tasks if they are dead, as {@link #purge(String, TaskState, int)} does,
	 * unless they are newer.
	 * @param queue the queue
	 * @param generations ids, at most {@link TaskStore#MAX_BATCH}, and for each the
	 * highest generation that is forgotten, 0 to {@link Generation#MAX}; a task without a
	 * generation is forgotten as well, one that is not dead stays as it is
	 * @return how many have been forgotten
	 * @throws IllegalArgumentException if there are too many, or a generation is not
	 * within its bounds
	 */
	long purge(String queue, Map<String, Long> generations);

	/**
	 * Count a beat of a partition, and say to which incarnation of the store it belongs.
	 * @param partition the name of the partition, as {@link #partitions(String)} answers
	 * it
	 * @param known what is remembered of it: if it is of this incarnation, and has fewer
	 * beats, it is an older copy and becomes another incarnation
	 * @param incarnation the name of the incarnation if there is none yet, or it is to
	 * become another one, see {@link Epoch#requireIncarnation}; one that nobody has used
	 * before
	 * @return the incarnation and the number of beats, this one included
	 * @throws IllegalArgumentException if the text is no name of an incarnation
	 */
	Epoch beat(String partition, Epoch known, String incarnation);

}
