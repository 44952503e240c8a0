package io.github.delayqueue.sample.order;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * An order. Paid or cancelled, it stays so: {@link #paid(Instant)} and
 * {@link #cancelled(Instant)} change an order that is open and no other, so whichever
 * comes first decides.
 *
 * @param orderNo its number
 * @param item what was ordered
 * @param status its status
 * @param closesAt when it is cancelled, unless it is paid before
 * @param closedAt when it was paid or cancelled
 */
record Order(String orderNo, String item, Status status, Instant closesAt, @Nullable Instant closedAt) {

	static Order open(String orderNo, String item, Instant closesAt) {
		return new Order(orderNo, item, Status.CREATED, closesAt, null);
	}

	Order paid(Instant now) {
		return close(Status.PAID, now);
	}

	Order cancelled(Instant now) {
		return close(Status.CANCELLED, now);
	}

	private Order close(Status status, Instant now) {
		return (this.status == Status.CREATED) ? new Order(this.orderNo, this.item, status, this.closesAt, now) : this;
	}

	enum Status {

		/** Waits to be paid. */
		CREATED,

		/** Paid in time. */
		PAID,

		/** Not paid in time. */
		CANCELLED

	}

}
