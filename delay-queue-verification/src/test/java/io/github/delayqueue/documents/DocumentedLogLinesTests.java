package io.github.delayqueue.documents;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;

import io.github.delayqueue.Modules;
import io.github.delayqueue.documents.Document.Block;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Lines of the log that help to find what is wrong are in the sources as the documents
 * quote them.
 */
class DocumentedLogLinesTests {

	private static final List<String> DOCUMENTS = List.of("docs/operations/troubleshooting.md", "docs/zh/operations.md",
			"docs/zh/journal.md");

	/** The first argument of a call of a logger, which may be put together. */
	private static final Pattern MESSAGE = Pattern
		.compile("logger\\.(?:info|warn|error)\\(\\s*((?:\"[^\"]*\"\\s*\\+?\\s*)+)");

	@Test
	void linesAreInSources() {
		List<Pattern> messages = messages();
		List<String> lines = DOCUMENTS.stream()
			.flatMap((document) -> Document.read(document).blocks("text").stream())
			.map(Block::text)
			.flatMap(String::lines)
			.toList();
		assertThat(lines).hasSizeGreaterThan(10)
			.noneMatch((line) -> line.matches(".*\\bPT\\d.*"))
			.allSatisfy((line) -> assertThat(messages.stream().filter((message) -> message.matcher(line).matches()))
				.as(line)
				.isNotEmpty());
	}

	private static List<Pattern> messages() {
		return Modules.textsIn(Modules.sources())
			.values()
			.stream()
			.flatMap((text) -> MESSAGE.matcher(text).results())
			.map((call) -> call.group(1).replaceAll("\"\\s*\\+\\s*\"", "").strip())
			.filter((literal) -> literal.matches(".*\\w{3}.*"))
			.map(DocumentedLogLinesTests::pattern)
			.toList();
	}

	/** With anything in place of its arguments. */
	private static Pattern pattern(String literal) {
		String message = literal.substring(1, literal.length() - 1);
		return Pattern
			.compile(Arrays.stream(message.split("\\{}", -1)).map(Pattern::quote).collect(Collectors.joining(".*")));
	}

}
