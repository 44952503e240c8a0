package io.github.delayqueue.sample;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.web.context.WebApplicationContext;
import tools.jackson.databind.JsonNode;

import io.github.delayqueue.DeadReason;
import io.github.delayqueue.config.DelayQueueSettings;
import io.github.delayqueue.test.DelayQueueTest;
import io.github.delayqueue.test.DelayQueueTestClock;
import io.github.delayqueue.test.DelayQueueTester;
import io.github.delayqueue.test.TestQueue;

import static io.github.delayqueue.sample.RunningShop.instant;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each case of the sample with the times of a real shop, by a clock that is turned. The
 * queues are in memory; the shop's own records are in its Redis and its database, as they
 * always are.
 */
@SpringBootTest(properties = { "sample.order-timeout=30m", "sample.notification.delay=5m",
		"sample.webhook.ladder=2m, 10m, 10m, 1h, 2h, 6h, 15h", "sample.booking.follow-up-delay=1d",
		"sample.redis.port=0", "delay-queue.test.start-at=2026-11-20T07:00:00Z" })
@DelayQueueTest
@DirtiesContext
class ShopByClockIntegrationTests {

	private static final ZoneId ZONE = ZoneId.of("Europe/Paris");

	private static final List<Duration> LADDER = List.of(Duration.ofMinutes(2), Duration.ofMinutes(10),
			Duration.ofMinutes(10), Duration.ofHours(1), Duration.ofHours(2), Duration.ofHours(6),
			Duration.ofHours(15));

	@TempDir
	private static Path data;

	@Autowired
	private DelayQueueTestClock clock;

	@Autowired
	private DelayQueueTester tester;

	@Autowired
	private DelayQueueSettings settings;

	private RunningShop shop;

	@DynamicPropertySource
	static void data(DynamicPropertyRegistry registry) {
		registry.add("sample.redis.data-dir", () -> RunningShop.redisData(data).toString());
		registry.add("sample.database.data-dir", () -> data.resolve("db").toString());
	}

	@BeforeEach
	void open(@Autowired WebApplicationContext context) {
		this.shop = RunningShop.in(context);
	}

	@Test
	void orderThatNobodyPaysIsCancelledAfterHalfAnHour() {
		TestQueue queue = this.tester.queue("order_timeout");
		String order = OrderCalls.create(this.shop);
		assertThat(queue).hasScheduled(order).dueIn(Duration.ofMinutes(30));
		this.clock.advance(Duration.ofMinutes(30).minusMillis(1));
		assertStatus("/orders/" + order, "CREATED");
		this.clock.advance(Duration.ofMillis(1));
		JsonNode closed = assertStatus("/orders/" + order, "CANCELLED");
		assertThat(instant(closed, "closedAt")).isEqualTo(instant(closed, "closesAt"));
		assertThat(queue).hasHandled(order).afterAttempts(1).and().isEmpty();
	}

	@Test
	void orderThatIsPaidIsNotCancelled() {
		String order = OrderCalls.create(this.shop);
		this.clock.advance(Duration.ofMinutes(29));
		JsonNode paid = this.shop.post("/orders/" + order + "/pay");
		assertThat(paid.required("status").stringValue()).isEqualTo("PAID");
		assertThat(instant(paid, "closedAt")).isEqualTo(instant(paid, "closesAt").minus(Duration.ofMinutes(1)));
		assertThat(this.tester.queue("order_timeout")).isEmpty();
		this.clock.advance(Duration.ofDays(1));
		assertThat(this.tester.queue("order_timeout").deliveries()).isEmpty();
		assertThat(this.shop.post("/orders/" + order + "/pay")).isEqualTo(paid);
		assertThat(this.shop.get("/orders/" + order)).isEqualTo(paid);
	}

	@Test
	void orderThatIsCancelledCannotBePaid() {
		String order = OrderCalls.create(this.shop);
		this.clock.advance(Duration.ofMinutes(30));
		this.shop.exchangePost("/orders/" + order + "/pay", "")
			.expectStatus()
			.isEqualTo(409)
			.expectBody()
			.jsonPath("$.detail")
			.value((detail) -> assertThat(detail.toString()).contains(order, "cancelled"));
		assertStatus("/orders/" + order, "CANCELLED");
	}

	@Test
	void orderThatFailsLeavesNoTimeout() {
		String order = OrderCalls.fail(this.shop);
		assertThat(this.tester.queue("order_timeout")).isEmpty();
		OrderCalls.assertNotFound(this.shop, order);
	}

