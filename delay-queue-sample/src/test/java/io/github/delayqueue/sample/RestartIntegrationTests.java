package io.github.delayqueue.sample;

import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

import io.github.delayqueue.testsupport.Heavy;

import static io.github.delayqueue.sample.RunningShop.instant;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Stops the whole sample, its embedded Redis and database included, and starts it again.
 */
@Heavy
class RestartIntegrationTests {

	@TempDir
	Path dataDir;

	@Test
	void shopRemembersWhatWasPaidAndClosesWhatIsOpen() {
		JsonNode paid;
		JsonNode open;
		try (RunningShop shop = RunningShop.start(this.dataDir, "sample.order-timeout=5s")) {
			paid = shop.post("/orders/" + orderNo(shop.create("/orders", "{\"item\":\"book\"}")) + "/pay");
			open = shop.create("/orders", "{\"item\":\"pen\"}");
		}
		try (RunningShop shop = RunningShop.start(this.dataDir)) {
			JsonNode closed = shop.awaitStatus("/orders/" + orderNo(open), "CANCELLED");
			assertThat(instant(closed, "closesAt")).isEqualTo(instant(open, "closesAt"));
			assertThat(instant(closed, "closedAt")).isAfterOrEqualTo(instant(open, "closesAt"));
			assertThat(shop.get("/orders/" + orderNo(paid))).isEqualTo(paid);
			assertThat(shop.get("/actuator/delayqueue/daily_digest").required("waiting").intValue()).isOne();
		}
	}

	private static String orderNo(JsonNode order) {
		return order.required("orderNo").stringValue();
	}

}
