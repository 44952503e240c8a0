package io.github.delayqueue.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.util.FileSystemUtils;

import io.github.delayqueue.testsupport.Heavy;
import io.github.delayqueue.testsupport.Patience;
import io.github.delayqueue.testsupport.TestEffort;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Consumers and producers in processes of their own and a real Redis, with random faults;
 * afterwards the history is checked. Nothing acknowledged is lost, nothing is handled
 * early, everything that is handled again has a reason.
 * <p>
 * {@code mvn verify -Pfaults} for the full measure. {@code -Dfaults.minutes=3} for how
 * long faults are inflicted, {@code -Dfaults.seed=42} for what random choices begin with,
 * {@code -Dfaults.report=<file>} for a document to write the outcome into, between the
 * lines {@link ReportFiles#BEGIN} and {@link ReportFiles#END}.
 */
class FaultSuiteIntegrationTests {

	private static final Logger logger = LoggerFactory.getLogger(FaultSuiteIntegrationTests.class);

	private static final double MINUTES = Double
		.parseDouble(System.getProperty("faults.minutes", TestEffort.isFull() ? "1.1" : "0.3"));

	private static final long SEED = Long.getLong("faults.seed", TestEffort.seed(1));

	private static final String DOCUMENT = System.getProperty("faults.report", "");

	/** A run that is longer has to show what the project promises of it. */
	private static final double FULL_MEASURE = 7;

	private static final Duration DRAIN_PATIENCE = Duration
		.ofSeconds(Long.getLong("faults.drain-seconds", Patience.LIMIT.toSeconds()));

	private static final int SHOWN = 10;

	@Test
	void losesNothingAndIsNeverEarlyAndExplainsEveryRedelivery() throws Exception {
		Report report = run(new SingleSite(), MINUTES, emptyDirectory("run-" + SEED));
		if (!DOCUMENT.isEmpty()) {
			ReportFiles.writeInto(report, Path.of(DOCUMENT));
		}
	}

	@Test
	@Heavy
	void doesTheSameByJedisOnACluster() throws Exception {
		run(new ClusterSite(), Math.min(MINUTES, 1), emptyDirectory("cluster-" + SEED));
	}

	private static Report run(Site site, double minutes, Path directory) throws Exception {
		boolean full = minutes >= FULL_MEASURE;
		// most of so short a run would go into starting processes
		boolean brief = minutes < 0.5;
		logger.info("Faults for {} minutes, -Dfaults.seed={}", minutes, SEED);
		try (SuiteRun run = new SuiteRun(site, directory, SEED, brief ? 2 : 3, brief ? 1 : 2)) {
			run.start();
			run.inflictFaults(Duration.ofMillis((long) (minutes * 60_000)));
			run.drain(DRAIN_PATIENCE);
		}
		History history = HistoryReader.read(directory);
		Findings findings = HistoryChecker.check(history);
		Report report = new Report(history, findings, SEED);
		ReportFiles.write(report, directory);
		logger.info("{}", report.text());
		assertThat(findings.violations()).as(() -> describe(directory, findings)).isEmpty();
		assertThat(report.acknowledged()).as("tasks").isGreaterThanOrEqualTo(full ? 100_000 : (long) (1000 * minutes));
		assertThat(report.inflicted()).as("faults")
			.isGreaterThanOrEqualTo(full ? 60 : Math.max(1, (int) (2 * minutes)));
		return report;
	}

	private static String describe(Path directory, Findings findings) {
		return "-Dfaults.seed=%d, histories in %s; %d violations, the first:%n%s".formatted(SEED, directory,
				findings.violations().size(),
				findings.violations().stream().limit(SHOWN).map(String::valueOf).collect(Collectors.joining("\n")));
	}

	private static Path emptyDirectory(String name) throws IOException {
		Path directory = Path.of("target", "faults", name).toAbsolutePath();
		FileSystemUtils.deleteRecursively(directory);
		return Files.createDirectories(directory);
	}

}
