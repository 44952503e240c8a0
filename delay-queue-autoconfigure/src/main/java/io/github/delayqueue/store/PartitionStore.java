package io.github.delayqueue.store;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import io.github.delayqueue.TaskState;

/**
 * A store that can keep single partitions of a queue. To it each of them is a queue of
 * its own, by the name that {@link Partitions#name} gives it;
 * {@link PartitionedTaskStore} makes one queue of them.
 * <p>
 * Steps are told which counts their caller believes in. A partition that knows others
 * schedules nothing and throws {@link PartitionsChangedException}; so do the other steps
 * before they say of an id that it is not there. A partition that knows no counts takes
 * {@link PartitionCounts#ONE} for right. With {@link PartitionCounts#UNCHECKED} nothing
 * of that is checked, and the steps are those of {@link TaskStore}.
 */
public interface PartitionStore extends VersionedTaskStore {

	@Override
	default List<ScheduleOutcome> schedule(String queue, List<NewTask> tasks) {
		return schedule(queue, PartitionCounts.UNCHECKED, tasks);
	}

	@Override
	default Supplier<List<ScheduleOutcome>> scheduleAhead(String queue, List<NewTask> tasks) {
		return scheduleAhead(queue, PartitionCounts.UNCHECKED, tasks);
	}

	@Override
	default ReplicatedSchedule scheduleReplicated(String queue, List<NewTask> tasks, int minReplicas) {
		return scheduleReplicated(queue, PartitionCounts.UNCHECKED, tasks, minReplicas);
	}

	@Override
	default boolean cancel(String queue, String taskId) {
		return cancel(queue, PartitionCounts.UNCHECKED, taskId);
	}

	@Override
	default boolean reschedule(String queue, String taskId, DueTime due) {
		return reschedule(queue, PartitionCounts.UNCHECKED, taskId, due);
	}

	@Override
	default boolean cancel(String queue, String taskId, long generation) {
		return cancel(queue, PartitionCounts.UNCHECKED, taskId, generation);
	}

	@Override
	default boolean reschedule(String queue, String taskId, DueTime due, long expected, long generation) {
		return reschedule(queue, PartitionCounts.UNCHECKED, taskId, due, expected, generation);
	}

	@Override
	default List<Boolean> redrive(String queue, List<String> taskIds) {
		return redrive(queue, PartitionCounts.UNCHECKED, taskIds);
	}

	@Override
	default Optional<StoredTask> find(String queue, String taskId) {
		return find(queue, PartitionCounts.UNCHECKED, taskId);
	}

	/**
	 * As {@link TaskStore#schedule(String, List)}.
	 * @param partition the name of the partition
	 * @param counts what the caller believes in
	 * @param tasks the tasks
	 * @return what became of each
	 */
	List<ScheduleOutcome> schedule(String partition, PartitionCounts counts, List<NewTask> tasks);

	/**
	 * As {@link TaskStore#scheduleAhead(String, List)}.
	 * @param partition the name of the partition
	 * @param counts what the caller believes in
	 * @param tasks the tasks
	 * @return waits for the answer and gives it
	 */
	default Supplier<List<ScheduleOutcome>> scheduleAhead(String partition, PartitionCounts counts,
			List<NewTask> tasks) {
		List<ScheduleOutcome> outcomes = schedule(partition, counts, tasks);
		return () -> outcomes;
	}

	/**
	 * As {@link TaskStore#scheduleReplicated(String, List, int)}.
	 * @param partition the name of the partition
	 * @param counts what the caller believes in
	 * @param tasks the tasks
	 * @param minReplicas for how many replicas to wait
	 * @return what became of each, and how many replicas have them
	 */
	ReplicatedSchedule scheduleReplicated(String partition, PartitionCounts counts, List<NewTask> tasks,
			int minReplicas);

	/**
	 * As {@link TaskStore#cancel(String, String)}.
	 * @param partition the name of the partition
	 * @param counts what the caller believes in
	 * @param taskId the task
	 * @return whether there was such a task
	 */
	boolean cancel(String partition, PartitionCounts counts, String taskId);

