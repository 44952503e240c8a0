package io.github.delayqueue.sample.coupon;

import java.time.Clock;
import java.time.Instant;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

import io.github.delayqueue.annotation.DelayQueueListener;
import io.github.delayqueue.sample.state.Records;
import io.github.delayqueue.sample.state.RecordsFactory;
import io.github.delayqueue.sample.state.Tally;

/**
 * Reminds the owners of coupons.
 */
@Component
class CouponReminderListener {

	static final String QUEUE = "coupon_reminder";

	private static final Logger logger = LoggerFactory.getLogger(CouponReminderListener.class);

	private final Records<Coupon> coupons;

	private final Tally tally;

	private final Clock clock;

	CouponReminderListener(RecordsFactory recordsFactory, Tally tally, Clock clock) {
		this.coupons = recordsFactory.records("coupon", Coupon.class);
		this.tally = tally;
		this.clock = clock;
	}

	@DelayQueueListener(queue = QUEUE)
	void remind(Coupon coupon) {
		Instant now = this.clock.instant();
		if (this.coupons.update(coupon.id(), coupon, (current) -> current.reminded(now)).happened()) {
			this.tally.count("couponsReminded");
			logger.info("{} reminded of {}, which expires at {}", coupon.owner(), coupon.id(), coupon.expiresAt());
		}
	}

}
