package io.github.delayqueue.documents;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import io.github.delayqueue.documents.Document.Block;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each command of the documents is run by something, or it is said here why not.
 */
class DocumentedCommandsTests {

	/** What no test and no step of CI runs, and why. */
	private static final Map<String, String> NOT_RUN = Map.of(
			"mvn -pl delay-queue-journal -am verify -DskipUnitTests -Dit.test=MySqlJournalTableIntegrationTests "
					+ "-Dfailsafe.failIfNoSpecifiedTests=false -Ddelayqueue.test.mysql=jdbc:mysql://127.0.0.1:3306/ "
					+ "-Ddelayqueue.test.mysql.user=root -Ddelayqueue.test.mysql.password=secret",
			"needs a MySQL",
			// .ci/run measures in small, and less
			"mvn -pl delay-queue-benchmark -am verify -Pbenchmark", "takes half an hour",
			// .ci/heavy fetches them into a folder of its own, and runs the classes that
			// use them
			".ci/servers target/servers", "writes into the working tree",
			"mvn verify -Pfull -DskipUnitTests -Ddelayqueue.test.servers=$PWD/target/servers", "takes half an hour",
			// the verdict needs no Node.js
			"npm install --no-package-lock", "fetches packages", "npm run build", "needs these packages");

	/** The same for those in sentences and tables. */
	private static final Map<String, String> NOT_RUN_IN_PROSE = Map.ofEntries(
			entry("npm run dev", "needs packages that are fetched"), entry("npm run pages", "is a part of the build"),
			entry("mvn verify -Pfull", "is run in parts by .ci/heavy"),
			entry("mvn verify -Pfaults", "takes a quarter of an hour"),
			entry("mvn -pl delay-queue-benchmark -am verify -Pbenchmark "
					+ "-Dbenchmark.systems=journal,db-scheduler -Dbenchmark.measures=enqueue,drain", "takes minutes"),
			entry("mvn verify -Pmodels", "takes longer than for the one module that has the test, as .ci/run does it"),
			entry("mvn verify -Pdefects",
					"takes longer than for the one module that has defects, as .ci/heavy does it"),
			entry("mvn verify -Pdefects -Ddefect=publish-before-write", "is a part of the command before"),
			entry("mvn -pl delay-queue-verification -am verify -Pfull -DskipUnitTests "
					+ "-Dit.test=RedisRandomHistoryIntegrationTests -Dhistory.minutes=10", "takes ten minutes"),
			entry("mvn -pl delay-queue-verification -am verify -DskipUnitTests "
					+ "-Dit.test=SimulationIntegrationTests -Dsimulation.days=365", "takes hours"),
			entry("mvn -pl delay-queue-verification -am verify -DskipUnitTests "
					+ "-Dit.test=SimulationIntegrationTests -Dsimulation.seed=42", "is for a seed that has failed"),
			entry("mvn -pl delay-queue-sample -am verify -DskipUnitTests "
					+ "'-Dit.test=Dashboard*IntegrationTests,DeadTasksPage*' -Ddashboard.screenshots=$PWD/docs/images",
					"writes into the working tree"),
			entry("mvn generate-test-sources io.spring.javaformat:spring-javaformat-maven-plugin:0.0.48:apply",
					"writes into the working tree"),
			entry("mvn verify -DskipUnitTests -Ddelayqueue.test.redis=container",
					"takes longer than for the classes that share a server, as .ci/run does it"),
			entry("mvn verify -Djvm=/path/to/java", "names no JDK; .ci/run has one for the tests of virtual threads"),
			entry("mvn -Prelease verify", "is a part of what .ci/release does"),
			entry("mvn -Prelease deploy -DskipTests -DaltDeploymentRepository=id::url",
					"names no repository, as .ci/release does"),
			entry("mvn -Prelease,central deploy -DskipTests", "needs credentials"),
			entry("mvn -Pbenchmark versions:set -DnewVersion=X -DprocessAllModules", "changes the project"),
			entry("npm install --prefix delay-queue-benchmark/target/bullmq bullmq ioredis",
					"downloads what only the long run of the benchmark has a use for"),
			entry("npm install", "is run for a folder by .ci/heavy, so that it need not be in it"),
			entry("-Dspring-boot.run.arguments=--spring.data.redis.url=redis://localhost:6379",
					"needs a Redis of one's own; EmbeddedRedisPostProcessorTests sees to what it does"));

	/**
	 * They run a part of what {@code mvn verify} runs. That modules and tests exist is
	 * tested below.
	 */
	private static final Pattern PART_OF_VERIFY = Pattern
		.compile("mvn( -pl [^ ]+| -am)* (test|verify)( -Pfull| -DskipUnitTests| -D(it\\.)?test=[^ ]+)*");

	/** Languages of what is no command. */
	private static final Set<String> OTHERS = Set.of("java", "xml", "yaml", "properties", "json", "sql", "lua",
			"kotlin", "python", "javascript", "mermaid", "text");

	private static final Pattern TOUR = Pattern.compile("(?m)^\\s*tour (\\S+) '([^']+)'");

	private static final Pattern SAMPLE = Pattern.compile("\\$\\(sample (\\S+) (\\d)\\)");

	private static final Pattern PROFILE = Pattern.compile("(?s)<profile>.*?<id>([^<]+)</id>");

	private final List<Document> documents = Document.all();

	@Test
	void eachCommandIsRunOrItIsSaidWhyNot() {
		List<Predicate<Command>> runners = List.of(isInTour(), isCopyOfTour(), startsSampleForTour(),
				Command::asksRedis, isTestCommandOfReadme(), isInstallCommandOfReadme());
		assertThat(commands().filter((command) -> runners.stream().noneMatch((runner) -> runner.test(command)))
			.filter((command) -> !NOT_RUN.containsKey(command.text()))).isEmpty();
	}

