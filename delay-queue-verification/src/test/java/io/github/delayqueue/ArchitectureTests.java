package io.github.delayqueue;

import java.io.File;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.resolvers.SelectedClassResolverFromClasspath;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.GeneralCodingRules;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static com.tngtech.archunit.core.domain.properties.CanBeAnnotated.Predicates.annotatedWith;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The packages and who may use whom, as {@code docs/internals/design.md} describes them.
 */
class ArchitectureTests {

	private static final String ROOT = "io.github.delayqueue";

	/** A package imports only packages of a lower level. */
	private static final Map<String, Integer> LEVELS = Map.ofEntries(Map.entry(ROOT, 0),
			Map.entry(ROOT + ".convert", 1), Map.entry(ROOT + ".retry", 1), Map.entry(ROOT + ".event", 1),
			Map.entry(ROOT + ".store", 1), Map.entry(ROOT + ".store.redis", 2), Map.entry(ROOT + ".store.memory", 5),
			Map.entry(ROOT + ".roles", 2), Map.entry(ROOT + ".incarnation", 3), Map.entry(ROOT + ".failover", 3),
			Map.entry(ROOT + ".wake", 3), Map.entry(ROOT + ".management", 4), Map.entry(ROOT + ".sharing", 3),
			Map.entry(ROOT + ".replication", 4), Map.entry(ROOT + ".options", 2), Map.entry(ROOT + ".debounce", 3),
			Map.entry(ROOT + ".limits", 3), Map.entry(ROOT + ".partition", 3), Map.entry(ROOT + ".run", 2),
			Map.entry(ROOT + ".producer", 3), Map.entry(ROOT + ".listener", 3), Map.entry(ROOT + ".fleet", 4),
			Map.entry(ROOT + ".histogram", 4), Map.entry(ROOT + ".groups", 4), Map.entry(ROOT + ".deadletter", 4),
			Map.entry(ROOT + ".recurring", 4), Map.entry(ROOT + ".jackson", 2), Map.entry(ROOT + ".annotation", 4),
			Map.entry(ROOT + ".threads", 4), Map.entry(ROOT + ".polling", 5), Map.entry(ROOT + ".lostclaims", 4),
			Map.entry(ROOT + ".retention", 4), Map.entry(ROOT + ".lastchance", 4), Map.entry(ROOT + ".checks", 4),
			Map.entry(ROOT + ".standin", 4), Map.entry(ROOT + ".interceptors", 4), Map.entry(ROOT + ".interrupts", 4),
			Map.entry(ROOT + ".bulk", 4), Map.entry(ROOT + ".metrics", 4), Map.entry(ROOT + ".observation", 4),
			Map.entry(ROOT + ".journal", 4), Map.entry(ROOT + ".migration", 4), Map.entry(ROOT + ".actuate", 5),
			Map.entry(ROOT + ".config", 6), Map.entry(ROOT + ".autoconfigure", 7), Map.entry(ROOT + ".boot3", 8),
			Map.entry(ROOT + ".console.page", 8), Map.entry(ROOT + ".console", 9));

	/** What is read in an afternoon. */
	private static final Set<String> KERNEL = Stream
		.of("", ".convert", ".retry", ".event", ".options", ".run", ".producer", ".listener", ".store", ".store.redis")
		.map(ROOT::concat)
		.collect(Collectors.toUnmodifiableSet());

	/** Packages of core that can be left out. */
	private static final Set<String> PARTS = Stream
		.of(".annotation", ".bulk", ".checks", ".deadletter", ".debounce", ".failover", ".fleet", ".groups",
				".histogram", ".incarnation", ".interceptors", ".interrupts", ".jackson", ".lastchance", ".limits",
				".lostclaims", ".management", ".metrics", ".observation", ".partition", ".polling", ".recurring",
				".replication", ".retention", ".sharing", ".standin", ".threads", ".wake")
		.map(ROOT::concat)
		.collect(Collectors.toUnmodifiableSet());

