package io.github.delayqueue.store;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.ScheduleOutcome;
import io.github.delayqueue.TaskState;

/**
 * The steps of tasks in a store. Every method is one atomic step or, where it says so, a
 * sequence of them. Any thread of any number of processes may call it at once. A store
 * does everything else in {@linkplain #role roles}. All of this holds for them as well.
 * <p>
 * <b>Queues</b> are named by the first argument: a name that nobody has used is that of
 * an empty queue.
 * <p>
 * <b>Time</b> is the store's own: what is due, and when a lease runs out, is judged by
 * its clock, rounded down to the millisecond.
 * <p>
 * <b>Batches</b> have {@link #MAX_BATCH} entries at most, which are answered in the same
 * order. They behave as if these were given one after the other: an id that occurs twice
 * is seen twice.
 * <p>
 * <b>One place</b>: a task is in exactly one {@link TaskState} at any instant.
 * <p>
 * <b>Stale</b>: a settlement or extension whose token is not the one the task was last
 * claimed with changes nothing and returns {@code false}; settlements are counted. That a
 * lease has run out does not make it stale; that the task was claimed again, replaced,
 * cancelled or settled does.
 * <p>
 * <b>Generations</b>: a caller may keep the truth elsewhere, so that its messages to the
 * store come late, twice, or from several processes at once. It ties its steps to the
 * generation of a task by a {@link Condition}. Together with {@link Replacement#NEWER}
 * and {@link Settlement.Drop} each of them is harmless then.
 * <p>
 * <b>Errors</b>: a store that cannot be reached, or that refuses a step, throws
 * {@link io.github.delayqueue.DelayQueueException}. Then a step that changes tasks may or
 * may not have taken place. Names and ids are taken as given; callers check them. A batch
 * that is too large, and a limit below 1 or above {@link #MAX_BATCH}, throw
 * {@link IllegalArgumentException}, and nothing is done.
 */
public interface TaskStore {

	/** Most entries of a batch, and most tasks that one can ask for. */
	int MAX_BATCH = 500;

	/** Store tasks without options, and return what became of each. */
	default List<ScheduleOutcome> schedule(String queue, List<NewTask> tasks) {
		return schedule(queue, tasks, ScheduleOptions.NONE).outcomes();
	}

	/** Store tasks as {@link #scheduleAhead} does, and wait for the result. */
	default ScheduleReply schedule(String queue, List<NewTask> tasks, ScheduleOptions options) {
		return scheduleAhead(queue, tasks, options).get();
	}

	/**
	 * Store tasks, to be delivered when they are due, and learn later what became of
	 * them: the caller can prepare meanwhile what it sends next. A store that cannot do
	 * so stores them at once. Tasks of one thread reach the store in the order of its
	 * calls. Only steps that the store has refused and that are repeated may come later.
	 * <p>
	 * An id that is known, in whatever state, is replaced or rejected as
	 * {@link NewTask#onDuplicate()} says. Replacing forgets counts, last failure and a
	 * delivery under way, whose settlement becomes stale.
	 * <p>
	 * If {@linkplain ScheduleOptions#confirmed() others are to confirm} that they have
	 * the tasks too, the call waits for them, but no longer than the store's time limit
	 * for a call. If too few have them in time, that is a result, not an exception: the
	 * tasks are stored. Other calls, also of the same queue, do not wait meanwhile. For a
	 * rejected task, the result is about the task that was there before it.
	 * @return waits for what became of each, and returns it or throws why not; to be
	 * called once, in any case, and by the same thread. A {@link ScheduleReply} if that
	 * is known at once
	 */
	Supplier<ScheduleReply> scheduleAhead(String queue, List<NewTask> tasks, ScheduleOptions options);

