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
		String[] fields = text.split(":", 5);
		if (fields.length < 4 || fields[2].length() != 1 || !"hnl".contains(fields[2])) {
			return null;
		}
		Long failures = number(fields[0]);
		Long leasesLost = number(fields[1]);
		Long due = number(fields[3]);
		if (failures == null || leasesLost == null || due == null) {
			return null;
		}
		return new DeliveryRecord((int) Math.min(failures, Integer.MAX_VALUE),
				(int) Math.min(leasesLost, Integer.MAX_VALUE), priority(fields[2].charAt(0)), instant(due));
	}

	/** Only digits; more than a number can hold is as much as it can hold. */
	private static @Nullable Long number(String text) {
		for (int i = 0; i < text.length(); i++) {
			if (text.charAt(i) < '0' || text.charAt(i) > '9') {
				return null;
			}
		}
		return text.isEmpty() ? null : (text.length() > MAX_DIGITS) ? Long.MAX_VALUE : Long.parseLong(text);
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
