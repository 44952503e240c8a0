package io.github.delayqueue.documents;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import io.github.delayqueue.documents.Document.Block;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The README tells how to write the application of {@code first-application}, which CI
 * builds and runs, and names the version that there is.
 */
class FirstApplicationTests {

	private static final String FOLDER = "delay-queue-sample/docs/first-application/";

	private final List<Block> blocks = Document.read("README.md")
		.blocks()
		.stream()
		.filter((block) -> block.section().equals("In your application"))
		.toList();

	@Test
	void filesAreThoseOfReadme() {
		Stream.of(block("xml", "delay-queue-bom").split("(?m)^$")).forEach((part) -> assertThatFileHas("pom.xml", part));
		assertThatFileHas("src/main/resources/application.yml", block("yaml", "redis"));
		assertThatFileHas("src/main/java/com/example/shop/Orders.java", block("java", "class Orders "));
		assertThatFileHas("src/test/java/com/example/shop/OrdersTests.java", block("java", "class OrdersTests "));
	}

	@Test
	void versionsAreThatOfProject() {
		Matcher version = Pattern.compile("(?m)^\t<version>(.*)</version>$").matcher(read("pom.xml"));
		assertThat(version.find()).isTrue();
		for (String name : List.of(FOLDER + "pom.xml", "README.md", "README.zh-CN.md", "docs/testing.md")) {
			List<String> named = Pattern.compile("<artifactId>delay-queue-[a-z]+</artifactId>\\s*<version>(.*)</version>")
				.matcher(read(name))
				.results()
				.map((match) -> match.group(1))
				.toList();
			assertThat(named).as(name).isNotEmpty().containsOnly(version.group(1));
		}
		assertThat(read("CHANGELOG.md")).contains("## [" + version.group(1) + "] - ");
	}

	private String block(String language, String content) {
		return this.blocks.stream()
			.filter((block) -> block.language().equals(language) && block.text().contains(content))
			.map(Block::text)
			.findFirst()
			.orElseThrow();
	}

	/** But for what stands around it, such as imports, and white space. */
	private static void assertThatFileHas(String name, String text) {
		List<String> lines = text.lines().map(String::strip).filter((line) -> !line.isEmpty()).toList();
		assertThat(read(FOLDER + name).lines().map(String::strip).filter((line) -> !line.isEmpty())).as(name)
			.containsSubsequence(lines);
	}

	private static String read(String name) {
		try {
			return Files.readString(Path.of("..").resolve(name));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
