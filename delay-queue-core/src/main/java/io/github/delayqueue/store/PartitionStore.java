package io.github.delayqueue.store;

/**
 * A store that can keep single partitions of a queue. To it each of them is a queue of
 * its own, by the name that {@link Partitions#name} gives it;
 * {@link PartitionedTaskStore} makes one queue of them.
 * <p>
 * A caller that schedules tells the number of partitions that it knows, by
 * {@link ScheduleOptions#partitions()}. A partition that knows another one stores nothing
 * and throws {@link OtherPartitionsException}.
 */
public interface PartitionStore extends TaskStore, QueueView, QueueControl, Incarnations, InstanceTraces {

	/**
	 * Let a partition know the number of partitions.
	 * @param number what it is to know from now on, empty only to look
	 * @param fresh whether to tell it only if it knows none and has had no task since its
	 * queue was forgotten
	 * @return what it knows then: {@code 1} if nothing; behind the number there may be
	 * smaller ones, each after a comma, from earlier versions that could raise it
	 */
	String learn(String partition, String number, boolean fresh);

}
