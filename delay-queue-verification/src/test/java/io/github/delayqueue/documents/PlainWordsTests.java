package io.github.delayqueue.documents;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The documents for users have the words that developers use, and say nothing of how a
 * thing was tested. What has been renamed keeps its old name nowhere.
 */
class PlainWordsTests {

	private static final List<String> INTERNAL = List.of("docs/internals/", "CONTRIBUTING.md");

	/** What to write instead: timeout, failover, retry delays, anybody who, forever. */
	private static final Pattern OTHERS = Pattern.compile(
			"(?i)\\btime-outs?\\b|\\bfail-overs?\\b|\\bladders?\\b|\\brungs?\\b|\\bwhoever (?!completes)|\\bfor ever\\b");

	/** Names of our own tests; those of a user's are in code. */
	private static final Pattern OF_TESTS = Pattern.compile("`[\\w*]*(?:Integration|Fuzz)Tests`|`\\.ci/");

	private static final Pattern CODE = Pattern.compile("`[^`]*`");

	/** A lease is lost: what expires is a task, or a key of Redis. Nobody buries. */
	private static final Pattern GONE = Pattern.compile("\\w*expiries\\w*|\\w*leases?[ _-]?expir\\w*"
			+ "|\\bexpired?[ _-]?(?:lease|limit|ones)\\w*|(?-i:[`\"]expired[`\\\\\"]|\\bexpired\\(\\)|::expired\\b|totals\\.expired)"
			+ "|\\w*bur(?:y|ied|ies|ying|ials?)(?![a-z-])\\w*", Pattern.CASE_INSENSITIVE);

	/** What is stored, and what a script is told. */
	private static final Pattern STORED = Pattern
		.compile("\\bBURIED\\b|-> \"bury\"|total\\(meta, \"\\w+\"\\)|`\\w+` \\(there `\\w+`\\)|^5\\) \"buried\"$");

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

	@Test
	void wordsThatAreGoneAreInNoDocumentAndNoSource() throws IOException {
		try (Stream<Path> modules = Files.list(Document.ROOT)) {
			List<Path> sources = modules.map((module) -> module.resolve("src/main"))
				.filter(Files::isDirectory)
				.flatMap(PlainWordsTests::sources)
				.toList();
			assertThat(sources).hasSizeGreaterThan(300);
			assertThat(Stream.concat(Document.all().stream().map(Document::path), sources.stream()))
				.allSatisfy((path) -> assertThat(Files.readAllLines(path)).as(path.toString())
					.filteredOn((line) -> GONE.matcher(STORED.matcher(line).replaceAll("")).find())
					.isEmpty());
		}
	}

	private static Stream<Path> sources(Path folder) {
		try (Stream<Path> paths = Files.walk(folder)) {
			return paths.filter((path) -> path.toString().matches(".*\\.(?:java|js|json|html)")).toList().stream();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	static Stream<Document> documents() {
		return Document.all()
			.stream()
			.filter((document) -> INTERNAL.stream().noneMatch(document.toString()::startsWith));
	}

}
