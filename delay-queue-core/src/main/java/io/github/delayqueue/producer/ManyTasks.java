package io.github.delayqueue.producer;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The calls that schedule many tasks at once, or without waiting. A {@link ProducerPart}
 * implements them.
 */
public interface ManyTasks {

	/**
	 * Schedule a task without waiting. Calls made while others are under way share a
	 * round trip. The payload is written as JSON before this returns. At most 100,000
	 * tasks or 64 MiB wait to be sent; further tasks are refused. When the application
	 * stops, waiting tasks are sent.
	 * @return completes with the result, or with the exception that
	 * {@link DelayQueueOperations#schedule(TaskRequest)} would throw, a refusal included.
	 * Dependent actions without an executor of their own run on one of the few threads
	 * that send: they should be short
	 */
	CompletableFuture<ScheduleResult> scheduleAsync(TaskRequest request);

	/**
	 * Schedule many tasks in few round trips. Not atomic as a whole: if it throws, the
	 * tasks of earlier chunks are scheduled. So may be those of up to two chunks that
	 * were sent behind, if ids are generated. The message says how many in all. Up to
	 * 2,000 tasks are checked and written as JSON before the first is sent: if one of so
	 * few cannot be written, none is scheduled. Of more, that many at most wait in
	 * memory.
	 * @param requests the tasks, of any queues
	 * @return the result of each, in the same order
	 * @throws NotReplicatedException after the first chunk that is stored but not on
	 * enough replicas; says which tasks those are, and which are stored and replicated.
	 * Later chunks are not sent: each would wait as long
	 */
	List<ScheduleResult> scheduleAll(Collection<TaskRequest> requests);

}
