package io.github.delayqueue.sample;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs the sample in a process of its own as it was processed ahead of time, which the
 * build does before integration tests, and ends it with SIGTERM.
 */
class AheadOfTimeIntegrationTests {

	private static final Pattern PORT = Pattern.compile("Tomcat started on port (\\d+)");

	@TempDir
	Path folder;

	@Test
	void sampleRunsAndStopsQuietly() throws IOException {
		Process process = start();
		try {
			RunningShop shop = RunningShop.at(awaitPort(process));
			JsonNode order = shop.create("/orders", "{\"item\":\"book\"}");
			shop.awaitStatus("/orders/" + order.required("orderNo").stringValue(), "CANCELLED");
			assertThat(log()).contains("Starting AOT-processed SampleApplication", "Embedded Redis");
		}
		finally {
			process.destroy();
			process.onExit().join();
		}
		assertThat(log()).contains("Embedded Redis stopped").doesNotContain("Exception", " WARN ", " ERROR ");
	}

	private Process start() throws IOException {
		Path java = Path.of(System.getProperty("java.home"), "bin", "java");
		return new ProcessBuilder(java.toString(), "-Dspring.aot.enabled=true", "-cp",
				System.getProperty("java.class.path"), SampleApplication.class.getName(), "--server.port=0",
				"--sample.redis.port=0", "--sample.redis.data-dir=" + this.folder.resolve("redis"),
				"--sample.order-timeout=1s")
			.redirectErrorStream(true)
			.redirectOutput(this.folder.resolve("log").toFile())
			.start();
	}

	private int awaitPort(Process process) {
		Matcher port = Awaitility.await("start of the sample")
			.atMost(Duration.ofSeconds(60))
			.failFast(() -> !process.isAlive())
			.until(() -> PORT.matcher(log()), Matcher::find);
		return Integer.parseInt(port.group(1));
	}

	private String log() throws IOException {
		return Files.readString(this.folder.resolve("log"));
	}

}
