package io.github.delayqueue.sample.webhook;

import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A webhook and the calls made for it. Whether it waits or is dead is not kept here: the
 * delay queue knows.
 *
 * @param id its id
 * @param url whom to call
 * @param body what to send
 * @param deliveredAt when it was accepted
 * @param attempts the calls
 */
record Webhook(String id, String url, @Nullable JsonNode body, @Nullable Instant deliveredAt, List<Attempt> attempts) {

	/** More than two rides along the ladder. */
	private static final int KEPT_ATTEMPTS = 50;

	Webhook {
		attempts = List.copyOf(attempts);
	}

	static Webhook of(String id, String url, @Nullable JsonNode body) {
		return new Webhook(id, url, body, null, List.of());
	}

	boolean isDelivered() {
		return this.deliveredAt != null;
	}

	Webhook with(Attempt attempt) {
		List<Attempt> attempts = Stream.concat(this.attempts.stream(), Stream.of(attempt)).toList();
		return new Webhook(this.id, this.url, this.body, attempt.isAccepted() ? attempt.at() : this.deliveredAt,
				attempts.subList(Math.max(0, attempts.size() - KEPT_ATTEMPTS), attempts.size()));
	}

	/**
	 * A call.
	 *
	 * @param number which call on the ladder, from 1; a redrive begins anew
	 * @param dueAt when it was due
	 * @param at when it was made
	 * @param status the status of the answer, {@code null} if there was none
	 * @param error why there was no answer
	 */
	record Attempt(int number, Instant dueAt, Instant at, @Nullable Integer status, @Nullable String error) {

		boolean isAccepted() {
			return this.status != null && this.status >= 200 && this.status < 300;
		}

	}

}
