package io.github.delayqueue.sample.booking;

import java.time.Instant;

import io.github.delayqueue.producer.TaskRequest;

/**
 * A task of a booking.
 *
 * @param step what is to be done
 * @param booking the booking as it was when this was scheduled
 */
record BookingTask(Step step, Booking booking) {

	static final String QUEUE = "booking";

	TaskRequest dueAt(Instant dueAt) {
		return TaskRequest.queue(QUEUE).id(this.step.taskId(this.booking.id())).payload(this).dueAt(dueAt).build();
	}

	enum Step {

		/** Remind the guest. */
		REMINDER("reminder"),

		/** See whether the guest came. */
		NO_SHOW("no-show"),

		/** Ask how it was. */
		FOLLOW_UP("follow-up");

		private final String suffix;

		Step(String suffix) {
			this.suffix = suffix;
		}

		/**
		 * The id of this task of a booking: known beforehand, so that it can be cancelled
		 * without having been remembered.
		 * @param bookingId the booking
		 * @return the id
		 */
		String taskId(String bookingId) {
			return bookingId + ":" + this.suffix;
		}

	}

}
