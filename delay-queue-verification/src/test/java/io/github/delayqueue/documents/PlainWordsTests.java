package io.github.delayqueue.documents;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The documents for users have the words that developers use, and say nothing of how a
 * thing was tested.
 */
class PlainWordsTests {

	private static final List<String> INTERNAL = List.of("docs/internals/", "CONTRIBUTING.md");

	/** What to write instead: timeout, failover, retry delays, anybody who, forever. */
	private static final Pattern OTHERS = Pattern.compile(
			"(?i)\\btime-outs?\\b|\\bfail-overs?\\b|\\bladders?\\b|\\brungs?\\b|\\bwhoever (?!completes)|\\bfor ever\\b");

	/** Names of our own tests; those of a user's are in code. */
	private static final Pattern OF_TESTS = Pattern.compile("`[\\w*]*(?:Integration|Fuzz)Tests`|`\\.ci/");

	private static final Pattern CODE = Pattern.compile("`[^`]*`");

	@ParameterizedTest
	@MethodSource("documents")
	void wordsAreThoseOfDevelopers(Document document) {
		assertThat(document.prose()).allSatisfy(
				(line) -> assertThat(OTHERS.matcher(CODE.matcher(line).replaceAll("")).results()).as(line).isEmpty());
	}

	@ParameterizedTest
	@MethodSource("documents")
	void nothingIsSaidOfTests(Document document) {
		assertThat(document.prose())
			.allSatisfy((line) -> assertThat(OF_TESTS.matcher(line).results()).as(line).isEmpty());
	}

	static Stream<Document> documents() {
		return Document.all()
			.stream()
			.filter((document) -> INTERNAL.stream().noneMatch(document.toString()::startsWith));
	}

}
