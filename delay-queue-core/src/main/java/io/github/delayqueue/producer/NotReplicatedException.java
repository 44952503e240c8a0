package io.github.delayqueue.producer;

import java.util.List;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.store.ScheduleReply.Doubt;

/**
 * Tasks were stored, but fewer replicas have confirmed them in time than
 * {@code delay-queue.producer.min-replicas} asks for.
 * <p>
 * <b>The tasks exist and are delivered when they are due</b>, unless the primary is lost
 * before the replicas have them: then they may be gone. Scheduling them again under the
 * same ids is harmless as long as they are not due, and waits anew. {@link #getTaskId()}
 * names the task if a single one was scheduled.
 */
public class NotReplicatedException extends DelayQueueException {

	private static final long serialVersionUID = 1L;

	private final ScheduleResult[] results;

	private final ScheduleResult[] replicatedBefore;

	private final Doubt doubt;

	NotReplicatedException(String queue, List<ScheduleResult> results, Doubt doubt) {
		this(results, List.of(), doubt, message(queue, results, doubt));
	}

	private NotReplicatedException(List<ScheduleResult> results, List<ScheduleResult> replicatedBefore, Doubt doubt,
			String message) {
		super(results.get(0).queue(), (results.size() == 1) ? results.get(0).taskId() : null, message, doubt.error());
		this.results = results.toArray(ScheduleResult[]::new);
		this.replicatedBefore = replicatedBefore.toArray(ScheduleResult[]::new);
		this.doubt = doubt;
	}

	private static String message(String queue, List<ScheduleResult> results, Doubt doubt) {
		Throwable cause = doubt.error();
		String what = (results.size() == 1) ? "Task '" + results.get(0).taskId() + "' is"
				: results.size() + " tasks are";
		return what + " stored in queue '" + queue + "' and may run, but " + doubt.confirmations() + " of "
				+ doubt.wanted()
				+ " replicas confirmed it within delay-queue.command-timeout (delay-queue.producer.min-replicas): "
				+ "if the primary fails now, they may be lost"
				+ ((cause != null) ? " (" + cause.getMessage() + ")" : "");
	}

	/** The same of a single one of {@link #getResults()}. */
	public NotReplicatedException ofTask(int index) {
		return (this.results.length == 1) ? this
				: new NotReplicatedException(this.results[index].queue(), List.of(this.results[index]), this.doubt);
	}

	/** The same after others, of so many in all, had been scheduled. */
	public NotReplicatedException after(List<ScheduleResult> before, int total) {
		return new NotReplicatedException(getResults(), before, this.doubt,
				getMessage() + " (" + before.size() + " of " + total
						+ " tasks had been scheduled and replicated before; "
						+ (total - before.size() - this.results.length) + " were not sent)");
	}

	/**
	 * The results of the tasks that are stored, but not on enough replicas. One that was
	 * rejected as a duplicate is there from before, and not known to be on enough
	 * replicas either.
	 */
	public List<ScheduleResult> getResults() {
		return List.of(this.results);
	}

	/**
	 * The results of the tasks that
	 * {@link DelayQueueOperations#scheduleAll(java.util.Collection)} had scheduled
	 * before, and that are on enough replicas. Those that are here neither nor in
	 * {@link #getResults()} were not sent.
	 */
	public List<ScheduleResult> getReplicatedBefore() {
		return List.of(this.replicatedBefore);
	}

	/**
	 * How many replicas have confirmed the tasks: less than {@link #getMinReplicas()}.
	 */
	public int getReplicas() {
		return this.doubt.confirmations();
	}

	/** How many replicas {@code delay-queue.producer.min-replicas} asks for. */
	public int getMinReplicas() {
		return this.doubt.wanted();
	}

}
