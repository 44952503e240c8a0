package io.github.delayqueue.store;

import java.util.List;

import io.github.delayqueue.TaskState;

/**
 * A store that can keep single partitions of a queue. To it each of them is a queue of
 * its own, by the name that {@link Partitions#name} gives it;
 * {@link PartitionedTaskStore} makes one queue of them.
 * <p>
 * Steps are told which counts their caller believes in, by {@link Condition#counts()} and
 * {@link ScheduleOptions#counts()}. A partition that knows others schedules nothing and
 * throws {@link PartitionsChangedException}; so do the other steps before they say of an
 * id that it is not there. A partition that knows no counts takes
 * {@link PartitionCounts#ONE} for right. With {@link PartitionCounts#UNCHECKED} nothing
 * of that is checked.
 */
public interface PartitionStore extends TaskStore {

	/**
	 * Look for tasks that tasks of the same ids meet in a partition where they are not at
	 * home any more, or forget them: they count as replaced then, a delivery under way
	 * becomes stale.
	 * @param tasks the tasks that take their places, at most {@link #MAX_BATCH}
	 * @param step what to look for, and whether to forget it
	 * @return for each, in the same order, whether there was such a task
	 */
	List<Boolean> displace(String partition, List<NewTask> tasks, Displacement step);

	/**
	 * Look at single tasks of one state by their places in the indexes of a partition:
	 * one for each priority of scheduled tasks, in the order of priorities, one for each
	 * other state. Costs the same wherever the places are.
	 * @param skipped how many tasks of each index to skip
	 * @param places which tasks behind those, ascending, from 1
	 * @return what each index has there, in the same order
	 */
	List<IndexPlaces> places(String partition, TaskState state, List<Integer> skipped, List<Integer> places);

	/**
	 * Let a partition know counts, in addition to those it knows. The first partition, if
	 * it knows none yet and has tasks, adds {@link PartitionCounts#ONE} by itself.
	 * @param counts what it is to know at least; {@link PartitionCounts#UNCHECKED} only
	 * to look
	 * @param paused whether to pause the partition if it knew no counts
	 * @return what it knows then
	 */
	PartitionState learn(String partition, PartitionCounts counts, boolean paused);

}
