package io.github.delayqueue.documents;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;

import io.github.delayqueue.documents.Document.Block;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The README says the same in both languages, as far as that can be compared. Figures of
 * speed are those of the benchmark, there and in the page on the journal.
 */
class ReadmeTests {

	/** With what it may have beside it, or alone in a cell; and the day of the run. */
	private static final Pattern FIGURE = Pattern
		.compile("[0-9][0-9.,]*( \\([0-9.,]+–[0-9.,]+\\)| [12]×)|\\| [0-9.,]+(?= \\|)|20[0-9]{2}(-[0-9]{2}){2}");

	private final Document english = Document.read("README.md");

	private final Document chinese = Document.read("README.zh-CN.md");

	@Test
	void codeCommandsAndAnswersAreTheSame() {
		assertThat(code(this.chinese)).isEqualTo(code(this.english));
	}

	@Test
	void theOneVerdictIsNamed() {
		assertThat(code(this.english).stream().flatMap(String::lines)).containsOnlyOnce("mvn verify");
	}

	@Test
	void linksLeadToTheSamePlaces() {
		assertThat(links(this.chinese)).isEqualTo(links(this.english));
	}

	@Test
	void tablesAreAboutTheSameThings() {
		assertThat(rows(this.chinese)).isEqualTo(rows(this.english));
	}

	@Test
	void thereAreAsManyHeadings() {
		assertThat(this.chinese.anchors()).hasSameSizeAs(this.english.anchors());
	}

	@Test
	void figuresOfSpeedAreThoseOfTheBenchmark() throws IOException {
		String benchmark = Files.readString(Document.ROOT.resolve("docs/internals/benchmark.md"));
		assertThat(List.of("README.md", "README.zh-CN.md", "docs/guide/journal.md")).allSatisfy(
				(document) -> assertThat(figures(document)).hasSizeGreaterThan(document.startsWith("README") ? 8 : 4)
					.allSatisfy((figure) -> assertThat(benchmark).contains(figure)));
	}

	private static List<String> figures(String name) throws IOException {
		String readme = Files.readString(Document.ROOT.resolve(name));
		String speed = readme.substring(readme.indexOf("<!-- speed -->"), readme.indexOf("<!-- /speed -->"));
		return FIGURE.matcher(speed).results().map((figure) -> figure.group().replace("| ", "")).toList();
	}

	/** Without comments, which are in the reader's language. */
	private static List<String> code(Document readme) {
		return readme.blocks().stream().map(Block::text).map((text) -> text.replaceAll(" +# .*|// .*", "")).toList();
	}

	/**
	 * To other documents and pictures, without translated ones; headings of this one have
	 * other names.
	 */
	private static TreeSet<String> links(Document readme) {
		TreeSet<String> links = new TreeSet<>();
		readme.links().forEach((link) -> links.add(link.replace("-zh.png", ".png")));
		links.removeIf((link) -> link.startsWith("#") || link.startsWith("README") || link.startsWith("docs/zh/"));
		return links;
	}

	/** What is code in the first column. */
	private static List<String> rows(Document readme) {
		return readme.prose()
			.stream()
			.filter((line) -> line.startsWith("| `"))
			.map((line) -> line.split("\\|")[1].replaceAll("[^`]*(`[^`]*`)[^`]*", "$1 ").trim())
			.toList();
	}

}
