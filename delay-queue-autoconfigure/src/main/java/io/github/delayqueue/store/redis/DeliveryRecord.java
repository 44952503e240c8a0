package io.github.delayqueue.store.redis;

import java.time.Instant;

import io.github.delayqueue.TaskPriority;

/**
 * A value of the deliveries hash: {@code failures:expiries:priority:due}, in the hash
 * followed by a colon and the token.
 *
 * @param failures how often a delivery has ended with a failure
 * @param expiries how often a lease has run out and was taken over
 * @param priority the priority
 * @param dueAt when the delivery was due
 */
record DeliveryRecord(int failures, int expiries, TaskPriority priority, Instant dueAt) {

	static DeliveryRecord parse(String text) {
		int first = text.indexOf(':');
		int second = text.indexOf(':', first + 1);
		int third = text.indexOf(':', second + 1);
		int fourth = text.indexOf(':', third + 1);
		return new DeliveryRecord(Integer.parseInt(text, 0, first, 10), Integer.parseInt(text, first + 1, second, 10),
				priority(text.charAt(second + 1)),
				Instant.ofEpochMilli(Long.parseLong(text, third + 1, (fourth >= 0) ? fourth : text.length(), 10)));
	}

	static TaskPriority priority(char letter) {
		return switch (letter) {
			case 'h' -> TaskPriority.HIGH;
			case 'l' -> TaskPriority.LOW;
			default -> TaskPriority.NORMAL;
		};
	}

}
