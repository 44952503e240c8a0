package io.github.delayqueue.models;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs the models of the protocol: all states that can be reached within their bounds. A
 * model that holds says something only because it fails where a guard is missing. Not
 * part of an ordinary build: {@code mvn verify -Pmodels}, {@code -Dmodels.large=true} for
 * those that take minutes, and {@code -Dmodels=<part of a name>} for some.
 */
class ModelsIntegrationTests {

	private static final Pattern STATES = Pattern.compile("([\\d,]+) distinct states found, 0 states left on queue");

	private static final Pattern VIOLATED = Pattern.compile("Error: Invariant (\\w+) is violated");

	private static final String VIOLATED_IN_THE_END = "Error: Temporal properties were violated";

	private static final ExecutorService threads = Executors
		.newFixedThreadPool(Runtime.getRuntime().availableProcessors());

	@TempDir
	private static Path folder;

	@AfterAll
	static void stop() {
		threads.shutdownNow();
	}

	@TestFactory
	List<DynamicTest> verdicts() {
		String some = System.getProperty("models", "");
		return Model.all()
			.flatMap(Configuration::of)
			.filter((configuration) -> Boolean.getBoolean("models.large") || !configuration.isLarge())
			.filter((configuration) -> configuration.toString().contains(some))
			.map((configuration) -> {
				CompletableFuture<String> output = CompletableFuture.supplyAsync(() -> run(configuration), threads);
				return DynamicTest.dynamicTest(configuration.toString(), () -> check(configuration, output.join()));
			})
			.toList();
	}

	private static void check(Configuration configuration, String output) {
		Matcher violated = VIOLATED.matcher(output);
		if (configuration.breaks() == null) {
			assertThat(output).contains("No error has been found");
			Matcher states = STATES.matcher(output);
			assertThat(states.results().count()).isPositive();
			configuration.states()
				.ifPresent((number) -> assertThat(states.reset().results())
					.extracting((result) -> Long.parseLong(result.group(1).replace(",", "")))
					.last()
					.isEqualTo(number));
		}
		else if (output.contains(VIOLATED_IN_THE_END)) {
			assertThat(Model.read(configuration.file())).contains("PROPERTY " + configuration.breaks());
		}
		else {
			assertThat(violated.find()).as(output).isTrue();
			assertThat(violated.group(1)).isEqualTo(configuration.breaks());
		}
	}

	private static String run(Configuration configuration) {
		return ModelChecker.run(ModelChecker.MODELS, configuration.model(), configuration.toString(),
				folder.resolve(configuration.toString().replaceAll("\\W", "-")));
	}

}