	/**
	 * Take tasks into flight. In this order: stop if the queue is paused or
	 * {@link ClaimTerms#parts()} allow nothing more, and take no more than they allow.
	 * Take tasks whose lease has run out, counting a lost lease for each. It takes at
	 * most half of the limit but at least one, and at most
	 * {@link ClaimRequest#lostLeaseLimit()}. Then due tasks by priority, oldest first.
	 * <p>
	 * An id in an index that has no record becomes dead and is returned among
	 * {@link ClaimNotes#orphans()}. Once a second a claim, also one of a paused queue,
	 * says that it is time to remove what is over ({@link ClaimNotes#untended()}). It
	 * does not if it has taken nothing and there is nothing to be tended. The first claim
	 * of each hour notes what has happened so far, for those who ask for them later.
	 * <p>
	 * A claim whose caller has given up waiting takes nothing, if it reaches the store at
	 * all: nobody would handle what it took.
	 * @return what was taken, and when to ask again
	 */
	ClaimResult claim(String queue, ClaimRequest request);

	/**
	 * End deliveries. That wakes consumers that could claim nothing because of tasks in
	 * flight. Every other step that takes a task out of flight wakes them, too.
	 * @return for each whether it was applied; {@code false} is stale
	 * @throws PartlySettledException if some cannot be applied yet, which it names; the
	 * others are settled
	 */
	List<Boolean> settle(String queue, List<Settlement> settlements);

	/**
	 * Move the deadlines of leases to the given times from now, earlier or later.
	 * @return for each whether it was applied; {@code false} is stale
	 */
	List<Boolean> extend(String queue, List<Extension> extensions);

	/** Remove a task without a condition. */
	default boolean cancel(String queue, String taskId) {
		return cancel(queue, taskId, Condition.NONE);
	}

	/**
	 * Remove a task that is scheduled or in flight, unless its generation is higher than
	 * that of the condition.
	 * @param condition a task without a generation meets it, too
	 * @return whether there was such a task
	 */
	boolean cancel(String queue, String taskId, Condition condition);

	/** Move a task without a condition. */
	default boolean reschedule(String queue, String taskId, DueTime due) {
		return reschedule(queue, taskId, due, Condition.NONE);
	}

	/**
	 * Move the due time of a scheduled task, if it is of the generation of the condition:
	 * one of an older one may have another content. Its envelope gets the new generation;
	 * priority, counts and last failure stay.
	 * @param condition names both generations
	 * @return whether there was such a task, is scheduled and has been moved
	 */
	boolean reschedule(String queue, String taskId, DueTime due, Condition condition);

	/**
	 * Be told when the earliest event of a queue has become earlier. Messages may get
	 * lost, come late or more than once: they make a consumer fast, they do not keep it
	 * alive. If subscribing takes a while, or has to be repeated, the listener is also
	 * called each time it has succeeded: messages may have been missed.
	 * @param listener called on a thread of the store, must not block
	 * @return closes the subscription
	 */
	WakeSubscription subscribe(String queue, WakeListener listener);

	/**
	 * The sources of a queue, which are the names to claim its tasks with:
	 * {@link #claim}, {@link #settle}, {@link #extend} and {@link #subscribe} take one of
	 * them, and a task is settled and extended with the name that it was claimed with.
	 * All other methods take the name of the queue. Does not ask the store, and returns
	 * the same names each time.
	 * @return the names, that of the queue first
	 */
	default List<String> sources(String queue) {
		return List.of(queue);
	}

	/** The source that a task belongs to. */
	default String source(String queue, String taskId) {
		return queue;
	}

	/**
	 * A role beside the steps of tasks, such as looks and steering, or one that a part
	 * has. A layer in front of a store implements the roles that it changes, and leaves
	 * the others to it.
	 * @return the role, {@code null} if it has none of that type
	 */
	default <R> @Nullable R role(Class<R> type) {
		return type.isInstance(this) ? type.cast(this) : null;
	}

	/**
	 * A {@link #role} that the store must have.
	 * @throws UnsupportedOperationException if it has none of that type
	 */
	default <R> R requireRole(Class<R> type) {
		R role = role(type);
		if (role == null) {
			throw new UnsupportedOperationException(getClass().getName() + " is no " + type.getSimpleName());
		}
		return role;
	}

	/**
	 * Look up a task, if the store has that role.
	 * @return the task as it is now, empty if there is none
	 */
	default Optional<StoredTask> find(String queue, String taskId) {
		return requireRole(TaskLookup.class).find(queue, taskId);
	}

}
