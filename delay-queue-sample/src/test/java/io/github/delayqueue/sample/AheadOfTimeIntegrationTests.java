package io.github.delayqueue.sample;

import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

import io.github.delayqueue.testsupport.Heavy;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs the sample in a process of its own as it was processed ahead of time, which the
 * build does before integration tests, and ends it with SIGTERM.
 */
@Heavy
class AheadOfTimeIntegrationTests {

	@TempDir
	Path folder;

	@Test
	void sampleRunsAndStopsQuietly() {
		ShopProcess process = ShopProcess.start(this.folder, List.of("-Dspring.aot.enabled=true"),
				"sample.order-timeout=1s");
		try (process) {
			RunningShop shop = process.awaitStart();
			JsonNode order = shop.create("/orders", "{\"item\":\"book\"}");
			shop.awaitStatus("/orders/" + order.required("orderNo").stringValue(), "CANCELLED");
			assertThat(process.log()).contains("Starting AOT-processed SampleApplication", "Embedded Redis");
		}
		assertThat(process.log()).contains("Embedded Redis stopped").doesNotContain("Exception", " WARN ", " ERROR ");
	}

}
