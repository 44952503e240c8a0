package io.github.delayqueue.documents;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Links of the documents to files, and to headings in them, lead somewhere.
 */
class DocumentLinksTests {

	/** A page, or a part of one. */
	private static final String IN_CHINESE = "\\[简体中文]\\((\\.\\./)+zh/[a-z-]+\\.md(#.+)?\\)";

	@ParameterizedTest
	@MethodSource("documents")
	void linksLeadSomewhere(Document document) {
		assertThat(document.links().stream().filter((link) -> !link.matches("https?:.*")))
			.allSatisfy((link) -> assertThatItLeadsSomewhere(document, link));
	}

	private static void assertThatItLeadsSomewhere(Document document, String link) {
		String[] parts = link.split("#", 2);
		Path target = parts[0].isEmpty() ? document.path() : document.path().resolveSibling(parts[0]).normalize();
		assertThat(Files.exists(target)).as("%s of %s", link, document).isTrue();
		if (parts.length > 1) {
			Document there = Document.read(Document.ROOT.relativize(target).toString());
			assertThat(there.anchors()).as("%s of %s", link, document).contains(parts[1]);
		}
	}

	/** Readers see at the top whether there is the other language. */
	@ParameterizedTest
	@MethodSource("documentsInOneLanguage")
	void theOtherLanguageIsNamedAtTheTop(Document document) {
		String top = document.prose().get(2);
		if (document.toString().startsWith("docs/zh/")) {
			assertThat(top).matches("\\[English]\\([^)]+\\) \\| 简体中文");
			Document english = Document
				.read(Document.ROOT.relativize(target(document, document.links().get(0))).toString());
			assertThat(english.prose().get(2)).matches("English \\| " + IN_CHINESE);
			assertThat(target(english, english.links().get(0))).isEqualTo(document.path());
		}
		else {
			assertThat(top).matches("English \\| (" + IN_CHINESE + "|没有中文版.*)");
		}
	}

	private static Path target(Document document, String link) {
		return document.path().resolveSibling(link).normalize();
	}

	static Stream<Document> documents() {
		return Document.all().stream();
	}

	/** That of the benchmark is written by its last run. */
	static Stream<Document> documentsInOneLanguage() {
		return documents().filter((document) -> document.toString().matches("docs/(?!internals/benchmark).*/.*"));
	}

}
