package io.github.delayqueue.sample;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

import static io.github.delayqueue.sample.RunningShop.instant;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Drives the whole sample over HTTP as it runs: with a real Redis and in real time. What
 * has to wait for longer is in {@link ShopByClockIntegrationTests}.
 */
class SampleIntegrationTests {

	private static final long[] LADDER_MILLIS = { 0, 0, 200, 100, 300 };

	private static RunningShop shop;

	@BeforeAll
	static void start(@TempDir Path dataDir) {
		shop = RunningShop.start(dataDir, "sample.order-timeout=2s",
				"sample.webhook.ladder=0s, 0s, 200ms, 100ms, 300ms", "sample.booking.follow-up-delay=500ms");
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
	void orderThatFailsAfterItsTimeoutWasScheduledLeavesNeither() {
		String failed = OrderCalls.fail(shop);
		OrderCalls.assertNoTask(shop, failed);
		OrderCalls.assertNotFound(shop, failed);
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
	void messageIsSentAtOnceIfItsTimeIsPast() {
		JsonNode message = shop.create("/messages", "{\"content\":\"late\",\"sendAt\":\"2020-01-01T00:00:00Z\"}");
		shop.awaitStatus("/messages/" + message.required("id").stringValue(), "SENT");
	}

	@Test
	void ownerOfCouponIsRemindedAtOnceIfItExpiresEarlier() {
		ZonedDateTime tomorrow = ZonedDateTime.now(ZoneOffset.UTC).plusDays(1);
		JsonNode coupon = shop.create("/coupons", "{\"owner\":\"Ann\",\"expiresAt\":\"" + tomorrow + "\"}");
		shop.awaitStatus("/coupons/" + coupon.required("id").stringValue(), "REMINDED");
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
				assertThat(gap).as("gap after call %d", rung + 1).isGreaterThanOrEqualTo(LADDER_MILLIS[rung]);
			}
			assertThat(delivered.required("attempts")
				.valueStream()
				.map((attempt) -> attempt.required("number").intValue())).containsExactly(1, 2, 3, 4, 5, 6);
			assertThat(delivered.required("attempts")
				.valueStream()
				.map((attempt) -> attempt.required("status").intValue())).containsExactly(503, 503, 503, 503, 503, 204);
		}
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
	void bookingIsFollowedUpAfterNumberIsTaken() {
		String path = createBooking();
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

	private static String createBooking() {
		ZonedDateTime now = ZonedDateTime.now(ZoneOffset.UTC);
		JsonNode booking = shop.create("/bookings", "{\"phone\":\"555\",\"startsAt\":\"" + now.plusHours(1)
				+ "\",\"endsAt\":\"" + now.plusHours(2) + "\"}");
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
