package io.github.delayqueue.test;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

import org.assertj.core.api.AbstractAssert;

import io.github.delayqueue.Names;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.producer.TaskDetails;

/**
 * Assertions about a queue, begun by {@code assertThat(tester.queue("…"))}. A failure
 * says what is in the queue.
 */
public final class DelayQueueAssert extends AbstractAssert<DelayQueueAssert, TestQueue> {

	DelayQueueAssert(TestQueue queue) {
		super(queue, DelayQueueAssert.class);
	}

	/** A task is scheduled, for the first time or to be retried. */
	public ScheduledTaskAssert hasScheduled(String taskId) {
		return new ScheduledTaskAssert(require(taskId, TaskState.SCHEDULED), this);
	}

	public DelayQueueAssert hasScheduledCount(int count) {
		if (this.actual.access().operations().stats(this.actual.name()).waiting() != count) {
			throw error("to have " + count + " scheduled tasks");
		}
		return this;
	}

	public DelayQueueAssert hasNoScheduled() {
		return hasScheduledCount(0);
	}

	/** A task is not scheduled: it never was, was cancelled, or has been delivered. */
	public DelayQueueAssert hasNoScheduled(String taskId) {
		if (find(taskId, TaskState.SCHEDULED).isPresent()) {
			throw error("to have no scheduled task '" + Names.printable(taskId) + "'");
		}
		return this;
	}

	/** A task is in flight: claimed and not settled. */
	public DelayQueueAssert hasInFlight(String taskId) {
		require(taskId, TaskState.IN_FLIGHT);
		return this;
	}

	/**
	 * A task has been handled in this test, and its handler did not fail. If it was
	 * handled more than once, the assertions are about the last time.
	 */
	public HandledTaskAssert hasHandled(String taskId) {
		return this.actual.handled()
			.stream()
			.filter((delivery) -> delivery.taskId().equals(taskId))
			.reduce((one, later) -> later)
			.map((last) -> new HandledTaskAssert(last, this))
			.orElseThrow(() -> error("to have handled task '" + Names.printable(taskId) + "'"));
	}

	/** A task has not been handled in this test. Its handler may have failed. */
	public DelayQueueAssert hasNotHandled(String taskId) {
		if (this.actual.handled().stream().anyMatch((delivery) -> delivery.taskId().equals(taskId))) {
			throw error("not to have handled task '" + Names.printable(taskId) + "'");
		}
		return this;
	}

	/** These tasks, and no others, have been handled in this test, in this order. */
	public DelayQueueAssert hasHandledExactly(String... taskIds) {
		if (!this.actual.handled().stream().map(EndedDelivery::taskId).toList().equals(List.of(taskIds))) {
			throw error("to have handled exactly, in this order, "
					+ List.of(taskIds).stream().map(Names::printable).toList());
		}
		return this;
	}

	public DeadTaskAssert hasDead(String taskId) {
		return new DeadTaskAssert(require(taskId, TaskState.DEAD), this);
	}

	public DelayQueueAssert hasNoDead() {
		if (!this.actual.dead().isEmpty()) {
			throw error("to have no dead letter");
		}
		return this;
	}

	/**
	 * No handler of this queue has failed in this test. A failure has what the first one
	 * threw as its cause.
	 */
	public DelayQueueAssert hasNoFailures() {
		List<EndedDelivery> failures = this.actual.deliveries().stream().filter(EndedDelivery::isFailure).toList();
		if (!failures.isEmpty()) {
			AssertionError error = error("to have no failures");
			error.initCause(failures.get(0).cause());
			throw error;
		}
		return this;
	}

	/** Nothing is left to do: no task is scheduled, in flight or dead. */
	public DelayQueueAssert isEmpty() {
		if (!this.actual.scheduled().isEmpty() || !this.actual.inFlight().isEmpty() || !this.actual.dead().isEmpty()) {
			throw error("to be empty");
		}
		return this;
	}

	private Optional<TaskDetails> find(String taskId, TaskState state) {
		return this.actual.find(taskId).filter((task) -> task.state() == state);
	}

	private TaskDetails require(String taskId, TaskState state) {
		String word = state.name().toLowerCase(Locale.ROOT).replace('_', ' ');
		return find(taskId, state).orElseThrow(() -> error("to have task '" + Names.printable(taskId) + "' " + word));
	}

	AssertionError error(String expectation) {
		return failure("%nExpected %s %s.%n%s", this.actual, expectation, QueueText.describe(this.actual));
	}

	TestQueue queue() {
		return this.actual;
	}

}