	@Test
	void eachCommandInProseIsRunOrItIsSaidWhyNot() {
		Set<String> inBlocks = commands().map(Command::text).collect(Collectors.toSet());
		String ci = read(".ci/run") + read(".ci/heavy") + "\n.ci/run";
		List<Predicate<String>> runners = List.of(inBlocks::contains,
				(command) -> PART_OF_VERIFY.matcher(command).matches(),
				(command) -> (command.startsWith(".ci/") || command.startsWith("./"))
						&& ci.contains(command.split(" ")[0]),
				(command) -> command.startsWith("-D") && inBlocks.stream().anyMatch((text) -> text.contains(command)));
		assertThat(commandsInProse().filter((command) -> runners.stream().noneMatch((runner) -> runner.test(command)))
			.filter((command) -> !NOT_RUN_IN_PROSE.containsKey(command))).isEmpty();
	}

	@Test
	void whatIsNotRunIsStillThere() {
		assertThat(commands().map(Command::text).collect(Collectors.toSet())).containsAll(NOT_RUN.keySet());
		assertThat(commandsInProse().collect(Collectors.toSet())).containsAll(NOT_RUN_IN_PROSE.keySet());
	}

	@Test
	void eachBlockSaysWhetherItIsCommands() {
		assertThat(this.documents.stream().flatMap((document) -> document.blocks().stream()))
			.allSatisfy((block) -> assertThat(block.language()).as("language of %s", block)
				.matches((language) -> OTHERS.contains(language) || isCommands(block)));
	}

	@Test
	void mavenCommandsNameModulesProfilesAndTestsThatExist() {
		Set<String> profiles = profiles();
		Set<String> tests = testClasses();
		List<String> commands = mavenCommands();
		assertThat(commands).hasSizeGreaterThan(10).allSatisfy((command) -> {
			assertThat(values(command, "-pl :?([^ ]+)"))
				.allSatisfy((module) -> assertThat(Document.ROOT.resolve(module).resolve("pom.xml")).exists());
			assertThat(profiles).containsAll(values(command, "-P([^ ]+)"));
			assertThat(tests).containsAll(values(command, "-D(?:it\\.)?test='?([^ ']+)"));
		});
	}

	/** CI would notice a test that is gone only when it is the turn of that part. */
	@Test
	void stepsOfCiNameTestsThatExist() {
		List<String> named = Stream.of(".ci/run", ".ci/heavy", ".ci/without")
			.flatMap((file) -> Pattern.compile("\\b(?!Dskip)[A-Z]\\w+Tests\\b").matcher(read(file)).results())
			.map(MatchResult::group)
			.filter((name) -> !name.equals("IntegrationTests"))
			.toList();
		assertThat(named).hasSizeGreaterThan(10);
		assertThat(testClasses()).containsAll(named);
	}

	private Stream<Command> commands() {
		// The README in Chinese has the same ones: see ReadmeTests
		return this.documents.stream()
			.filter((document) -> !document.toString().equals("README.zh-CN.md"))
			.flatMap(Command::of);
	}

	private Stream<String> commandsInProse() {
		return this.documents.stream().flatMap(Command::inProseOf);
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

	/** With what it prints. */
	private Predicate<Command> isCopyOfTour() {
		Predicate<Command> isInTour = isInTour();
		List<Command> run = commands().filter(isInTour).toList();
		return (command) -> command.block().document().startsWith("docs/zh/") && run.stream()
			.anyMatch((other) -> other.text().equals(command.text()) && other.answer().equals(command.answer()));
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

	/** What {@code .ci/first-application} takes from there. */
	private static Predicate<Command> isInstallCommandOfReadme() {
		return (command) -> command.block().document().equals("README.md")
				&& command.text().matches("mvn .*\\binstall\\b.*");
	}

	private List<String> mavenCommands() {
		return Stream.concat(commands().map(Command::text), commandsInProse())
			.filter((command) -> command.startsWith("mvn "))
			.distinct()
			.toList();
	}

	private static List<String> values(String command, String option) {
		return matches(Pattern.compile(option), command).stream()
			.flatMap((value) -> Stream.of(value.group(1).split(",")))
			.filter((value) -> !value.contains("*") && !value.contains("<"))
			.toList();
	}

	private static Set<String> testClasses() {
		return files("src/{test,fixtures}/{java,kotlin}/**.{java,kt}")
			.map((file) -> file.getFileName().toString().replaceFirst("\\.[a-z]+$", ""))
			.collect(Collectors.toSet());
	}

	private static Set<String> profiles() {
		return Stream.concat(Stream.of(Document.ROOT.resolve("pom.xml")), files("pom.xml"))
			.flatMap((pom) -> matches(PROFILE, read(Document.ROOT.relativize(pom).toString())).stream())
			.map((profile) -> profile.group(1))
			.collect(Collectors.toSet());
	}

	/** Of all modules, also those below others. */
	private static Stream<Path> files(String pattern) {
		PathMatcher matcher = Document.ROOT.getFileSystem()
			.getPathMatcher("glob:" + Document.ROOT + "/delay-queue-{*,*/*}/" + pattern);
		List<Path> found = new ArrayList<>();
		try (Stream<Path> root = Files.list(Document.ROOT)) {
			for (Path module : root.filter((path) -> path.getFileName().toString().startsWith("delay-queue-"))
				.toList()) {
				try (Stream<Path> files = Files.walk(module)) {
					files.filter(matcher::matches).forEach(found::add);
				}
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return found.stream();
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
