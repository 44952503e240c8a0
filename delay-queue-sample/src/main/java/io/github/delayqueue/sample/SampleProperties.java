package io.github.delayqueue.sample;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Period;
import java.time.ZoneId;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Times of the shop. The defaults are short enough to watch them pass. The ladder of the
 * webhooks, {@code sample.webhook.ladder}, is not here: its listener takes it from the
 * environment.
 *
 * @param orderTimeout after what time an order that is not paid is cancelled
 * @param coupon coupons
 * @param notification notifications
 * @param booking bookings
 * @param digest the digest of the day
 * @param redis the embedded Redis
 */
@ConfigurationProperties("sample")
public record SampleProperties(@DefaultValue("30s") Duration orderTimeout, @DefaultValue Coupon coupon,
		@DefaultValue Notification notification, @DefaultValue Booking booking, @DefaultValue Digest digest,
		@DefaultValue Redis redis) {

	public SampleProperties {
		if (orderTimeout.isNegative() || orderTimeout.isZero()) {
			throw new IllegalArgumentException("sample.order-timeout must be positive, is " + orderTimeout);
		}
	}

	/**
	 * Coupons.
	 *
	 * @param lead how long before a coupon expires its owner is reminded
	 */
	public record Coupon(@DefaultValue("3d") Period lead) {

	}

	/**
	 * Notifications.
	 *
	 * @param delay for how long a notification is held back, so that a newer one can
	 * replace it
	 */
	public record Notification(@DefaultValue("5s") Duration delay) {

	}

	/**
	 * Bookings.
	 *
	 * @param reminderLead how long before the start the guest is reminded
	 * @param followUpDelay how long after taking a number the guest is asked how it was
	 */
	public record Booking(@DefaultValue("30m") Duration reminderLead, @DefaultValue("10s") Duration followUpDelay) {

	}

	/**
	 * The digest of the day.
	 *
	 * @param cron when it is written
	 * @param zone in which time zone that is
	 */
	public record Digest(@DefaultValue("0 0 9 * * *") String cron, @DefaultValue("Europe/Paris") ZoneId zone) {

	}

	/**
	 * The embedded Redis, used if no {@code spring.data.redis} property says where one
	 * is.
	 *
	 * @param dataDir folder of its data, which survive a restart
	 * @param port its port; another one is taken if this one is in use or 0
	 */
	public record Redis(@DefaultValue("data/redis") Path dataDir, @DefaultValue("6390") int port) {

	}

}
