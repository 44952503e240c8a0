package io.github.delayqueue.store;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

import io.github.delayqueue.DuplicatePolicy;
import io.github.delayqueue.QueueStats;
import io.github.delayqueue.ScheduleOutcome;
import io.github.delayqueue.TaskState;

/**
 * A store of tasks. Every method is one atomic step (or, where it says so, a sequence of
 * them), safe to call from any thread and any number of processes at once.
 * <p>
 * <b>Queues</b> are named by the first argument: a name that nobody has used is that of
 * an empty queue.
 * <p>
 * <b>Time</b> is the store's own: what is due, and when a lease runs out, is judged by
 * its clock, never by the caller's. A task is due when the clock, rounded down to the
 * millisecond, has reached its due time.
 * <p>
 * <b>Batches</b> behave as if their entries were given one after the other: an id that
 * occurs twice is seen twice.
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
 * {@linkplain Generation generation} of a task by a {@link Condition}. Together with
 * {@link DuplicatePolicy#NEWER} and {@link Settlement#drop} each of them is harmless
 * then.
 * <p>
 * <b>Errors</b>: a store that cannot be reached, or that refuses a step, throws
 * {@link io.github.delayqueue.DelayQueueException}. Then a step that changes tasks may or
 * may not have taken place. Names and ids are taken as given; callers check them.
 */
public interface TaskStore extends InstanceTraces {

	/**
	 * Most entries that a single call takes, and most tasks that one can ask for. Beyond
	 * it, and for a limit below 1, calls throw {@link IllegalArgumentException} and do
	 * nothing.
	 */
	int MAX_BATCH = 500;

	/**
	 * Store tasks as {@link #schedule(String, List, ScheduleOptions)} does, without
	 * options.
	 * @return what became of each, in the same order
	 */
	default List<ScheduleOutcome> schedule(String queue, List<NewTask> tasks) {
		return schedule(queue, tasks, ScheduleOptions.NONE).outcomes();
	}

	/**
	 * Store tasks, to be delivered when they are due.
	 * <p>
	 * An id that is known, in whatever state, is replaced or rejected as
	 * {@link NewTask#onDuplicate()} says. Replacing forgets counts, last failure and a
	 * delivery under way, whose settlement becomes stale.
	 * <p>
	 * If {@link ScheduleOptions#minReplicas()} is above zero, the call waits until
	 * replicas of the store have the tasks too, but no longer than the store's time limit
	 * for a call. If too few have them in time, that is a result, not an exception: the
	 * tasks are stored. Other calls, also of the same queue, do not wait meanwhile. For a
	 * rejected task, the result is about the task that was there before it.
	 * <p>
	 * Waits for {@link #scheduleAhead}, which is what a store or decorator implements.
	 * @return what became of each, and how many replicas have them
	 */
	default ScheduleReply schedule(String queue, List<NewTask> tasks, ScheduleOptions options) {
		return scheduleAhead(queue, tasks, options).get();
	}

	/**
	 * Store tasks as {@link #schedule(String, List, ScheduleOptions)} does, and learn
	 * later what became of them: the caller can prepare meanwhile what it sends next. A
	 * store that cannot do so stores them at once. Tasks of one thread reach the store in
	 * the order of its calls; only steps that the store has refused and that are repeated
	 * may come later. If the call waits for replicas, the results are known at once.
	 * @return waits for the result and returns it, or throws what
	 * {@link #schedule(String, List, ScheduleOptions)} would; to be called once, in any
	 * case, and by the same thread
	 */
	Supplier<ScheduleReply> scheduleAhead(String queue, List<NewTask> tasks, ScheduleOptions options);

	/**
	 * Take tasks into flight. In this order: stop if the queue is paused or
	 * {@link ClaimTerms#limits()} allow nothing more, and take no more than they allow;
	 * take tasks whose lease has run out (at most half of the limit but at least one, and
	 * at most {@link ClaimRequest#lostLeaseLimit()}), counting a lost lease for each;
	 * then due tasks by priority, oldest first.
	 * <p>
	 * An id in an index that has no record becomes dead and is returned among
	 * {@link ClaimNotes#orphans()}. Once a second a claim, also one of a paused queue,
	 * says that it is time to {@linkplain #tend tend} ({@link ClaimNotes#untended()}),
	 * unless it has taken nothing and there is nothing to be tended.
	 * <p>
	 * A claim whose caller has given up waiting takes nothing, if it reaches the store at
	 * all: nobody would handle what it took.
	 * @return what was taken, and when to ask again
	 */
	ClaimResult claim(String queue, ClaimRequest request);