	/** Which part needs which other one, and why. */
	private static final Map<String, String> ARROWS = Map.of("fleet -> failover",
			"asks each node of a cluster who is connected to it, by a connection of its own", "fleet -> wake",
			"counts instances by their subscriptions", "groups -> limits", "a group has a rate as a queue has one",
			"polling -> lostclaims", "a claim by hand can be lost as well", "polling -> retention",
			"who claims by hand tends as well", "replication -> failover",
			"WAIT counts what its own connection has written, and blocks it");

	/**
	 * Words of parts and modules. A recurrence is none: settlements know it. Nor are dead
	 * letters, which stand in groups by their causes, nor wake messages, which scripts
	 * publish.
	 */
	private static final Pattern PART_WORD = Pattern.compile(
			"(?i)partition|interrupt_?on_?cancel|debounc|lost_?claim|rate_?limit|global_?concurrency|flow_?limit|replica(?!te_commands)|fleet|histogram|take_?over|failover|grouped|journal|(?<!\\.)jackson(?!exception)|migrat|metric|dashboard|console");

	/** Where such words stand all the same, and why. */
	private static final Map<String, String> WORDS = Map.ofEntries(
			Map.entry("partition QueueStats.java", "a figure that users read"),
			Map.entry("partition RedisErrors.java", "an error in Redis, which other programs read"),
			Map.entry("partition schedule.lua", "a field in Redis, which other programs read, and the same error"),
			Map.entry("partition OtherSourcesException.java", "in a message to users"),
			Map.entry("replica NotReplicatedException.java", "users catch it"),
			Map.entry("replica TaskSender.java", "throws it"),
			Map.entry("replica RedisErrors.java", "errors of servers"),
			Map.entry("takeover TaskEventListener.java", "users implement it"),
			Map.entry("journal OptionTable.java", "an option that decides for whole queues"),
			Map.entry("journal QueueOptions.java", "the same option"),
			Map.entry("journal JournalRestoredEvent.java", "users listen to it"),
			Map.entry("journal OtherTableException.java", "in a message to users"));

	private static final JavaClasses MAIN = read(Modules.classes(), "java");

	private static final JavaClasses TESTS = read(Modules.testClasses());

	/** Of classes of one package. */
	private static final Pattern USE = Pattern
		.compile("io\\.github\\.((delayqueue[a-z.]*)\\.[A-Z]\\w*)\\S* +-> io\\.github\\.(\\2\\.[A-Z]\\w*)");

	/** {@code Locale.ENGLISH} and other words for people name theirs. */
	private static final Pattern BY_DEFAULT_LOCALE = Pattern
		.compile("\\.formatted\\(|\\bString\\s*\\.\\s*format\\(\\s*(?!\\s*Locale\\.)|\\bprintf\\(\\s*(?!\\s*Locale\\.)"
				+ "|\\.\\s*to(Lower|Upper)Case\\(\\s*\\)|::\\s*(to(Lower|Upper)Case|formatted)\\b|\\bString::format\\b"
				+ "|\\bnew (Formatter|DecimalFormat|SimpleDateFormat|MessageFormat|Scanner)\\((?![^;]*Locale\\.)|\\b(Number|Message)Format\\."
				+ "|\\bofPattern\\((?![^;]*Locale\\.)|\\bLocale\\.getDefault\\b");

	/**
	 * What the factory methods of an interface make is of its own kind; a sealed
	 * interface names who implements it.
	 */
	private static final Set<List<String>> MEANT_CYCLES = Set.of(
			List.of("delayqueue.retry.RedeliveryPolicy", "delayqueue.retry.RetryOptions"),
			List.of("delayqueue.producer.DelayQueueOperations", "delayqueue.producer.TaskQueue"),
			List.of("delayqueue.console.QueueEntry", "delayqueue.console.QueueDescriptor"),
			List.of("delayqueue.console.QueueEntry", "delayqueue.console.UnreadableQueueDescriptor"));