	/**
	 * As {@link VersionedTaskStore#cancel(String, String, long)}.
	 * @param partition the name of the partition
	 * @param counts what the caller believes in
	 * @param taskId the task
	 * @param generation the highest generation that is removed
	 * @return whether there was such a task
	 */
	boolean cancel(String partition, PartitionCounts counts, String taskId, long generation);

	/**
	 * As {@link TaskStore#reschedule(String, String, DueTime)}.
	 * @param partition the name of the partition
	 * @param counts what the caller believes in
	 * @param taskId the task
	 * @param due the new due time
	 * @return whether there was such a task and it is scheduled
	 */
	boolean reschedule(String partition, PartitionCounts counts, String taskId, DueTime due);

	/**
	 * As {@link VersionedTaskStore#reschedule(String, String, DueTime, long, long)}.
	 * @param partition the name of the partition
	 * @param counts what the caller believes in
	 * @param taskId the task
	 * @param due the new due time
	 * @param expected the generation that the task must have
	 * @param generation the generation that the task has then
	 * @return whether there was such a task and it has been moved
	 */
	boolean reschedule(String partition, PartitionCounts counts, String taskId, DueTime due, long expected,
			long generation);

	/**
	 * As {@link TaskStore#redrive(String, List)}.
	 * @param partition the name of the partition
	 * @param counts what the caller believes in
	 * @param taskIds the tasks
	 * @return for each whether it was dead and has a record
	 */
	List<Boolean> redrive(String partition, PartitionCounts counts, List<String> taskIds);

	/**
	 * As {@link TaskStore#find(String, String)}.
	 * @param partition the name of the partition
	 * @param counts what the caller believes in
	 * @param taskId the task
	 * @return the task as it is now, empty if there is none
	 */
	Optional<StoredTask> find(String partition, PartitionCounts counts, String taskId);

	/**
	 * Look at single tasks of one state by their places in the indexes of a partition:
	 * one for each priority of scheduled tasks, in the order of priorities, one for each
	 * other state. Costs the same wherever the places are.
	 * @param partition the name of the partition
	 * @param state the state
	 * @param skipped how many tasks of each index to skip
	 * @param places which tasks behind those, ascending, from 1
	 * @return what each index has there, in the same order
	 */
	List<IndexPlaces> places(String partition, TaskState state, List<Integer> skipped, List<Integer> places);

	/**
	 * Look which ids a partition knows, in whatever state their tasks are.
	 * @param partition the name of the partition
	 * @param taskIds the ids, at most {@link #MAX_BATCH}
	 * @return for each, in the same order, whether it is known
	 */
	List<Boolean> contains(String partition, List<String> taskIds);

	/**
	 * Forget tasks, in whatever state, because they have been replaced in another
	 * partition: they count as replaced, a delivery under way becomes stale.
	 * @param partition the name of the partition
	 * @param taskIds the ids, at most {@link #MAX_BATCH}
	 * @return for each, in the same order, whether it was known
	 */
	List<Boolean> displace(String partition, List<String> taskIds);

	/**
	 * Look which tasks {@link DuplicatePolicy#NEWER} would reject because of what a
	 * partition knows.
	 * @param partition the name of the partition
	 * @param tasks the tasks, at most {@link #MAX_BATCH}
	 * @return for each, in the same order, whether its id is known with a generation that
	 * is not lower
	 */
	List<Boolean> containsNewer(String partition, List<NewTask> tasks);

	/**
	 * Forget tasks as {@link #displace(String, List)} does, those whose generation is
	 * lower than that of a task of the same id, or that have none.
	 * @param partition the name of the partition
	 * @param tasks the tasks that have taken their places, at most {@link #MAX_BATCH}
	 * @return for each, in the same order, whether one was forgotten
	 */
	List<Boolean> displaceOlder(String partition, List<NewTask> tasks);

	/**
	 * Let a partition know counts, in addition to those it knows. The first partition, if
	 * it knows none yet and has tasks, adds {@link PartitionCounts#ONE} by itself.
	 * @param partition the name of the partition
	 * @param counts what it is to know at least; {@link PartitionCounts#UNCHECKED} only
	 * to look
	 * @param paused whether to pause the partition if it knew no counts
	 * @return what it knows then
	 */
	PartitionState learn(String partition, PartitionCounts counts, boolean paused);

}
