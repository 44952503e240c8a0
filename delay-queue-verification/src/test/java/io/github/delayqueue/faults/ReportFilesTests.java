package io.github.delayqueue.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.github.delayqueue.testsupport.SelfTest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

@SelfTest
class ReportFilesTests {

	@TempDir
	private Path directory;

	private final Report report = new Report(new History(), new Findings(), 42);

	@Test
	void replacesWhatStandsBetweenTheMarkers() throws IOException {
		Path document = document("before\n" + ReportFiles.BEGIN + "\nold\n" + ReportFiles.END + "\nafter\n");
		ReportFiles.writeInto(this.report, document);
		assertThat(Files.readString(document)).startsWith("before\n" + ReportFiles.BEGIN + "\n\nSeed 42: ")
			.endsWith("\n" + ReportFiles.END + "\nafter\n")
			.doesNotContain("old");
		String once = Files.readString(document);
		ReportFiles.writeInto(this.report, document);
		assertThat(document).hasContent(once);
	}

	@Test
	void leavesADocumentWithoutMarkersAlone() throws IOException {
		Path document = document("text\n");
		assertThatIllegalStateException().isThrownBy(() -> ReportFiles.writeInto(this.report, document))
			.withMessageContaining(ReportFiles.BEGIN);
		assertThat(document).hasContent("text\n");
	}

	@Test
	void writesForPeopleAndForPrograms() throws IOException {
		ReportFiles.write(this.report, this.directory);
		assertThat(this.directory.resolve("report.md")).content().contains("Seed 42", "| fault | times |");
		assertThat(this.directory.resolve("report.json")).content().contains("\"seed\" : 42", "\"violations\" : [ ]");
	}

	private Path document(String text) throws IOException {
		return Files.writeString(this.directory.resolve("document.md"), text);
	}

}