	@Test
	void everyPackageHasALevel() {
		assertThat(packagesOf(MAIN)).containsExactlyInAnyOrderElementsOf(LEVELS.keySet());
	}

	@Test
	void packagesImportOnlyLowerLevels() {
		classes().should(importOnlyLowerLevels()).check(MAIN);
	}

	/** With the packages of a part, no other code goes but its wiring. */
	@Test
	void kernelNamesNoPart() {
		assertThat(MAIN.stream()
			.filter((type) -> KERNEL.contains(type.getPackageName()))
			.flatMap(ArchitectureTests::parts)
			.map(Dependency::getDescription)).isEmpty();
	}

	/** What stores do beside the steps of tasks is for parts. */
	@Test
	void kernelNamesNoRoleThatPartsAskFor() {
		noClasses().that()
			.resideInAnyPackage(KERNEL.toArray(String[]::new))
			.should()
			.dependOnClassesThat()
			.resideInAPackage(ROOT + ".roles")
			.check(MAIN);
	}

	/** Comments may name them, as examples of who hangs on a seam. */
	@Test
	void kernelHasNoWordOfAPart() {
		Map<String, String> comments = Map.of("java", "(?s)/\\*.*?\\*/|//[^\n]*", "lua", "--.*");
		Set<String> found = new TreeSet<>();
		Modules.textsIn(Modules.sourcesOfCore()).forEach((file, text) -> {
			String name = file.getFileName().toString();
			String comment = comments.get(name.replaceFirst(".*\\.", ""));
			String folder = file.getParent().toString().replace(File.separatorChar, '.');
			if (comment != null && KERNEL.stream().anyMatch((kernel) -> folder.endsWith("." + kernel))) {
				PART_WORD.matcher(text.replaceAll(comment, ""))
					.results()
					.forEach((word) -> found.add(word.group().toLowerCase(Locale.ROOT) + " " + name));
			}
		});
		assertThat(found).isEqualTo(new TreeSet<>(WORDS.keySet()));
	}

	@Test
	void partsNeedOnlyTheseOthers() {
		assertThat(MAIN.stream()
			.filter((type) -> PARTS.contains(type.getPackageName()))
			.flatMap((type) -> parts(type).map((use) -> shortName(type) + " -> " + shortName(use.getTargetClass())))
			.collect(Collectors.toSet())).isEqualTo(ARROWS.keySet());
	}

	private static Stream<Dependency> parts(JavaClass type) {
		return type.getDirectDependenciesFromSelf()
			.stream()
			.filter((use) -> PARTS.contains(use.getTargetClass().getBaseComponentType().getPackageName())
					&& !use.getTargetClass().getBaseComponentType().getPackageName().equals(type.getPackageName()));
	}

	private static String shortName(JavaClass type) {
		return type.getBaseComponentType().getPackageName().substring(ROOT.length() + 1);
	}

	@Test
	void packagesAreFreeOfCycles() {
		SlicesRuleDefinition.slices().assignedFrom(packages()).should().beFreeOfCycles().check(MAIN);
	}

	/** A class is one with those nested in it. */
	@Test
	void classesAreFreeOfCycles() {
		StringWriter text = new StringWriter();
		PrintWriter writer = new PrintWriter(text);
		ToolProvider.findFirst("jdeps")
			.orElseThrow()
			.run(writer, writer, Stream.concat(Stream.of("-v"), Modules.classes().stream().map(Path::toString))
				.toArray(String[]::new));
		Set<List<String>> uses = USE.matcher(text.toString())
			.results()
			.map((use) -> List.of(use.group(1), use.group(3)))
			.filter((use) -> !use.get(0).equals(use.get(1)))
			.collect(Collectors.toSet());
		assertThat(uses).containsAll(MEANT_CYCLES);
		uses.removeAll(MEANT_CYCLES);
		int before;
		do {
			before = uses.size();
			// who uses none of those left, or is used by none, is in no cycle
			Set<String> users = uses.stream().map((use) -> use.get(0)).collect(Collectors.toSet());
			Set<String> used = uses.stream().map((use) -> use.get(1)).collect(Collectors.toSet());
			uses.removeIf((use) -> !users.contains(use.get(1)) || !used.contains(use.get(0)));
		}
		while (uses.size() < before);
		assertThat(uses).isEmpty();
	}

