package io.github.delayqueue.test;

import java.util.List;
import java.util.Optional;

import org.assertj.core.api.AssertProvider;

import io.github.delayqueue.TaskState;
import io.github.delayqueue.event.DeliveryOutcome;
import io.github.delayqueue.producer.TaskDetails;

/**
 * A queue of a test, as it is whenever it is asked; lists are snapshots. AssertJ's
 * {@code assertThat} makes assertions about it.
 */
public record TestQueue(String name, TestAccess access) implements AssertProvider<DelayQueueAssert> {

	/** What is shown of a queue at most. */
	private static final int LIMIT = 500;

	/**
	 * The tasks that are scheduled, those to be retried included, by due time; at most
	 * 500.
	 */
	public List<TaskDetails> scheduled() {
		return list(TaskState.SCHEDULED);
	}

	/**
	 * The tasks that have been claimed and not settled, at most 500. In a test that turns
	 * the clock by itself these are claimed by hand, or their handlers have returned a
	 * {@code CompletionStage} that is not complete.
	 */
	public List<TaskDetails> inFlight() {
		return list(TaskState.IN_FLIGHT);
	}

	/** The dead letters, at most 500. */
	public List<TaskDetails> dead() {
		return list(TaskState.DEAD);
	}

	/** A task, empty if the queue has none of this id. */
	public Optional<TaskDetails> find(String taskId) {
		return this.access.operations().find(this.name, taskId);
	}

	/** The deliveries of this test that have ended, in order, failed ones included. */
	public List<EndedDelivery> deliveries() {
		return this.access.deliveries()
			.ended()
			.stream()
			.filter((delivery) -> delivery.queue().equals(this.name))
			.toList();
	}

	/** The deliveries of this test that ended well, in order. */
	public List<EndedDelivery> handled() {
		return deliveries().stream().filter((delivery) -> delivery.outcome() == DeliveryOutcome.SUCCESS).toList();
	}

	private List<TaskDetails> list(TaskState state) {
		return this.access.operations().list(this.name, state, 0, LIMIT);
	}

	@Override
	public DelayQueueAssert assertThat() {
		return new DelayQueueAssert(this);
	}

	@Override
	public String toString() {
		return "queue '" + this.name + "'";
	}

}
