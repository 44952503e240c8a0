package io.github.delayqueue.sample;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

import static io.github.delayqueue.sample.RunningShop.instant;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Drives each case of the whole sample over HTTP.
 */
class SampleIntegrationTests {

	private static final long[] LADDER_MILLIS = { 0, 0, 300, 1000, 2000 };

	private static RunningShop shop;

	@BeforeAll
	static void start(@TempDir Path dataDir) {
		shop = RunningShop.start(dataDir, "sample.order-timeout=3s", "sample.notification.delay=3s",
				"sample.webhook.ladder=0s, 0s, 300ms, 1s, 2s", "sample.booking.reminder-lead=1s",
				"sample.booking.follow-up-delay=500ms");
	}

	@AfterAll
	static void stop() {
		shop.close();
	}

	@Test
	void orderIsCancelledOnceItsTimeIsUp() {
		JsonNode order = shop.create("/orders", "{\"item\":\"book\"}");
		assertThat(order.required("status").stringValue()).isEqualTo("CREATED");
		JsonNode closed = shop.awaitStatus("/orders/" + order.required("orderNo").stringValue(), "CANCELLED");
		assertThat(instant(closed, "closesAt")).isEqualTo(instant(order, "closesAt"));
		assertThat(instant(closed, "closedAt")).isAfterOrEqualTo(instant(closed, "closesAt"));
	}

	@Test
	void orderThatIsPaidIsNotCancelled() {
		String paid = createOrder();
		JsonNode answer = shop.post("/orders/" + paid + "/pay");
		assertThat(answer.required("status").stringValue()).isEqualTo("PAID");
		assertThat(instant(answer, "closedAt")).isBefore(instant(answer, "closesAt"));
		// Once the time of a later order is up, so is that of the first
		shop.awaitStatus("/orders/" + createOrder(), "CANCELLED");
		assertThat(shop.post("/orders/" + paid + "/pay")).isEqualTo(answer);
		assertThat(shop.get("/orders/" + paid)).isEqualTo(answer);
	}

	@Test
	void payingCancelsTheTimeoutOfTheOrder() {
		String order = createOrder();
		OrderCalls.assertTask(shop, order);
		shop.post("/orders/" + order + "/pay");
		OrderCalls.assertNoTask(shop, order);
	}

	@Test
	void orderThatFailsAfterItsTimeoutWasScheduledLeavesNeither() {
		String failed = OrderCalls.fail(shop);
		OrderCalls.assertNoTask(shop, failed);
		OrderCalls.assertNotFound(shop, failed);
	}

	@Test
	void orderThatIsCancelledCannotBePaid() {
		String order = createOrder();
		shop.awaitStatus("/orders/" + order, "CANCELLED");
		shop.exchangePost("/orders/" + order + "/pay", "")
			.expectStatus()
			.isEqualTo(409)
			.expectBody()
			.jsonPath("$.detail")
			.value((detail) -> assertThat(detail.toString()).contains(order, "cancelled"));
		assertThat(shop.get("/orders/" + order).required("status").stringValue()).isEqualTo("CANCELLED");
	}

	@Test
	void orderPaidAtTheMomentItsTimeIsUpIsEitherPaidOrCancelled() {
		ExecutorService customers = Executors.newFixedThreadPool(16);
		try {
			Map<String, String> outcomes = new ConcurrentHashMap<>();
			List<CompletableFuture<Void>> payments = IntStream.range(0, 48).mapToObj((i) -> {
				JsonNode order = shop.create("/orders", "{\"item\":\"book\"}");
				Duration left = Duration.between(Instant.now(), instant(order, "closesAt"));
				Executor atTheMoment = CompletableFuture.delayedExecutor(left.toMillis() - 2 + i % 16,
						TimeUnit.MILLISECONDS, customers);
				return CompletableFuture.runAsync(() -> {
					String orderNo = order.required("orderNo").stringValue();
					boolean paid = shop.exchangePost("/orders/" + orderNo + "/pay", "")
						.returnResult()
						.getStatus()
						.is2xxSuccessful();
					outcomes.put(orderNo, paid ? "PAID" : "CANCELLED");
				}, atTheMoment);
			}).toList();
			payments.forEach(CompletableFuture::join);
			// Once the time of a later order is up, so are all the others
			shop.awaitStatus("/orders/" + createOrder(), "CANCELLED");
			assertThat(outcomes).hasSize(48)
				.allSatisfy(
						(orderNo, status) -> assertThat(shop.get("/orders/" + orderNo).required("status").stringValue())
							.isEqualTo(status));
		}
		finally {
			customers.shutdown();
		}
	}

