package io.github.delayqueue.documents;

import java.util.List;
import java.util.TreeSet;

import org.junit.jupiter.api.Test;

import io.github.delayqueue.documents.Document.Block;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The README says the same in both languages, as far as that can be compared.
 */
class ReadmeTests {

	private final Document english = Document.read("README.md");

	private final Document chinese = Document.read("README.zh-CN.md");

	@Test
	void codeCommandsAndAnswersAreTheSame() {
		assertThat(code(this.chinese)).isEqualTo(code(this.english));
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

	/** Without comments, which are in the reader's language. */
	private static List<String> code(Document readme) {
		return readme.blocks().stream().map(Block::text).map((text) -> text.replaceAll(" +# .*|// .*", "")).toList();
	}

	/**
	 * To other documents, without translated ones; headings of this one have other names.
	 */
	private static TreeSet<String> links(Document readme) {
		TreeSet<String> links = new TreeSet<>(readme.links());
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
