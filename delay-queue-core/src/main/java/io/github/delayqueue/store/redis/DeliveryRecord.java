package io.github.delayqueue.store.redis;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.store.DueTime;

/**
 * A value of the deliveries hash: {@code failures:leasesLost:priority:due}, in the hash
 * followed by a colon and the token. Figures out of bounds are brought within, as the
 * scripts do it.
 */
public record DeliveryRecord(int failures, int leasesLost, TaskPriority priority, Instant dueAt) {

	private static final int MAX_DIGITS = 18;

	/** Read a value, whatever follows the due time; {@code null} if it is none. */
	public static @Nullable DeliveryRecord parse(String text) {
		int first = text.indexOf(':');
		int second = text.indexOf(':', first + 1);
		int third = text.indexOf(':', second + 1);
		int fourth = text.indexOf(':', third + 1);
		if (first < 0 || second < 0 || third != second + 2) {
			return null;
		}
		Long failures = number(text, 0, first);
		Long leasesLost = number(text, first + 1, second);
		Long due = number(text, third + 1, (fourth >= 0) ? fourth : text.length());
		if (failures == null || leasesLost == null || due == null || "hnl".indexOf(text.charAt(second + 1)) < 0) {
			return null;
		}
		return new DeliveryRecord((int) Math.min(failures, Integer.MAX_VALUE),
				(int) Math.min(leasesLost, Integer.MAX_VALUE), priority(text.charAt(second + 1)), instant(due));
	}

	/** Only digits; more than a number can hold is as much as it can hold. */
	private static @Nullable Long number(String text, int start, int end) {
		if (start == end) {
			return null;
		}
		for (int i = start; i < end; i++) {
			if (text.charAt(i) < '0' || text.charAt(i) > '9') {
				return null;
			}
		}
		return (end - start > MAX_DIGITS) ? Long.MAX_VALUE : Long.parseLong(text, start, end, 10);
	}

	/** A time that can be calculated with: from the epoch to the year 9999. */
	public static Instant instant(long millis) {
		return Instant.ofEpochMilli(Math.max(0, Math.min(millis, DueTime.MAX_EPOCH_MILLIS)));
	}

	public static TaskPriority priority(char letter) {
		return switch (letter) {
			case 'h' -> TaskPriority.HIGH;
			case 'l' -> TaskPriority.LOW;
			default -> TaskPriority.NORMAL;
		};
	}

}
