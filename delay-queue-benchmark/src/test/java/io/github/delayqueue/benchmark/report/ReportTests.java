package io.github.delayqueue.benchmark.report;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

import javax.xml.parsers.DocumentBuilderFactory;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;

import static io.github.delayqueue.benchmark.report.TestRuns.result;
import static org.assertj.core.api.Assertions.assertThat;

class ReportTests {

	private final Run run = TestRuns.of(result("drain", "ours", "rate", 71_234),
			result("drain", "loop", "rate", 142_468), TestRuns.stopped("drain", "redisson", 833.3),
			result("memory-100k", "ours", "bytes", 369), result("kill-slow", "ours", "lost", 0));

	@TempDir
	private Path docs;

	@Test
	void isReadAsItWasWritten() {
		Path file = this.docs.resolve("target").resolve("run.json");
		this.run.write(file);
		assertThat(Run.read(file)).isEqualTo(this.run);
	}

	@Test
	void documentHasAllPartsAndPicturesThatExist() throws IOException {
		new Report(this.run).write(this.docs);
		assertThat(Files.readString(this.docs.resolve("benchmark.md"))).doesNotContain("{{")
			.contains("| **Title of ours** | 71,200 (×0.50) |", "| Title of redisson | < 833", "21 November 2026",
					"processor: 2 cores", "| Drain of 50,000, against the unsafe loop | at least 0.50 | 0.50 | met |")
			.contains("(benchmark/drain.svg)");
		assertThat(this.docs.resolve("benchmark").resolve("drain.svg")).exists();
	}

	@Test
	void documentSaysWhetherItIsOfALargeRun() throws IOException {
		new Report(this.run).write(this.docs);
		assertThat(Files.readString(this.docs.resolve("benchmark.md"))).doesNotContain("minutes, with");
		new Report(TestRuns.of(result("journal-stored-large", "journal", "find", 1))).write(this.docs);
		assertThat(Files.readString(this.docs.resolve("benchmark.md"))).contains(" minutes, with `-Dlarge=true`)");
	}

	@Test
	void picturesAreDocumentsWithABarForEachFigure() throws Exception {
		new Report(this.run).write(this.docs);
		byte[] svg = Files.readAllBytes(this.docs.resolve("benchmark").resolve("drain.svg"));
		Document document = DocumentBuilderFactory.newInstance()
			.newDocumentBuilder()
			.parse(new ByteArrayInputStream(svg));
		assertThat(document.getElementsByTagName("rect").getLength()).isEqualTo(3);
		assertThat(new String(svg, StandardCharsets.UTF_8)).contains("&lt; 833", "prefers-color-scheme: dark");
	}

	@Test
	void tableForTheTerminalHasAColumnForEachSystem() {
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		new Report(this.run).print(new PrintStream(out, true, StandardCharsets.UTF_8));
		assertThat(out.toString(StandardCharsets.UTF_8))
			.containsPattern("drain: 50,000 due at once, tasks/s +71,200 \\(×0.50\\) +142,000 +– +< 833")
			.contains("met           Drain of 50,000, against the unsafe loop");
	}

}