	/**
	 * Keep house, when a claim has said that it is time to: remove tasks that are over
	 * for longer than they are to be kept, the longest first, at most 1000 of each kind;
	 * and note, once in an hour, what has happened so far, for {@link #history}. At any
	 * other time it does no harm.
	 * @param partition as for {@link #claim}
	 * @return what was removed, and whether more is left
	 */
	Tended tend(String partition, Retention retention);

	/**
	 * Look for tasks that were claimed by calls whose answer is lost.
	 * @param tokens the tokens of these claims
	 * @return the ids of those in flight, and their tokens: {@link #MAX_BATCH} at most; a
	 * store may overlook some of very many, whose leases have to run out
	 */
	default Map<String, String> claimedWith(String queue, Set<String> tokens) {
		return Map.of();
	}

	/**
	 * End deliveries. Consumers that could claim nothing because of
	 * {@link FlowLimits#inFlight()} are woken, as they are by every other step that takes
	 * a task out of flight.
	 * @return for each, in the same order, whether it was applied; {@code false} is stale
	 * @throws PartlySettledException if some cannot be applied yet, which it names; the
	 * others are settled
	 */
	List<Boolean> settle(String queue, List<Settlement> settlements);

	/**
	 * Move the deadlines of leases to the given times from now, earlier or later.
	 * @return for each, in the same order, whether it was applied; {@code false} is stale
	 */
	List<Boolean> extend(String queue, List<Extension> extensions);

	/** Remove a task that is scheduled or in flight, and say whether there was one. */
	default boolean cancel(String queue, String taskId) {
		return cancel(queue, taskId, Condition.NONE);
	}

	/**
	 * Remove a task that is scheduled or in flight, unless its generation is higher than
	 * that of the condition.
	 * @param condition see {@link Condition#upTo}; a task without a generation is removed
	 * as well
	 * @return whether there was such a task
	 */
	boolean cancel(String queue, String taskId, Condition condition);

	/**
	 * Move the due time of a scheduled task. Priority, counts and last failure stay.
	 * @return whether there was such a task and it is scheduled
	 */
	default boolean reschedule(String queue, String taskId, DueTime due) {
		return reschedule(queue, taskId, due, Condition.NONE);
	}

	/**
	 * Move the due time of a scheduled task, if it is of the generation of the condition:
	 * one of an older one may have another content. Its envelope gets the new generation;
	 * priority, counts and last failure stay.
	 * @param condition see {@link Condition#exactly}
	 * @return whether there was such a task, is scheduled and has been moved
	 */
	boolean reschedule(String queue, String taskId, DueTime due, Condition condition);

	/**
	 * Schedule dead tasks again, due now, in their old priority, with counts of zero and
	 * their last failure kept.
	 * @return for each, in the same order, whether it was dead and has a record
	 */
	default List<Boolean> redrive(String queue, List<String> taskIds) {
		return redrive(queue, taskIds, DueSpan.NOW);
	}

	/**
	 * Schedule dead tasks again as {@link #redrive(String, List)} does, due one after the
	 * other.
	 * @param due when, in their order; in a queue of several partitions those of each are
	 * spread over the whole span
	 * @return for each, in the same order, whether it was dead and has a record
	 */
	List<Boolean> redrive(String queue, List<String> taskIds, DueSpan due);

	/**
	 * Forget tasks that are dead or completed, the longest so first.
	 * @param state {@link TaskState#DEAD} or {@link TaskState#COMPLETED}
	 * @return how many
	 */
	long purge(String queue, TaskState state, int limit);

	/**
	 * Forget tasks if they are over in the state that is meant, as
	 * {@link #purge(String, TaskState, int)} does, unless they are newer.
	 * @param state {@link TaskState#DEAD} or {@link TaskState#COMPLETED}
	 * @param generations ids, at most {@link #MAX_BATCH}, and for each the highest
	 * generation that is forgotten, 0 to {@link Generation#MAX}; a task without a
	 * generation is forgotten as well, one in another state stays as it is
	 * @return how many have been forgotten
	 * @throws IllegalArgumentException if there are too many, or a generation is not
	 * within its bounds
	 */
	default long purge(String queue, TaskState state, Map<String, Long> generations) {
		return purge(queue, state, generations, Instant.MAX);
	}

	/**
	 * Forget tasks as {@link #purge(String, TaskState, Map)} does, of those that were
	 * over in that state by a certain time.
	 * @param until since when at the latest they have been dead or completed, as
	 * {@link StoredTask#at()} says: what has died once more since stays
	 * @return how many have been forgotten
	 */
	long purge(String queue, TaskState state, Map<String, Long> generations, Instant until);

	/**
	 * Forget all tasks of a queue, in whatever state. Totals and the pause stay.
	 * @return how many tasks were scheduled, in flight or dead
	 */
	long clear(String queue);

	/**
	 * Pause a queue, so that no task of it is claimed, or end the pause. Tasks in flight
	 * go on.
	 */
	void setPaused(String queue, boolean paused);

