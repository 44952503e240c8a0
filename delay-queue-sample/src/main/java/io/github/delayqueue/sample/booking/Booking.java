package io.github.delayqueue.sample.booking;

import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;

import org.jspecify.annotations.Nullable;

/**
 * A table booked for some time. What the guest does decides which of its three tasks
 * still have something to do: each method below changes a booking in which it is its turn
 * and leaves any other one as it is.
 *
 * @param id its id
 * @param phone the guest's phone
 * @param startsAt when it starts
 * @param endsAt when it ends
 * @param status its status
 * @param number the number the guest took
 * @param reminder reminds the guest before the start
 * @param noShowCheck looks at the end whether the guest came
 * @param followUp asks the guest who came how it was
 */
record Booking(String id, String phone, ZonedDateTime startsAt, ZonedDateTime endsAt, Status status,
		@Nullable Long number, Step reminder, Step noShowCheck, Step followUp) {

	static Booking of(String id, String phone, ZonedDateTime startsAt, ZonedDateTime endsAt, Duration reminderLead,
			Duration followUpDelay) {
		return new Booking(id, phone, startsAt, endsAt, Status.BOOKED, null,
				Step.waiting(startsAt.minus(reminderLead).toInstant()), Step.waiting(endsAt.toInstant()),
				Step.waiting(endsAt.plus(followUpDelay).toInstant()));
	}

	/**
	 * The guest has come: no reminder, no check, and the follow-up some time from now.
	 * @param number the guest's number
	 * @param now the time it is
	 * @param followUpAt when to follow up
	 * @return the booking
	 */
	Booking numberTaken(long number, Instant now, Instant followUpAt) {
		if (this.status != Status.BOOKED) {
			return this;
		}
		return with(Status.NUMBER_TAKEN, number, this.reminder.cancelled(now), this.noShowCheck.cancelled(now),
				Step.waiting(followUpAt));
	}

	Booking reminded(Instant now) {
		return (this.status == Status.BOOKED)
				? with(this.status, this.number, this.reminder.done(now), this.noShowCheck, this.followUp) : this;
	}

	/**
	 * The guest has not come: there is nothing to follow up.
	 * @param now the time it is
	 * @return the booking
	 */
	Booking noShow(Instant now) {
		return (this.status == Status.BOOKED) ? with(Status.NO_SHOW, this.number, this.reminder,
				this.noShowCheck.done(now), this.followUp.cancelled(now)) : this;
	}

	Booking followedUp(Instant now) {
		return (this.status == Status.NUMBER_TAKEN)
				? with(this.status, this.number, this.reminder, this.noShowCheck, this.followUp.done(now)) : this;
	}

	private Booking with(Status status, @Nullable Long number, Step reminder, Step noShowCheck, Step followUp) {
		return new Booking(this.id, this.phone, this.startsAt, this.endsAt, status, number, reminder, noShowCheck,
				followUp);
	}

	enum Status {

		/** The guest has not come yet. */
		BOOKED,

		/** The guest has come and taken a number. */
		NUMBER_TAKEN,

		/** The guest has not come. */
		NO_SHOW

	}

	/**
	 * One of the three tasks.
	 *
	 * @param status its status
	 * @param dueAt when it is, or was, due
	 * @param at when it was done or cancelled
	 */
	record Step(Status status, Instant dueAt, @Nullable Instant at) {

		static Step waiting(Instant dueAt) {
			return new Step(Status.WAITING, dueAt, null);
		}

		Step done(Instant now) {
			return end(Status.DONE, now);
		}

		Step cancelled(Instant now) {
			return end(Status.CANCELLED, now);
		}

		private Step end(Status status, Instant now) {
			return (this.status == Status.WAITING) ? new Step(status, this.dueAt, now) : this;
		}

		enum Status {

			/** Waits for its time. */
			WAITING,

			/** Done. */
			DONE,

			/** No longer needed. */
			CANCELLED

		}

	}

}
