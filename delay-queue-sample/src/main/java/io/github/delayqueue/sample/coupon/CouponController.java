package io.github.delayqueue.sample.coupon;

import java.time.Clock;
import java.time.ZonedDateTime;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Future;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.sample.SampleProperties;
import io.github.delayqueue.sample.state.Records;
import io.github.delayqueue.sample.state.RecordsFactory;
import io.github.delayqueue.sample.web.Created;
import io.github.delayqueue.sample.web.Problems;

/**
 * Coupons. Their owners are reminded before they expire.
 */
@RestController
@RequestMapping("/coupons")
@Tag(name = "Coupons", description = "A reminder three days before a coupon expires")
class CouponController {

	private final DelayQueueOperations delayQueue;

	private final Records<Coupon> coupons;

	private final SampleProperties properties;

	private final Clock clock;

	CouponController(DelayQueueOperations delayQueue, RecordsFactory recordsFactory, SampleProperties properties,
			Clock clock) {
		this.delayQueue = delayQueue;
		this.coupons = recordsFactory.records("coupon", Coupon.class);
		this.properties = properties;
		this.clock = clock;
	}

	@PostMapping
	@Operation(summary = "Issue a coupon")
	ResponseEntity<Coupon> create(@Valid @RequestBody NewCoupon request) {
		Coupon coupon = Coupon.issue(this.coupons.nextId(), request.owner(), request.expiresAt(),
				this.properties.coupon().lead(), this.clock.instant());
		this.delayQueue.schedule(CouponReminderListener.QUEUE, coupon.id(), coupon, coupon.remindAt());
		this.coupons.saveIfAbsent(coupon.id(), coupon);
		return Created.at(coupon.id(), coupon);
	}

	@GetMapping("/{id}")
	@Operation(summary = "Look at a coupon")
	Coupon get(@PathVariable String id) {
		return this.coupons.find(id).orElseThrow(() -> Problems.notFound("coupon", id));
	}

	record NewCoupon(@NotBlank @Size(max = 200) String owner,
			@NotNull @Future @Schema(example = "2026-12-24T18:00:00+01:00[Europe/Paris]") ZonedDateTime expiresAt) {

	}

}
