package io.github.delayqueue.defects;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.util.FileSystemUtils;
import org.springframework.util.StringUtils;

import io.github.delayqueue.faults.FaultSuite;
import io.github.delayqueue.testsupport.ChildJvm;
import io.github.delayqueue.testsupport.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Runs the fault suite, or another one that the defect names, against classes with a
 * defect in them, one after the other, and then the simulation with the scripts: it has
 * to fail, for the right reason, and within two minutes. What it wrote is left in
 * {@code target/defects}. Not part of an ordinary build: {@code mvn verify -Pdefects},
 * and {@code -Ddefect=} with the names of patches, separated by commas, for only these.
 */
class DefectsIntegrationTests {

	private static final Duration LIMIT = Duration.ofSeconds(Integer.getInteger("defects.limit", 120));

	static Stream<Defect> defects() {
		Set<String> only = StringUtils.commaDelimitedListToSet(System.getProperty("defect"));
		return Defect.all().filter((defect) -> only.isEmpty() || only.contains(defect.name()));
	}

	@ParameterizedTest
	@MethodSource("defects")
	void suiteNoticesTheDefect(Defect defect) throws Exception {
		assumeTrue(!defect.needsClock() || RedisServer.canAdjustClock(),
				"the clock of a Redis server cannot be set here");
		requireNotice(defect, defect.suite(), defect.rule());
	}

	/** A week of everything, on a Redis that runs the scripts. */
	@ParameterizedTest
	@MethodSource("defects")
	void simulationWithTheScriptsNoticesTheDefect(Defect defect) throws Exception {
		assumeTrue(!defect.simulated().isEmpty(), "the simulation does not notice it");
		requireNotice(defect, defect.suite().scripts(), defect.simulated());
	}

	private static void requireNotice(Defect defect, DefectSuite suite, String by) throws Exception {
		Path output = emptyDirectory(defect).resolve("output.log");
		long start = System.nanoTime();
		assertThat(run(defect, suite, output)).as("exit status, see %s", output).isEqualTo(FaultSuite.VIOLATIONS);
		long seconds = Duration.ofNanos(System.nanoTime() - start).toSeconds();
		Pattern rule = Pattern.compile("^\\W*(run: \\d+ )?" + Pattern.quote(by) + "[: ]");
		List<String> violations = Files.readAllLines(output).stream().filter(rule.asPredicate()).toList();
		assertThat(violations).as("what is '%s' in %s", by, output).isNotEmpty();
		System.out.printf("Defect %s: noticed after %d s, %s%n", defect, seconds, violations.get(0));
	}

	/** Else it would prove nothing that the suite fails. */
	@Test
	void suiteIsContentWithoutDefect() throws Exception {
		Defect none = new Defect("none", DefectSuite.FAULTS, "", "", "", false, List.of());
		Path output = emptyDirectory(none).resolve("output.log");
		assertThat(run(none, none.suite(), output)).as("exit status, see %s", output).isZero();
	}

	private static int run(Defect defect, DefectSuite suite, Path output) throws Exception {
		Path directory = output.getParent();
		List<String> arguments = new ArrayList<>(List.of("-Dfaults.first=" + defect.firstFault()));
		arguments.addAll(suite.properties());
		arguments.addAll(List.of("-cp", DefectiveClasses.make(defect, directory).classPath(), suite.main()));
		try (ChildJvm child = ChildJvm.of(arguments).longLived().directory(directory).start(output)) {
			return child.awaitEnd(LIMIT);
		}
	}

	private static Path emptyDirectory(Defect defect) throws IOException {
		Path directory = Path.of("target", "defects", defect.name()).toAbsolutePath();
		FileSystemUtils.deleteRecursively(directory);
		return Files.createDirectories(directory);
	}

}
