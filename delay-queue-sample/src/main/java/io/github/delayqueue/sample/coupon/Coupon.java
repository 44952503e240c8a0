package io.github.delayqueue.sample.coupon;

import java.time.Instant;
import java.time.Period;
import java.time.ZonedDateTime;

import org.jspecify.annotations.Nullable;

/**
 * A coupon.
 *
 * @param id its id
 * @param owner whose it is
 * @param status its status
 * @param expiresAt when it expires
 * @param remindAt when its owner is to be reminded
 * @param remindedAt when its owner was reminded
 */
record Coupon(String id, String owner, Status status, ZonedDateTime expiresAt, Instant remindAt,
		@Nullable Instant remindedAt) {

	/**
	 * A coupon whose owner is to be reminded some days before it expires, at the same
	 * time of the day, or at once if that is past.
	 * @param id its id
	 * @param owner whose it is
	 * @param expiresAt when it expires
	 * @param lead how many days before
	 * @param now the time it is
	 * @return the coupon
	 */
	static Coupon issue(String id, String owner, ZonedDateTime expiresAt, Period lead, Instant now) {
		Instant remindAt = expiresAt.minus(lead).toInstant();
		return new Coupon(id, owner, Status.ISSUED, expiresAt, remindAt.isBefore(now) ? now : remindAt, null);
	}

	Coupon reminded(Instant now) {
		return (this.status == Status.ISSUED)
				? new Coupon(this.id, this.owner, Status.REMINDED, this.expiresAt, this.remindAt, now) : this;
	}

	enum Status {

		/** The owner has not been reminded yet. */
		ISSUED,

		/** The owner has been reminded. */
		REMINDED

	}

}