	@Test
	void messageIsSentAtItsTime() {
		ZonedDateTime inTwoSeconds = ZonedDateTime.now(ZoneId.of("Europe/Paris"))
			.truncatedTo(ChronoUnit.SECONDS)
			.plusSeconds(2);
		String sendAt = DateTimeFormatter.ISO_ZONED_DATE_TIME.format(inTwoSeconds);
		JsonNode message = shop.create("/messages", "{\"content\":\"hello\",\"sendAt\":\"" + sendAt + "\"}");
		assertThat(message.required("status").stringValue()).isEqualTo("SCHEDULED");
		JsonNode sent = shop.awaitStatus("/messages/" + message.required("id").stringValue(), "SENT");
		assertThat(sent.required("sendAt").stringValue()).isEqualTo(sendAt);
		assertThat(instant(sent, "sentAt")).isAfterOrEqualTo(inTwoSeconds.toInstant());
	}

	@Test
	void messageIsSentAtOnceIfItsTimeIsPast() {
		JsonNode message = shop.create("/messages", "{\"content\":\"late\",\"sendAt\":\"2020-01-01T00:00:00Z\"}");
		shop.awaitStatus("/messages/" + message.required("id").stringValue(), "SENT");
	}

	@Test
	void ownerOfCouponIsRemindedThreeDaysBefore() {
		JsonNode coupon = createCoupon(ZonedDateTime.now(ZoneOffset.UTC).plusDays(3).plusSeconds(1));
		assertThat(coupon.required("status").stringValue()).isEqualTo("ISSUED");
		JsonNode reminded = shop.awaitStatus("/coupons/" + coupon.required("id").stringValue(), "REMINDED");
		assertThat(instant(reminded, "remindedAt")).isAfterOrEqualTo(instant(coupon, "remindAt"));
	}

	@Test
	void ownerOfCouponIsRemindedAtOnceIfItExpiresEarlier() {
		JsonNode coupon = createCoupon(ZonedDateTime.now(ZoneOffset.UTC).plusDays(1));
		shop.awaitStatus("/coupons/" + coupon.required("id").stringValue(), "REMINDED");
	}

	private static JsonNode createCoupon(ZonedDateTime expiresAt) {
		return shop.create("/coupons", "{\"owner\":\"Ann\",\"expiresAt\":\"" + expiresAt + "\"}");
	}

	@Test
	void notificationReplacesTheOneBefore() {
		shop.create("/notifications", "{\"user\":\"ann\",\"text\":\"first\"}");
		JsonNode second = shop.create("/notifications", "{\"user\":\"ann\",\"text\":\"second\"}");
		assertThat(second.required("replaced").intValue()).isOne();
		JsonNode sent = shop.awaitStatus("/notifications/ann", "SENT");
		assertThat(sent.required("text").stringValue()).isEqualTo("second");
		assertThat(instant(sent, "sentAt")).isAfterOrEqualTo(instant(second, "dueAt"));
		JsonNode totals = shop
			.awaitUntil("/actuator/delayqueue/notification",
					(queue) -> queue.required("totals").required("completed").intValue() > 0)
			.required("totals");
		assertThat(totals.required("scheduled").intValue()).isEqualTo(2);
		assertThat(totals.required("replaced").intValue()).isOne();
		assertThat(totals.required("completed").intValue()).isOne();
	}

	@Test
	void webhookIsCalledAgainAfterEachDelayOfTheLadder() {
		try (WebhookServer server = WebhookServer.refusing(LADDER_MILLIS.length)) {
			JsonNode webhook = shop.create("/webhooks", "{\"url\":\"" + server.url() + "\",\"body\":{\"paid\":true}}");
			JsonNode delivered = shop.awaitStatus("/webhooks/" + webhook.required("id").stringValue(), "DELIVERED");
			assertThat(server.calls()).hasSize(LADDER_MILLIS.length + 1).allSatisfy((call) -> {
				assertThat(call.contentType()).isEqualTo("application/json");
				assertThat(call.body()).isEqualTo("{\"paid\":true}");
			});
			for (int rung = 0; rung < LADDER_MILLIS.length; rung++) {
				long gap = server.calls().get(rung + 1).atMillis() - server.calls().get(rung).atMillis();
				assertThat(gap).as("gap after call %d", rung + 1).isBetween(LADDER_MILLIS[rung], longestGap(rung));
			}
			assertThat(delivered.required("attempts")
				.valueStream()
				.map((attempt) -> attempt.required("number").intValue())).containsExactly(1, 2, 3, 4, 5, 6);
			assertThat(delivered.required("attempts")
				.valueStream()
				.map((attempt) -> attempt.required("status").intValue())).containsExactly(503, 503, 503, 503, 503, 204);
		}
	}

	/** Less than the next higher rung, so that no rung can stand in for another. */
	private static long longestGap(int rung) {
		return LongStream.of(LADDER_MILLIS).filter((millis) -> millis > LADDER_MILLIS[rung]).min().orElse(10_000) - 1;
	}