	/** Whole packages, so that no two modules have one in common. */
	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					core                | convert jackson retry event store roles store.redis store.memory incarnation management wake sharing options debounce groups limits partition run producer listener threads lostclaims retention standin lastchance checks polling bulk histogram deadletter recurring interceptors interrupts annotation metrics observation
					failover            | failover fleet replication
					journal             | journal
					migration           | migration
					autoconfigure       | actuate config autoconfigure
					console             | console console.page
					boot3-autoconfigure | boot3
					""")
	void modulesHaveTheirPackages(String module, String packages) {
		Set<String> expected = Stream.of(packages.split(" "))
			.map((name) -> ROOT + "." + name)
			.collect(Collectors.toCollection(TreeSet::new));
		if (module.equals("core")) {
			expected.add(ROOT);
		}
		Path folder = Modules.classesOf(module);
		Set<String> there = packagesOf(MAIN.that(DescribedPredicate.describe("are in " + folder,
				(type) -> Path.of(type.getSource().orElseThrow().getUri()).startsWith(folder))));
		assertThat(there).isEqualTo(expected);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					Spring Data Redis       | org.springframework.data.redis..      | store.redis wake failover replication fleet management migration config autoconfigure
					Lettuce                 | io.lettuce..                          | failover
					Jedis                   | redis.clients..                       | failover
					Lettuce in Spring Data  | org.springframework.data.redis.connection.lettuce.. | failover
					Jedis in Spring Data    | org.springframework.data.redis.connection.jedis.. | failover
					Micrometer's meter API  | io.micrometer.core..                  | metrics
					Observation API         | io.micrometer.observation..           | observation
					Micrometer Tracing      | io.micrometer.tracing..               | observation
					spring-messaging        | org.springframework.messaging..       | annotation
					Spring Boot             | org.springframework.boot..            | actuate config autoconfigure boot3 console console.page
					Jackson 3's objects     | tools.jackson.databind..              | jackson migration config
					Jackson 2's objects     | com.fasterxml.jackson.databind..      | jackson migration config
					Spring's JDBC           | org.springframework.jdbc..            | journal config autoconfigure
					Spring's transactions   | org.springframework.transaction..     | journal config autoconfigure
					Spring MVC              | org.springframework.web.servlet..     | console
					Spring WebFlux          | org.springframework.web.reactive..    | console
					Spring Security         | org.springframework.security..        | console
					the auto-configuration  | io.github.delayqueue.autoconfigure..  | autoconfigure boot3 console
					""")
	void onlyTheseImport(String what, String imported, String importers) {
		String[] packages = List.of(importers.split(" "))
			.stream()
			.map((name) -> ROOT + "." + name)
			.toArray(String[]::new);
		ArchRule rule = noClasses().that()
			.resideOutsideOfPackages(packages)
			.should()
			.dependOnClassesThat()
			.resideInAPackage(imported)
			.because("only " + importers + " import " + what);
		rule.check(MAIN);
	}

	@Test
	void everyPackageIsNullMarked() {
		assertThat(LEVELS.keySet()).allSatisfy((name) -> {
			JavaPackage javaPackage = MAIN.getPackage(name);
			assertThat(javaPackage.isAnnotatedWith(NullMarked.class)).as(name).isTrue();
		});
	}

	/** A nested public type is known by the name of the type around it. */
	@Test
	void simpleNameOfAHiddenTypeIsThatOfNoOtherType() {
		Map<String, List<JavaClass>> types = MAIN.stream()
			.filter((type) -> type.getSimpleName().matches("\\w+") && !type.isAnonymousClass())
			.collect(Collectors.groupingBy(JavaClass::getSimpleName));
		types.values().removeIf((same) -> same.size() == 1 || same.stream().noneMatch(ArchitectureTests::isHidden));
		assertThat(types).isEmpty();
	}

	private static boolean isHidden(JavaClass type) {
		return !type.getModifiers().contains(JavaModifier.PUBLIC)
				|| type.getEnclosingClass().filter(ArchitectureTests::isHidden).isPresent();
	}

	@Test
	void nothingIsWrittenToTheConsole() {
		GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS.check(MAIN);
	}

	/** Where that has digits of its own, SQL and keys would have them. */
	@Test
	void nothingGoesByTheDefaultLocale() {
		Modules.textsIn(Modules.allSources())
			.forEach((file, text) -> assertThat(BY_DEFAULT_LOCALE.matcher(text).results().map(MatchResult::group))
				.as("%s: name Locale.ROOT", file)
				.isEmpty());
	}

	@Test
	void classesOfTestsAreFoundByTheBuild() {
		classes().that()
			.containAnyMethodsThat(annotatedWith(Test.class).or(annotatedWith(ParameterizedTest.class)))
			.and()
			.areTopLevelClasses()
			.and()
			.doNotHaveModifier(JavaModifier.ABSTRACT)
			.should()
			.haveSimpleNameEndingWith("Tests")
			.because("the build runs *Tests and *IntegrationTests")
			.check(TESTS);
	}

	@Test
	void testsAreNotMixedIntoMainClasses() {
		noClasses().should().haveSimpleNameEndingWith("Tests").check(MAIN);
	}

	@Test
	void testsThatNeedARedisAreIntegrationTests() {
		noClasses().that()
			.haveSimpleNameEndingWith("Tests")
			.and()
			.haveSimpleNameNotEndingWith("IntegrationTests")
			.should()
			.dependOnClassesThat()
			.haveNameMatching(
					".*\\.testsupport\\.(RedisServer|TestRedis|TestRedisConfiguration|TestServers?|EachServer)(\\$.*)?")
			.check(TESTS);
	}

	@Test
	void testsStartProcessesByTheirCommonSupport() {
		noClasses().that()
			.doNotHaveSimpleName("DocumentedRedisCommandsIntegrationTests")
			.should()
			.dependOnClassesThat()
			.haveFullyQualifiedName("java.lang.ProcessBuilder")
			.because("RedisServer and ChildJvm start them, and end them with the JVM")
			.check(TESTS);
	}

	/**
	 * Of what is not in the folders the names do, except for given packages.
	 */
	private static JavaClasses read(List<Path> folders, String... packages) {
		ArchConfiguration configuration = ArchConfiguration.get();
		configuration.setClassResolver(SelectedClassResolverFromClasspath.class);
		configuration.setClassResolverArguments(packages);
		return new ClassFileImporter().importPaths(folders);
	}

	private static Set<String> packagesOf(JavaClasses classes) {
		return classes.stream().map(JavaClass::getPackageName).collect(Collectors.toCollection(TreeSet::new));
	}

	private static ArchCondition<JavaClass> importOnlyLowerLevels() {
		return new ArchCondition<>("import only packages of a lower level") {

			@Override
			public void check(JavaClass item, ConditionEvents events) {
				for (Dependency dependency : item.getDirectDependenciesFromSelf()) {
					String origin = item.getPackageName();
					String target = dependency.getTargetClass().getBaseComponentType().getPackageName();
					if (LEVELS.containsKey(target) && !target.equals(origin)) {
						boolean lower = LEVELS.get(target) < LEVELS.get(origin);
						events.add(new SimpleConditionEvent(dependency, lower, dependency.getDescription()));
					}
				}
			}

		};
	}

	private static SliceAssignment packages() {
		return new SliceAssignment() {

			@Override
			public SliceIdentifier getIdentifierOf(JavaClass javaClass) {
				return SliceIdentifier.of(javaClass.getPackageName());
			}

			@Override
			public String getDescription() {
				return "packages";
			}

		};
	}

}
