package io.github.delayqueue.documents;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import io.github.delayqueue.documents.Document.Block;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the README shows of an application is that of {@code first-application}, which CI
 * builds and runs, and it names the version that there is.
 */
class FirstApplicationTests {

	private static final String FOLDER = "delay-queue-sample/docs/first-application/";

	private static final String KOTLIN = "delay-queue-ecosystem/kotlin/src/test/kotlin/com/example/shop/OrdersTests.kt";

	private static final Pattern DEPENDENCY = Pattern.compile("io\\.github\\.delayqueue:([a-z-]+):([0-9.]+)");

	/** The application has it from the BOM. */
	private static final Pattern VERSION = Pattern.compile("(?m)^\\s*<version>.*</version>$");

	private static final Pattern TYPE = Pattern.compile("(?m)^(?:public )?(?:class|record) (\\w+)");

	private final List<Block> blocks = Document.read("README.md").blocks();

	@Test
	void codeOfReadmeIsInFiles() {
		List<String> types = new ArrayList<>();
		for (Block block : this.blocks) {
			Matcher type = TYPE.matcher(block.text());
			if (block.language().equals("java") && type.find()) {
				types.add(type.group(1));
				assertThatFileIs(source(type.group(1)), block.text());
			}
		}
		assertThat(types).contains("Orders", "OrdersTests");
	}

	/** Of the small application in Kotlin, which is compiled and run. */
	@Test
	void kotlinOfDocumentsIsInFiles() {
		String source = read(KOTLIN);
		List<Block> kotlin = Document.all().stream().flatMap((document) -> document.blocks("kotlin").stream()).toList();
		assertThat(kotlin).filteredOn((block) -> !isGradle(block))
			.isNotEmpty()
			.allSatisfy((block) -> assertThat(source.replaceAll("(?m)^\t+", ""))
				.contains(block.text().replaceAll("(?m)^\t+", "").strip()));
		assertThat(kotlin).filteredOn(FirstApplicationTests::isGradle)
			.isNotEmpty()
			.allSatisfy((block) -> assertThat(DEPENDENCY.matcher(block.text()).results()).isNotEmpty()
				.allSatisfy((dependency) -> assertThat(read(dependency.group(1) + "/pom.xml"))
					.contains("<version>" + dependency.group(2) + "</version>")));
	}

	private static boolean isGradle(Block block) {
		return block.text().contains("dependencies {");
	}

	@Test
	void configurationOfReadmeIsInFiles() {
		assertThat(blocks("xml")).isNotEmpty()
			.allSatisfy((dependency) -> assertThat(lines(read(FOLDER + "pom.xml")))
				.contains(lines(VERSION.matcher(dependency).replaceAll(""))));
		// that of the dashboard is for who wants one
		assertThat(blocks("yaml")).isNotEmpty()
			.filteredOn((yaml) -> !yaml.contains("delayqueueui"))
			.allSatisfy((yaml) -> assertThat(read(FOLDER + "src/main/resources/application.yml")).contains(yaml));
	}

	/** Spring developers look for it, and may leave it out. */
	@Test
	void applicationsEnableDelayQueue() {
		assertThat(read(FOLDER + "src/main/java/com/example/shop/Shop.java")).contains("\n@EnableDelayQueue\n");
		assertThat(read("delay-queue-sample/src/main/java/io/github/delayqueue/sample/SampleApplication.java"))
			.contains("\n@EnableDelayQueue\n");
		for (String readme : List.of("README.md", "README.zh-CN.md")) {
			assertThat(read(readme).substring(0, read(readme).indexOf("\n## "))).as(readme)
				.contains("`@EnableDelayQueue`");
		}
	}

	@Test
	void versionsAreThatOfProject() {
		Matcher version = Pattern.compile("(?m)^\t<version>(.*)</version>$").matcher(read("pom.xml"));
		assertThat(version.find()).isTrue();
		for (String name : List.of(FOLDER + "pom.xml", "README.md", "README.zh-CN.md", "docs/guide/testing.md")) {
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

	private List<String> blocks(String language) {
		return this.blocks.stream().filter((block) -> block.language().equals(language)).map(Block::text).toList();
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

	private static String source(String type) {
		Path folder = Document.ROOT.resolve(FOLDER);
		try (Stream<Path> files = Files.walk(folder.resolve("src"))) {
			return files.filter((file) -> file.endsWith(type + ".java"))
				.map((file) -> folder.relativize(file).toString())
				.findFirst()
				.orElseThrow(() -> new AssertionError("There is no " + type + ".java in " + folder));
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
