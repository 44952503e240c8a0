package io.github.delayqueue.sample.message;

import java.time.Instant;
import java.time.ZonedDateTime;

import org.jspecify.annotations.Nullable;

/**
 * A message.
 *
 * @param id its id
 * @param content what it says
 * @param status its status
 * @param sendAt when it is to be sent
 * @param sentAt when it was sent
 */
record Message(String id, String content, Status status, ZonedDateTime sendAt, @Nullable Instant sentAt) {

	Message sent(Instant now) {
		return (this.status == Status.SCHEDULED) ? new Message(this.id, this.content, Status.SENT, this.sendAt, now)
				: this;
	}

	enum Status {

		/** Waits for its time. */
		SCHEDULED,

		/** Sent. */
		SENT

	}

}
