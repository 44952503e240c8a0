package io.github.delayqueue.benchmark.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.github.delayqueue.benchmark.catalog.Systems;
import io.github.delayqueue.benchmark.measure.Counts;
import io.github.delayqueue.benchmark.measure.Result;
import io.github.delayqueue.benchmark.measure.Sample;

import static org.assertj.core.api.Assertions.assertThat;

class ReportTests {

	private static final Result DRAIN = new Result("drain", "ours", Sample.of("rate", 71_234), null);

	@TempDir
	private Path folder;

	@Test
	void tableHasALineForEachFigureThatWasMeasuredAndAColumnForEachSystem() {
		assertThat(text(DRAIN).lines().filter((line) -> line.startsWith("|"))).containsExactly(
				"| | Delay Queue | Redisson |", "|---|---:|---:|",
				"| drain of 50,000, warm, tasks/s | 71,200 1× | – |");
	}

	@Test
	void machineDateAndSettingsAreBesideIt() {
		assertThat(text(DRAIN)).startsWith("Run of 2026-11-21. processor: 2 cores.\n")
			.contains("- **Delay Queue** (`ours`). ", " Settings: concurrency 8; lease-duration");
	}

	@Test
	void pageOfTheDocumentsGetsItBetweenItsMarks() throws IOException {
		Path page = Path.of("..", "docs", "internals", "benchmark.md");
		Path copy = Files.copy(page, this.folder.resolve("benchmark.md"));
		Report.write(copy, text(DRAIN));
		String before = Files.readString(page);
		assertThat(Files.readString(copy)).startsWith(before.substring(0, before.indexOf("<!-- figures -->")))
			.contains("<!-- figures -->\nRun of 2026-11-21.", "\n<!-- /figures -->\n")
			.endsWith(before.substring(before.indexOf("<!-- /figures -->")));
	}

	@Test
	void whatTheDelayQueueLosesOrCannotDoIsAnErrorAndWhatOthersDoIsNot() {
		Sample lost = Sample.of("rate", 1).with(new Counts(1, 0, 0));
		assertThat(report(DRAIN, new Result("drain", "redisson", lost, null)).hasErrors()).isFalse();
		assertThat(report(new Result("drain", "ours", lost, null)).hasErrors()).isTrue();
		assertThat(report(DRAIN, new Result("idle", "ours", null, "failed: why")).hasErrors()).isTrue();
		assertThat(report(DRAIN, new Result("idle", "ours", null, "left out")).hasErrors()).isFalse();
	}

	private static String text(Result... results) {
		return report(results).text(Instant.parse("2026-11-21T12:00:00Z"), Map.of("processor", "2 cores"));
	}

	private static Report report(Result... results) {
		Map<String, String> settings = new TreeMap<>(Map.of("concurrency", "8", "lease-duration", "30 s"));
		return new Report(List.of(Systems.named("ours"), Systems.named("redisson")), Map.of("ours", settings),
				List.of(results));
	}

}