	@Test
	void webhookIsDeadAfterTheLastRungAndCanBeRedriven() {
		try (WebhookServer server = WebhookServer.refusing(LADDER_MILLIS.length + 1)) {
			JsonNode webhook = shop.create("/webhooks", "{\"url\":\"" + server.url() + "\",\"body\":\"hello\"}");
			String path = "/webhooks/" + webhook.required("id").stringValue();
			JsonNode dead = shop.awaitStatus(path, "DEAD");
			assertThat(server.calls()).hasSize(LADDER_MILLIS.length + 1);
			assertThat(dead.required("deliveredAt").isNull()).isTrue();
			assertThat(dead.required("nextAttemptAt").isNull()).isTrue();
			shop.exchangePost(path + "/redrive", "").expectStatus().isAccepted();
			JsonNode delivered = shop.awaitStatus(path, "DELIVERED");
			assertThat(delivered.required("attempts").get(6).required("number").intValue()).isOne();
			assertThat(server.calls()).hasSize(LADDER_MILLIS.length + 2)
				.allSatisfy((call) -> assertThat(call.body()).isEqualTo("hello"));
			shop.exchangePost(path + "/redrive", "").expectStatus().isEqualTo(409);
		}
	}

	@Test
	void webhookWhoseServerDoesNotAnswerTellsWhy() {
		WebhookServer server = WebhookServer.refusing(0);
		server.close();
		JsonNode webhook = shop.create("/webhooks", "{\"url\":\"" + server.url() + "\"}");
		JsonNode called = shop.awaitUntil("/webhooks/" + webhook.required("id").stringValue(),
				(body) -> !body.required("attempts").isEmpty());
		JsonNode attempt = called.required("attempts").get(0);
		assertThat(attempt.required("status").isNull()).isTrue();
		assertThat(attempt.required("error").stringValue()).contains("ConnectException");
	}

	@Test
	void bookingIsRemindedOfAndFoundNotUsed() {
		String path = createBooking(Duration.ofSeconds(2), Duration.ofSeconds(3));
		JsonNode ended = shop.awaitStatus(path, "NO_SHOW");
		assertDone(ended.required("reminder"));
		assertDone(ended.required("noShowCheck"));
		assertThat(ended.required("followUp").required("status").stringValue()).isEqualTo("CANCELLED");
		shop.exchangePost(path + "/take-number", "").expectStatus().isEqualTo(409);
	}

	@Test
	void bookingIsFollowedUpAfterNumberIsTaken() {
		String path = createBooking(Duration.ofHours(1), Duration.ofHours(2));
		JsonNode taken = shop.post(path + "/take-number");
		assertThat(taken.required("number").longValue()).isPositive();
		assertThat(taken.required("reminder").required("status").stringValue()).isEqualTo("CANCELLED");
		assertThat(taken.required("noShowCheck").required("status").stringValue()).isEqualTo("CANCELLED");
		JsonNode done = shop.awaitUntil(path,
				(booking) -> booking.required("followUp").required("status").stringValue().equals("DONE"));
		assertDone(done.required("followUp"));
		assertThat(instant(done.required("followUp"), "dueAt")).isEqualTo(instant(taken.required("followUp"), "dueAt"));
		assertThat(shop.post(path + "/take-number")).isEqualTo(done);
	}

	private static String createBooking(Duration startsIn, Duration endsIn) {
		ZonedDateTime now = ZonedDateTime.now(ZoneOffset.UTC);
		JsonNode booking = shop.create("/bookings", "{\"phone\":\"555\",\"startsAt\":\"" + now.plus(startsIn)
				+ "\",\"endsAt\":\"" + now.plus(endsIn) + "\"}");
		assertThat(booking.required("status").stringValue()).isEqualTo("BOOKED");
		return "/bookings/" + booking.required("id").stringValue();
	}

	private static void assertDone(JsonNode step) {
		assertThat(step.required("status").stringValue()).isEqualTo("DONE");
		assertThat(instant(step, "at")).isAfterOrEqualTo(instant(step, "dueAt"));
	}

	@Test
	void digestIsWrittenAtOnceAndAtNineAgain() {
		ZoneId zone = ZoneId.of("Europe/Paris");
		createOrder();
		JsonNode before = shop.awaitUntil("/digests", (digests) -> !digests.required("nextAt").isNull());
		ZonedDateTime first = instant(before, "nextAt").atZone(zone);
		assertThat(first.toLocalTime()).isEqualTo("09:00");
		long orders = before.required("soFar").required("ordersCreated").longValue();
		LocalDate today = LocalDate.now(zone);
		shop.exchangePost("/digests/run-now", "").expectStatus().isAccepted();
		JsonNode after = shop.awaitUntil("/digests",
				(digests) -> !digests.required("written").isEmpty() && !digests.required("nextAt").isNull());
		JsonNode digest = after.required("written").get(0);
		assertThat(LocalDate.parse(digest.required("date").stringValue())).isBetween(today, LocalDate.now(zone));
		assertThat(digest.required("counts").required("ordersCreated").longValue()).isGreaterThanOrEqualTo(orders);
		assertThat(instant(after, "nextAt").atZone(zone).toLocalTime()).isEqualTo("09:00");
		assertThat(instant(after, "nextAt")).isAfter(instant(digest, "dueAt"));
	}

	private static String createOrder() {
		return OrderCalls.create(shop);
	}

}
