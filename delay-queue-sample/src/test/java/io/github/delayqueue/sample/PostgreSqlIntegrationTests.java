package io.github.delayqueue.sample;

import java.io.IOException;
import java.nio.file.Path;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

import io.github.delayqueue.testsupport.Heavy;

import static io.github.delayqueue.sample.RunningShop.instant;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The shop with a real PostgreSQL in place of its H2.
 */
@Heavy
class PostgreSqlIntegrationTests {

	@TempDir
	Path folder;

	@Test
	void ordersArePlacedPaidAndClosed() throws IOException {
		try (EmbeddedPostgres postgres = EmbeddedPostgres.start()) {
			String url = "spring.datasource.url=" + postgres.getJdbcUrl("postgres", "postgres");
			try (RunningShop shop = RunningShop.start(this.folder, url, "sample.order-timeout=3s")) {
				String failed = OrderCalls.fail(shop);
				String paid = OrderCalls.create(shop);
				JsonNode open = shop.create("/orders", "{\"item\":\"pen\"}");
				shop.post("/orders/" + paid + "/pay");
				OrderCalls.assertNotFound(shop, failed);
				OrderCalls.assertNoTask(shop, failed);
				OrderCalls.assertNoTask(shop, paid);
				JsonNode closed = shop.awaitStatus("/orders/" + open.required("orderNo").stringValue(), "CANCELLED");
				assertThat(instant(closed, "closesAt")).isEqualTo(instant(open, "closesAt"));
				assertThat(shop.get("/orders/" + paid).required("status").stringValue()).isEqualTo("PAID");
			}
		}
	}

}
