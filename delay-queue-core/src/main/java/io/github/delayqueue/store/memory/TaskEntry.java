package io.github.delayqueue.store.memory;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.convert.TaskCodec;
import io.github.delayqueue.roles.DueMillis;
import io.github.delayqueue.roles.Generation;
import io.github.delayqueue.store.ClaimedRecord;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.StoredTask;
import io.github.delayqueue.store.TaskPart.StoredAs;
import io.github.delayqueue.store.TaskPart;

/**
 * A task and where it is. Immutable: a task moves when another entry takes the place of
 * this one.
 *
 * @param score what it is sorted by there, in milliseconds since the epoch: due time,
 * lease deadline, or since when it is there
 * @param deliveries its deliveries, {@link DeliveryState#NONE} if it has not been claimed
 */
record TaskEntry(String id, byte[] envelope, TaskPriority priority, TaskState state, long score,
		DeliveryState deliveries, byte @Nullable [] failure) {

	/** By score, then by the bytes of the id. */
	static final Comparator<TaskEntry> ORDER = Comparator.comparingLong(TaskEntry::score)
		.thenComparing((entry) -> entry.id().getBytes(StandardCharsets.UTF_8), Arrays::compareUnsigned);

	/** A task that takes the place of the one that is known, if there is one. */
	static TaskEntry scheduled(NewTask task, @Nullable TaskEntry known, StepTime now) {
		StoredAs place = new StoredAs(task.envelope(), DueMillis.of(task.due(), now.micros()));
		for (TaskPart part : task.parts()) {
			place = part.place(place, (known != null) ? known.place() : null, now.micros());
		}
		return new TaskEntry(task.id(), place.envelope(), task.priority(), TaskState.SCHEDULED, place.dueMillis(),
				DeliveryState.NONE, null);
	}

	private @Nullable StoredAs place() {
		boolean waits = this.state == TaskState.SCHEDULED && this.deliveries == DeliveryState.NONE;
		return waits ? new StoredAs(this.envelope, this.score) : null;
	}

	TaskEntry movedTo(TaskState state, long score, DeliveryState deliveries, byte @Nullable [] failure) {
		return new TaskEntry(this.id, this.envelope, this.priority, state, score, deliveries, failure);
	}

	TaskEntry movedTo(long score) {
		return movedTo(this.state, score, this.deliveries, this.failure);
	}

	/** Negative if it has none. */
	long generation() {
		return Generation.of(this.envelope).orElse(-1);
	}

	/** This task in another generation. */
	TaskEntry of(long generation) {
		return new TaskEntry(this.id, Generation.mark(this.envelope, generation), this.priority, this.state, this.score,
				this.deliveries, this.failure);
	}

	/**
	 * This task at the end of a delivery. Deliveries that charged nothing are forgotten.
	 */
	TaskEntry scheduledAgain(long due, DeliveryState ended, byte @Nullable [] failure) {
		return movedTo(TaskState.SCHEDULED, due, ended.isUncharged() ? DeliveryState.NONE : ended, failure);
	}

	TaskEntry claimed(String token, long deadline) {
		boolean leaseLost = (this.state == TaskState.IN_FLIGHT);
		DeliveryState claimed = new DeliveryState(this.deliveries.failures(),
				this.deliveries.leasesLost() + (leaseLost ? 1 : 0), due(), token);
		return movedTo(TaskState.IN_FLIGHT, deadline, claimed, this.failure);
	}

	/** Whether it dies, once it has been claimed, with the next lease it loses. */
	boolean isLastChance(int maxLeaseLosses) {
		int leasesLost = this.deliveries.leasesLost() + ((this.state == TaskState.IN_FLIGHT) ? 1 : 0);
		return leasesLost > 0 && leasesLost == maxLeaseLosses - 1;
	}

	ClaimedRecord toClaimedRecord(boolean leaseLost) {
		boolean told = this.deliveries.failures() > 0 || TaskCodec.isRecurring(Generation.unmark(this.envelope));
		return new ClaimedRecord(this.id, this.envelope, this.priority, Instant.ofEpochMilli(due()),
				this.deliveries.failures(), this.deliveries.leasesLost(), leaseLost, told ? this.failure : null);
	}

	StoredTask toStoredTask(boolean withEnvelope) {
		return new StoredTask(this.id, this.state, Instant.ofEpochMilli(this.score), Instant.ofEpochMilli(due()),
				this.priority, this.deliveries.failures(), this.deliveries.leasesLost(),
				withEnvelope ? this.envelope : null, this.failure);
	}

	private long due() {
		return (this.state == TaskState.SCHEDULED) ? this.score : this.deliveries.due();
	}

}
