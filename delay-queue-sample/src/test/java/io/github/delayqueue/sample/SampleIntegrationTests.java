package io.github.delayqueue.sample;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
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

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

import static io.github.delayqueue.sample.RunningShop.instant;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Drives the whole sample over HTTP as it runs: with a real Redis and in real time. Most
 * of what it does is in {@link ShopByClockIntegrationTests}.
 */
class SampleIntegrationTests {

	@AutoClose
	private static RunningShop shop;

	@BeforeAll
	static void start(@TempDir Path dataDir) {
		shop = RunningShop.start(dataDir, "sample.order-timeout=2s");
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
			shop.awaitStatus("/orders/" + OrderCalls.create(shop), "CANCELLED");
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
	void digestIsWrittenAtOnceAndAtNineAgain() {
		ZoneId zone = ZoneId.of("Europe/Paris");
		OrderCalls.create(shop);
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

}