	/**
	 * Look up a task.
	 * @return the task as it is now, empty if there is none
	 */
	Optional<StoredTask> find(String queue, String taskId);

	/**
	 * Look at the tasks of one state, with their envelopes, as
	 * {@link #list(String, TaskState, int, int, Contents)} does.
	 */
	default List<StoredTask> list(String queue, TaskState state, int offset, int limit) {
		return list(queue, state, offset, limit, Contents.ALL);
	}

	/**
	 * Look at the tasks of one state: scheduled ones by due time and then priority, those
	 * in flight by lease deadline, completed and dead ones by when they became so; then
	 * by id.
	 * @param contents which envelopes to answer, {@link StoredTask#envelope()} is
	 * {@code null} for the others; and whether only tasks that are due
	 */
	List<StoredTask> list(String queue, TaskState state, int offset, int limit, Contents contents);

	/**
	 * Look through dead tasks for what they have died of, a part of them at a time, the
	 * longest dead first. Each that is dead from the first step to the last is looked at
	 * once, whatever has become of others meanwhile.
	 * @return what was found, and where to go on
	 * @throws IllegalArgumentException if the cursor is not one of this store
	 */
	DeadPage dead(String queue, DeadSearch search);

	/** Figures of a queue, all zero if there is none of that name. */
	QueueStats stats(String queue);

	/**
	 * Count what falls due when, by the clock of the store.
	 * @return the counts, all zero if there is no queue of that name
	 */
	Forecast forecast(String queue, Forecast.Bars bars);

	/**
	 * Read what has happened in a queue in each of the last hours, by the clock of the
	 * store. The time of handlers counts with the settlements that tell it, by the share
	 * of those of a call that is applied.
	 * @return the history, {@link History#NONE} if there is no queue of that name
	 */
	History history(String queue);

	/**
	 * Make the name of a queue known to {@link #queues()}. Repeating it is harmless.
	 */
	void announce(String queue);

	/**
	 * Forget a queue without tasks: its name, totals, history, pause and limits. If it is
	 * used again, it begins anew; an instance that has announced it within the last
	 * minute announces it only after that.
	 * @return whether it is forgotten; {@code false} if there are tasks of any state, and
	 * then nothing is changed
	 */
	boolean forget(String queue);

	/** The queues that have been announced, in alphabetical order. */
	Set<String> queues();

	/**
	 * The instances that hold leases, and whether they are connected.
	 * @return empty if this store does not know: leases have to run out then
	 */
	default Optional<LeaseHolders> leaseHolders() {
		return Optional.empty();
	}

	/**
	 * Be told when the earliest event of a queue has become earlier. Messages may get
	 * lost, come late or more than once: they make a consumer fast, they do not keep it
	 * alive. If subscribing takes a while, or has to be repeated, the listener is also
	 * called each time it has succeeded, because messages may have been missed.
	 * @param listener called on a thread of the store, must not block
	 * @return closes the subscription
	 */
	WakeSubscription subscribe(String queue, WakeListener listener);

	/**
	 * Whether the store takes one step after the other, so that tasks which are stored in
	 * one long step keep the steps of everybody else waiting.
	 * @return whether it does as far as scheduling in that queue is concerned
	 */
	default boolean isSerial(String queue) {
		return false;
	}

	/**
	 * The names to claim the tasks of a queue with: {@link #claim}, {@link #settle},
	 * {@link #extend} and {@link #subscribe} take one of them, and a task is settled and
	 * extended with the name that it was claimed with. All other methods take the name of
	 * the queue. Does not ask the store, and returns the same names each time.
	 * @return the names of its partitions, that of the queue first
	 */
	default List<String> partitions(String queue) {
		return List.of(queue);
	}

	/**
	 * Count a beat of a partition, and say to which incarnation of the store it belongs.
	 * @param partition the name of the partition, as {@link #partitions(String)} returns
	 * it
	 * @param known what is remembered of it: if it is of this incarnation, and has fewer
	 * beats, it is an older copy and becomes another incarnation. Its table becomes that
	 * of the partition if this has none
	 * @param incarnation the name of the incarnation if there is none yet, or it is to
	 * become another one, see {@link Epoch#requireIncarnation}; one that nobody has used
	 * before
	 * @return the incarnation, the number of beats, and the table of the partition. This
	 * beat is counted unless that is another table than the one that is known
	 * @throws IllegalArgumentException if the text is no name of an incarnation
	 */
	Epoch beat(String partition, Epoch known, String incarnation);

	/**
	 * Let the tasks of a queue be kept in another table, whatever that was before: claims
	 * with any other are refused, and the next beat is of another incarnation.
	 * @param table the id of the table, empty for none
	 */
	void adopt(String queue, String table);

}
