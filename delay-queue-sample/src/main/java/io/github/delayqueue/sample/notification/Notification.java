package io.github.delayqueue.sample.notification;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * The latest notification of a user.
 *
 * @param user whom it is for
 * @param text what it says
 * @param status its status
 * @param dueAt when it is to be sent
 * @param sentAt when it was sent
 * @param replaced how many it has replaced that had not been sent
 */
record Notification(String user, String text, Status status, Instant dueAt, @Nullable Instant sentAt, int replaced) {

	static Notification waiting(String user, String text, Instant dueAt) {
		return new Notification(user, text, Status.WAITING, dueAt, null, 0);
	}

	/**
	 * This notification in place of another one.
	 * @param previous the other one
	 * @return this one, with a count of those that were not sent
	 */
	Notification inPlaceOf(Notification previous) {
		int notSent = (previous.status == Status.WAITING) ? previous.replaced + 1 : 0;
		return new Notification(this.user, this.text, this.status, this.dueAt, this.sentAt, notSent);
	}

	/**
	 * What is known once a notification has been delivered to its handler.
	 * @param delivered the notification
	 * @param now the time it is
	 * @return the notification as sent; this one where it is a newer one, or sent before
	 */
	Notification afterDelivery(Notification delivered, Instant now) {
		if (this.dueAt.isAfter(delivered.dueAt)) {
			return this;
		}
		Notification latest = this.dueAt.equals(delivered.dueAt) ? this : delivered;
		return (latest.status == Status.WAITING)
				? new Notification(latest.user, latest.text, Status.SENT, latest.dueAt, now, latest.replaced) : latest;
	}

	enum Status {

		/** Held back. */
		WAITING,

		/** Sent. */
		SENT

	}

}