	@Test
	void ownerIsRemindedThreeDaysBeforeACouponExpires() {
		// not later than need be: there is a digest each day, with the shop's own Redis
		ZonedDateTime expiresAt = ZonedDateTime.now(ZONE).plusYears(1).withHour(18).truncatedTo(ChronoUnit.HOURS);
		this.clock.setTo(expiresAt.minusWeeks(2).toInstant());
		String coupon = id(this.shop.create("/coupons", "{\"owner\":\"ann\",\"expiresAt\":\"" + expiresAt + "\"}"));
		Instant remindAt = expiresAt.minusDays(3).toInstant();
		assertThat(this.tester.queue("coupon_reminder")).hasScheduled(coupon).dueAt(remindAt);
		this.clock.advanceTo(expiresAt.minusDays(4).toInstant());
		assertStatus("/coupons/" + coupon, "ISSUED");
		this.clock.advanceTo(expiresAt.toInstant());
		assertThat(instant(assertStatus("/coupons/" + coupon, "REMINDED"), "remindedAt")).isEqualTo(remindAt);
	}

	@Test
	void noteThatFailsIsRetriedAfterOneTwoAndThreeMinutesAndIsThenDead() {
		Instant due = this.clock.instant().plusSeconds(5);
		String note = id(this.shop.create("/tasks", "{\"queue\":\"note\",\"delay\":\"5s\",\"text\":\"fail\"}"));
		TestQueue queue = this.tester.queue("note");
		assertThat(queue).hasScheduled(note).dueAt(due);
		for (int minutes : new int[] { 0, 1, 2, 3 }) {
			due = due.plus(Duration.ofMinutes(minutes));
			assertThat(queue).hasScheduled(note).dueAt(due);
			this.clock.advanceTo(due);
		}
		assertThat(queue).hasDead(note).withReason(DeadReason.ATTEMPTS_EXHAUSTED).afterAttempts(4);
	}

	@Test
	void noteIsHandledOnceAndUnknownAfterwards() {
		String note = id(
				this.shop.create("/tasks", "{\"queue\":\"note\",\"id\":\"a\",\"delay\":\"5s\",\"text\":\"one\"}"));
		JsonNode second = this.shop.create("/tasks",
				"{\"queue\":\"note\",\"id\":\"a\",\"delay\":\"9s\",\"text\":\"two\"}");
		assertThat(second.required("outcome").stringValue()).isEqualTo("REPLACED");
		this.clock.advance(Duration.ofSeconds(9));
		assertThat(this.tester.queue("note")).hasHandledExactly(note).isEmpty();
		this.shop.exchangeGet("/tasks/note/a").expectStatus().isNotFound();
	}

	@Test
	void reminderThatFailsIsTriedAgainEachMinuteThreeTimes() {
		assertThat(this.settings.forQueue("coupon_reminder").policy()).satisfies((policy) -> {
			assertThat(policy.maxAttempts()).isEqualTo(4);
			assertThat(List.of(1, 2, 3)).allSatisfy(
					(failures) -> assertThat(policy.nextDelay(failures, null)).isEqualTo(Duration.ofMinutes(1)));
		});
	}

	@Test
	void messageIsSentAtItsTime() {
		ZonedDateTime sendAt = this.clock.instant().atZone(ZONE).plusMonths(1);
		String written = DateTimeFormatter.ISO_ZONED_DATE_TIME.format(sendAt);
		String message = id(this.shop.create("/messages", "{\"content\":\"hi\",\"sendAt\":\"" + written + "\"}"));
		this.clock.advanceTo(sendAt.toInstant().minusSeconds(1));
		assertStatus("/messages/" + message, "SCHEDULED");
		this.clock.advance(Duration.ofSeconds(1));
		JsonNode sent = assertStatus("/messages/" + message, "SENT");
		assertThat(instant(sent, "sentAt")).isEqualTo(sendAt.toInstant());
		assertThat(sent.required("sendAt").stringValue()).isEqualTo(written);
	}

	@Test
	void newerNotificationTakesThePlaceOfTheOneBefore() {
		this.shop.create("/notifications", "{\"user\":\"ann\",\"text\":\"one\"}");
		this.clock.advance(Duration.ofMinutes(4));
		JsonNode second = this.shop.create("/notifications", "{\"user\":\"ann\",\"text\":\"two\"}");
		assertThat(second.required("replaced").intValue()).isOne();
		this.clock.advance(Duration.ofMinutes(4));
		assertStatus("/notifications/ann", "WAITING");
		this.clock.advance(Duration.ofMinutes(1));
		JsonNode sent = assertStatus("/notifications/ann", "SENT");
		assertThat(sent.required("text").stringValue()).isEqualTo("two");
		assertThat(instant(sent, "sentAt")).isEqualTo(instant(second, "dueAt"));
		assertThat(this.tester.queue("notification")).hasHandledExactly("ann");
		JsonNode totals = this.shop.get("/actuator/delayqueue/notification").required("totals");
		assertThat(totals.required("scheduled").intValue()).isEqualTo(2);
		assertThat(totals.required("replaced").intValue()).isOne();
		assertThat(totals.required("completed").intValue()).isOne();
	}

