package io.github.delayqueue.test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The Java code that the documents show of tests with the kit is code of the package
 * {@code shop}, which is run. {@code DocumentedCodeIntegrationTests} of the delay queue,
 * which does not have the kit, leaves it out.
 */
class DocumentedTestsTests {

	private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

	private static final Path SHOP = Path.of("src/test/java/io/github/delayqueue/test/shop");

	private static final Pattern BLOCK = Pattern.compile("(?ms)^```java\\n(.*?)^```$");

	private static final Pattern OF_KIT = Pattern.compile("DelayQueueTest|this\\.(?:tester|clock)\\.");

	@ParameterizedTest
	@MethodSource("blocks")
	void codeOfTheDocumentsIsRun(String document, String block) throws IOException {
		List<String> sources = new ArrayList<>();
		try (Stream<Path> files = Files.list(SHOP)) {
			for (Path file : files.toList()) {
				sources.add(plain(Files.readString(file)));
			}
		}
		assertThat(block.chars().filter((c) -> c == '{').count()).as("%s:%n%s", document, block)
			.isEqualTo(block.chars().filter((c) -> c == '}').count());
		String code = withoutEmptyBody(plain(block));
		assertThat(sources).as("%s:%n%s", document, block).anyMatch((source) -> source.contains(code));
	}

	/** A class whose code the documents leave out, and say so. */
	private static String withoutEmptyBody(String code) {
		return code.endsWith("{ }") ? code.substring(0, code.length() - 1) : code;
	}

	/** Imports, indentation and line breaks make no difference. */
	private static String plain(String code) {
		return code.replaceAll("(?m)^import .*$", "").replaceAll("\\s+", " ").replace(" .", ".").strip();
	}

	static List<String[]> blocks() throws IOException {
		List<String[]> blocks = new ArrayList<>();
		for (Path path : documents()) {
			String document = ROOT.relativize(path).toString();
			for (MatchResult match : BLOCK.matcher(Files.readString(path)).results().toList()) {
				if (document.endsWith("/testing.md") || OF_KIT.matcher(match.group(1)).find()) {
					blocks.add(new String[] { document, match.group(1) });
				}
			}
		}
		assertThat(blocks).extracting((block) -> block[0])
			.contains("docs/guide/testing.md", "docs/zh/testing.md", "README.md", "README.zh-CN.md",
					"docs/guide/recipes/debounce.md");
		return blocks;
	}

	private static List<Path> documents() throws IOException {
		try (Stream<Path> root = Files.list(ROOT); Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
			return Stream.concat(root, docs).filter((path) -> path.toString().endsWith(".md")).sorted().toList();
		}
	}

}
