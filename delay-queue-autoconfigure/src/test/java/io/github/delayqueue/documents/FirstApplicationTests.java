package io.github.delayqueue.documents;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import io.github.delayqueue.documents.Document.Block;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The README tells all of the application of {@code first-application}, which CI builds
 * and runs, but for the usual head of its pom and for imports, and names the version that
 * there is.
 */
class FirstApplicationTests {

	private static final String FOLDER = "delay-queue-sample/docs/first-application/";

	/** What any pom has, and the README does not say. */
	private static final List<String> USUAL_POM = List.of("<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
			"<project xmlns=\"http://maven.apache.org/POM/4.0.0\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"",
			"xsi:schemaLocation=\"http://maven.apache.org/POM/4.0.0 https://maven.apache.org/xsd/maven-4.0.0.xsd\">",
			"<modelVersion>4.0.0</modelVersion>", "<groupId>com.example</groupId>", "<artifactId>shop</artifactId>",
			"<version>1.0.0</version>", "</project>");

	private final List<Block> blocks = Document.read("README.md")
		.blocks()
		.stream()
		.filter((block) -> block.section().equals("In your application"))
		.toList();

	@Test
	void filesAreThoseOfReadme() {
		String pom = lines(read(FOLDER + "pom.xml"));
		for (String part : block("xml", "delay-queue-bom").split("(?m)^$")) {
			assertThat(pom).contains(lines(part));
			pom = pom.replace(lines(part), "");
		}
		assertThat(pom.lines().filter((line) -> !line.isEmpty())).containsExactlyElementsOf(USUAL_POM);
		assertThatFileIs("src/main/resources/application.yml", block("yaml", "redis"));
		for (Path file : sources()) {
			String name = file.getFileName().toString().replace(".java", "");
			assertThatFileIs(file.toString(), block("java", "(?m)^(public )?(class|record) " + name + "\\b"));
		}
	}

	@Test
	void versionsAreThatOfProject() {
		Matcher version = Pattern.compile("(?m)^\t<version>(.*)</version>$").matcher(read("pom.xml"));
		assertThat(version.find()).isTrue();
		for (String name : List.of(FOLDER + "pom.xml", "README.md", "README.zh-CN.md", "docs/testing.md")) {
			List<String> named = Pattern
				.compile("<artifactId>delay-queue-[a-z]+</artifactId>\\s*<version>(.*)</version>")
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
			.filter((block) -> block.language().equals(language)
					&& Pattern.compile(content).matcher(block.text()).find())
			.map(Block::text)
			.findFirst()
			.orElseThrow(() -> new AssertionError("README.md has no block '" + content + "' in " + language));
	}

	/** But for package and imports. */
	private static void assertThatFileIs(String name, String text) {
		assertThat(lines(read(FOLDER + name).replaceAll("(?m)^(package|import) .*$", ""))).as(name)
			.isEqualTo(lines(text));
	}

	/** White space makes no difference. */
	private static String lines(String text) {
		return text.lines()
			.map(String::strip)
			.filter((line) -> !line.isEmpty())
			.collect(Collectors.joining("\n", "", "\n"));
	}

	/** All its Java files, as paths below its folder. */
	private static List<Path> sources() {
		Path folder = Document.ROOT.resolve(FOLDER);
		try (Stream<Path> files = Files.walk(folder.resolve("src"))) {
			List<Path> sources = files.filter((file) -> file.toString().endsWith(".java"))
				.map(folder::relativize)
				.toList();
			assertThat(sources).hasSize(4);
			return sources;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
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
