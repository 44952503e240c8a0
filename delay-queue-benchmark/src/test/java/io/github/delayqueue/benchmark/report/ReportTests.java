package io.github.delayqueue.benchmark.report;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import javax.xml.parsers.DocumentBuilderFactory;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;

import io.github.delayqueue.benchmark.catalog.Systems;
import io.github.delayqueue.benchmark.measure.Counts;
import io.github.delayqueue.benchmark.measure.ForkedMeasure;
import io.github.delayqueue.benchmark.measure.Measures;
import io.github.delayqueue.benchmark.measure.Result;
import io.github.delayqueue.benchmark.measure.Sample;

import static io.github.delayqueue.benchmark.report.TestRuns.result;
import static org.assertj.core.api.Assertions.assertThat;

class ReportTests {

	private final Run run = TestRuns.of(result("drain", "ours", "rate", 71_234, 60_000, 80_000),
			result("drain", "loop", "rate", 142_468), result("drain", "loop-500", "rate", 150_000),
			TestRuns.stopped("drain", "redisson", 833.3), result("memory", "ours", "bytes", 369),
			result("open-1000", "ours", "p99", 3), result("kill", "ours", "lost", 0));

	@TempDir
	private Path root;

	@Test
	void isReadAsItWasWritten() {
		Path file = this.root.resolve("target").resolve("run.json");
		this.run.write(file);
		assertThat(Run.read(file)).isEqualTo(this.run);
	}

	@Test
	void documentHasAllPartsAndPicturesThatExist() throws IOException {
		new Report(this.run).write(docs(), System.out);
		assertThat(document("benchmark.md")).doesNotContain("{{")
			.contains("| **Title of ours** | 71,200 (60,000–80,000) |", "| Title of redisson | < 833 1× |",
					"21 November 2026, 40 minutes",
					"| Drain, against the better unsafe loop | at least 0.40 | 0.47 | met |")
			.contains("(benchmark/open.svg)", "(benchmark/history.jsonl)");
		assertThat(document("benchmark/details.md")).doesNotContain("{{").contains("processor: 2 cores");
		assertThat(docs().resolve("benchmark/history.jsonl")).exists();
	}

	@Test
	void documentOfACompleteRunIsShort() throws IOException {
		Stream<Result> results = Systems.all()
			.stream()
			.flatMap((system) -> Measures.all()
				.stream()
				.filter((measure) -> !(measure instanceof ForkedMeasure forked) || forked.isFor(system, 0))
				.map((measure) -> complete(measure.key(), system.key())));
		Run complete = TestRuns.of(results.toArray(Result[]::new));
		List<Run.MeasuredSystem> systems = Systems.all()
			.stream()
			.map((type) -> new Run.MeasuredSystem(type.key(), type.title(), type.summary(), Map.of()))
			.toList();
		new Report(new Run(complete.started(), 1, Map.of(), systems, complete.results())).write(docs(), System.out);
		assertThat(document("benchmark.md").lines()).hasSizeLessThanOrEqualTo(150);
	}

	@Test
	void pictureThatNoPageShowsAnyMoreIsRemoved() throws IOException {
		Path old = Files.createDirectories(docs().resolve("benchmark")).resolve("drain.svg");
		Files.writeString(old, "<svg/>");
		new Report(this.run).write(docs(), System.out);
		assertThat(old).doesNotExist();
	}

	@Test
	void chartIsADocumentWithALineForEachSystem() throws Exception {
		new Report(this.run).write(docs(), System.out);
		byte[] svg = Files.readAllBytes(docs().resolve("benchmark").resolve("open.svg"));
		Document document = DocumentBuilderFactory.newInstance()
			.newDocumentBuilder()
			.parse(new ByteArrayInputStream(svg));
		assertThat(document.getElementsByTagName("polyline").getLength()).isEqualTo(1);
		assertThat(new String(svg, StandardCharsets.UTF_8)).contains("Title of ours", "prefers-color-scheme: dark");
	}

	@Test
	void readmeOfEachLanguageHasTheTableOfTheRunBetweenItsMarks() throws IOException {
		for (String name : List.of("README.md", "README.zh-CN.md")) {
			Files.writeString(this.root.resolve(name), "before\n<!-- speed -->\nold\n<!-- /speed -->\nafter\n");
			new Report(this.run).write(docs(), System.out);
			assertThat(Files.readString(this.root.resolve(name))).startsWith("before\n<!-- speed -->\n**")
				.endsWith("\n<!-- /speed -->\nafter\n")
				.contains("2026-11-21", "71,200 (60,000–80,000)", "150,000 1×")
				.doesNotContain("old");
			assertThat(Files.readString(Path.of("..", name))).contains("<!-- speed -->\n", "<!-- /speed -->\n");
		}
	}

	@Test
	void terminalGetsTablesRequirementsAndNotes() {
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		Run noted = TestRuns.of(result("drain", "ours", "rate", 71_234),
				new Result("open-50000", "loop", List.of(), "left out"));
		new Report(noted).print(new PrintStream(out, true, StandardCharsets.UTF_8));
		assertThat(out.toString(StandardCharsets.UTF_8)).contains("| **Title of ours** | 71,200 1× |")
			.contains("not measured  Drain, against the better unsafe loop", "open-50000 of loop: left out");
	}

	private static Result complete(String measure, String system) {
		Map<String, Double> values = new HashMap<>();
		Table.ALL.stream()
			.flatMap((table) -> table.columns().stream())
			.filter((column) -> column.measure().equals(measure))
			.forEach((column) -> column.figures().forEach((figure) -> values.put(figure, 1.0)));
		return new Result(measure, system, List.of(new Sample(values, Counts.NONE, false, 1)), null);
	}

	private Path docs() {
		return this.root.resolve("docs").resolve("internals");
	}

	private String document(String name) throws IOException {
		return Files.readString(docs().resolve(name));
	}

}