	@Test
	void webhookIsCalledAlongTheLadderAndCanBeRedriven() {
		try (WebhookServer server = WebhookServer.refusing(LADDER.size() + 1)) {
			Instant due = this.clock.instant();
			String webhook = id(this.shop.create("/webhooks", "{\"url\":\"" + server.url() + "\"}"));
			this.clock.advance(Duration.ofDays(2));
			assertThat(server.calls())
				.allSatisfy((call) -> assertThat(call.contentType()).isEqualTo("application/json"));
			List<JsonNode> attempts = assertStatus("/webhooks/" + webhook, "DEAD").required("attempts")
				.valueStream()
				.toList();
			assertThat(attempts).hasSize(8);
			for (int rung = 0; rung <= LADDER.size(); rung++) {
				assertThat(instant(attempts.get(rung), "at")).as("call %d", rung + 1).isEqualTo(due);
				due = (rung < LADDER.size()) ? due.plus(LADDER.get(rung)) : due;
			}
			assertThat(this.tester.queue("webhook")).hasDead(webhook)
				.withReason(DeadReason.ATTEMPTS_EXHAUSTED)
				.afterAttempts(LADDER.size() + 1);
			this.shop.exchangePost("/webhooks/" + webhook + "/redrive", "").expectStatus().isAccepted();
			this.clock.runDue();
			assertStatus("/webhooks/" + webhook, "DELIVERED");
			assertThat(this.tester.queue("webhook")).hasHandled(webhook).afterAttempts(1).and().isEmpty();
		}
	}

	@Test
	void guestWhoDoesNotComeIsRemindedAndFoundMissing() {
		String booking = book();
		this.clock.advance(Duration.ofMinutes(90));
		assertDone(booking, "reminder");
		this.clock.advance(Duration.ofHours(3));
		JsonNode missed = assertStatus("/bookings/" + booking, "NO_SHOW");
		assertDone(booking, "noShowCheck");
		assertThat(missed.required("followUp").required("status").stringValue()).isEqualTo("CANCELLED");
		this.shop.exchangePost("/bookings/" + booking + "/take-number", "").expectStatus().isEqualTo(409);
		assertThat(this.tester.queue("booking")).hasHandledExactly(booking + ":reminder", booking + ":no-show")
			.isEmpty();
	}

	@Test
	void guestWhoComesIsAskedHowItWas() {
		String booking = book();
		this.clock.advance(Duration.ofHours(1));
		this.shop.post("/bookings/" + booking + "/take-number");
		assertThat(this.tester.queue("booking")).hasScheduledCount(1)
			.hasScheduled(booking + ":follow-up")
			.dueIn(Duration.ofDays(1));
		this.clock.advance(Duration.ofDays(1));
		assertDone(booking, "followUp");
	}

	@Test
	void digestIsWrittenEveryMorningAtNine() {
		assertThat(this.tester.queue("daily_digest")).hasScheduled("digest")
			.dueAt(Instant.parse("2026-11-20T08:00:00Z"));
		this.clock.advance(Duration.ofDays(2));
		assertThat(this.tester.queue("daily_digest")).hasHandledExactly("digest", "digest")
			.hasScheduled("digest")
			.dueAt(Instant.parse("2026-11-22T08:00:00Z"));
		assertThat(this.shop.get("/digests")
			.required("written")
			.valueStream()
			.map((digest) -> digest.required("date").stringValue())).contains("2026-11-20", "2026-11-21");
	}

	/** In two hours, for two hours. */
	private String book() {
		ZonedDateTime startsAt = this.clock.instant().atZone(ZONE).plusHours(2);
		return id(this.shop.create("/bookings",
				"{\"phone\":\"555\",\"startsAt\":\"" + startsAt + "\",\"endsAt\":\"" + startsAt.plusHours(2) + "\"}"));
	}

	private void assertDone(String booking, String step) {
		JsonNode done = this.shop.get("/bookings/" + booking).required(step);
		assertThat(done.required("status").stringValue()).isEqualTo("DONE");
		assertThat(instant(done, "at")).isEqualTo(instant(done, "dueAt"));
	}

	private JsonNode assertStatus(String path, String status) {
		JsonNode body = this.shop.get(path);
		assertThat(body.required("status").stringValue()).isEqualTo(status);
		return body;
	}

	private static String id(JsonNode created) {
		return created.required("id").stringValue();
	}

}
