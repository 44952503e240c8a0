package io.github.delayqueue.documents;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import io.github.delayqueue.documents.Document.Block;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each command of the documents is run by something, or it is said here why not.
 */
class DocumentedCommandsTests {

	/** What no test and no step of CI runs, and why. */
	private static final Map<String, String> NOT_RUN = Map.of(
			// .ci/run measures in small, and less
			"mvn -pl delay-queue-benchmark -am verify -Pbenchmark", "takes 40 minutes",
			// .ci/run fetches them into a folder of its own, and runs the classes that
			// use them
			".ci/servers target/servers", "writes into the working tree",
			"mvn verify -DskipUnitTests -Ddelayqueue.test.servers=$PWD/target/servers", "takes half an hour");

	/** Languages of what is no command. */
	private static final Set<String> OTHERS = Set.of("java", "xml", "yaml", "properties", "json", "sql", "lua",
			"kotlin", "python", "javascript", "text");

	private static final Pattern TOUR = Pattern.compile("(?m)^\\s*tour (\\S+) '([^']+)'");

	private static final Pattern SAMPLE = Pattern.compile("\\$\\(sample (\\S+) (\\d)\\)");

	private static final Pattern MAVEN = Pattern.compile("`(mvn [^`]+)`");

	private final List<Document> documents = Document.all();

	@Test
	void eachCommandIsRunOrItIsSaidWhyNot() {
		List<Predicate<Command>> runners = List.of(isInTour(), startsSampleForTour(), Command::asksRedis,
				isTestCommandOfReadme());
		assertThat(commands().filter((command) -> runners.stream().noneMatch((runner) -> runner.test(command)))
			.filter((command) -> !NOT_RUN.containsKey(command.text()))).isEmpty();
	}

	@Test
	void whatIsNotRunIsStillThere() {
		assertThat(commands().map(Command::text).collect(Collectors.toSet())).containsAll(NOT_RUN.keySet());
	}

	@Test
	void eachBlockSaysWhetherItIsCommands() {
		assertThat(this.documents.stream().flatMap((document) -> document.blocks().stream()))
			.allSatisfy((block) -> assertThat(block.language()).as("language of %s", block)
				.matches((language) -> OTHERS.contains(language) || isCommands(block)));
	}

	@Test
	void mavenCommandsNameModulesProfilesAndTestsThatExist() throws IOException {
		Set<String> modules = modules("");
		Set<String> profiles = new HashSet<>();
		for (String module : modules) {
			profiles.addAll(names(pom(module), "(?s)<profile>.*?<id>([^<]+)</id>"));
		}
		Set<String> tests = testClasses(modules);
		List<String> commands = mavenCommands();
		assertThat(commands).hasSizeGreaterThan(10).allSatisfy((command) -> {
			assertThat(modules).containsAll(values(command, "-pl :?([^ ]+)"));
			assertThat(profiles).containsAll(values(command, "-P([^ ]+)"));
			assertThat(tests).containsAll(values(command, "-D(?:it\\.)?test='?([^ ']+)"));
		});
	}

	/** Modules of modules included, each by its folder; the root has an empty name. */
	private static Set<String> modules(String parent) throws IOException {
		Set<String> modules = new HashSet<>(Set.of(parent));
		for (String module : names(pom(parent), "<module>([^<]+)</module>")) {
			modules.addAll(modules(parent.isEmpty() ? module : parent + "/" + module));
		}
		return modules;
	}

	private static Path pom(String module) {
		return Document.ROOT.resolve(module).resolve("pom.xml");
	}

	private Stream<Command> commands() {
		// The README in Chinese has the same ones: see ReadmeTests
		return this.documents.stream()
			.filter((document) -> !document.toString().equals("README.zh-CN.md"))
			.flatMap(Command::of);
	}

	private static boolean isCommands(Block block) {
		return block.language().equals("shell")
				|| (block.language().equals("console") && block.text().startsWith("$ "));
	}

	/** The sections whose commands are run, and compared with what they print. */
	private static Predicate<Command> isInTour() {
		List<MatchResult> tours = matches(TOUR, read(".ci/tour"));
		assertThat(tours).isNotEmpty();
		return (command) -> command.block().language().equals("console") && tours.stream()
			.anyMatch((tour) -> command.block().document().equals(tour.group(1))
					&& command.block().section().startsWith(tour.group(2)));
	}

	private Predicate<Command> startsSampleForTour() {
		List<String> commands = new ArrayList<>();
		for (MatchResult sample : matches(SAMPLE, read(".ci/tour"))) {
			commands.add(commands().filter((command) -> command.block().document().equals(sample.group(1)))
				.map(Command::text)
				.filter((text) -> text.matches("mvn .*spring-boot:run.*"))
				.skip(Long.parseLong(sample.group(2)) - 1)
				.findFirst()
				.orElseThrow());
		}
		return (command) -> commands.contains(command.text());
	}

	/** What {@code .ci/run} takes from there. */
	private static Predicate<Command> isTestCommandOfReadme() {
		return (command) -> command.block().document().equals("README.md") && command.text().equals("mvn verify");
	}

	private List<String> mavenCommands() {
		return Stream
			.concat(commands().map(Command::text).filter((text) -> text.startsWith("mvn ")),
					this.documents.stream()
						.flatMap((document) -> document.prose().stream())
						.flatMap((line) -> matches(MAVEN, line).stream())
						.map((command) -> command.group(1)))
			.distinct()
			.toList();
	}

	private static List<String> values(String command, String option) {
		return matches(Pattern.compile(option), command).stream()
			.flatMap((value) -> Stream.of(value.group(1).split(",")))
			.filter((value) -> !value.contains("*") && !value.contains("<"))
			.toList();
	}

	private static Set<String> testClasses(Set<String> modules) throws IOException {
		Set<String> classes = new TreeSet<>();
		for (String module : modules) {
			Path sources = Document.ROOT.resolve(module).resolve("src/test/java");
			if (Files.exists(sources)) {
				try (Stream<Path> files = Files.walk(sources)) {
					files.map((file) -> file.getFileName().toString().replaceFirst("\\.java$", ""))
						.forEach(classes::add);
				}
			}
		}
		return classes;
	}

	private static Set<String> names(Path file, String pattern) throws IOException {
		return matches(Pattern.compile(pattern), Files.readString(file)).stream()
			.map((match) -> match.group(1))
			.collect(Collectors.toSet());
	}

	private static List<MatchResult> matches(Pattern pattern, String text) {
		return pattern.matcher(text).results().toList();
	}

	private static String read(String name) {
		try {
			return Files.readString(Document.ROOT.resolve(name));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
