package io.github.delayqueue.sample;

import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

import io.github.delayqueue.testsupport.Heavy;

import static io.github.delayqueue.sample.RunningShop.instant;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Two processes and one folder: kills the sample without giving it a chance to write or
 * close anything, and starts a second one beside it.
 */
@Heavy
class KilledShopIntegrationTests {

	@TempDir
	Path folder;

	@Test
	void orderOfShopThatWasKilledIsClosedByTheNextOne() {
		JsonNode order;
		String path;
		try (ShopProcess process = ShopProcess.start(this.folder, List.of(), "sample.order-timeout=3s")) {
			RunningShop shop = process.awaitStart();
			order = shop.create("/orders", "{\"item\":\"book\"}");
			process.kill();
			path = "/orders/" + order.required("orderNo").stringValue();
		}
		try (RunningShop shop = RunningShop.start(this.folder)) {
			JsonNode closed = shop.awaitStatus(path, "CANCELLED");
			assertThat(instant(closed, "closesAt")).isEqualTo(instant(order, "closesAt"));
		}
	}

	@Test
	void secondShopSaysThatTheDatabaseIsInUse() {
		try (RunningShop shop = RunningShop.start(this.folder);
				ShopProcess second = ShopProcess.start(this.folder, List.of())) {
			assertThat(second.awaitEnd()).isNotZero();
			assertThat(second.log()).contains("The database of the shop is in use by another process",
					"--spring.datasource.url=jdbc:postgresql:");
			assertThat(shop.get("/actuator/health").required("status").stringValue()).isEqualTo("UP");
		}
	}

}
