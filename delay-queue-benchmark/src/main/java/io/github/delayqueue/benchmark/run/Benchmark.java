package io.github.delayqueue.benchmark.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

import io.github.delayqueue.benchmark.SystemType;
import io.github.delayqueue.benchmark.SystemType.Trait;
import io.github.delayqueue.benchmark.measure.ForkProcess;
import io.github.delayqueue.benchmark.measure.Measure;
import io.github.delayqueue.benchmark.measure.Result;
import io.github.delayqueue.benchmark.peers.BullMq;
import io.github.delayqueue.benchmark.report.Report;
import io.github.delayqueue.benchmark.server.PostgresProcess;

/**
 * Runs the measures. Writes a line of JSON for each result, then the table.
 */
public final class Benchmark {

	private static final JsonMapper MAPPER = JsonMapper.builder().build();

	private final Options options;

	private final List<Result> results = new ArrayList<>();

	private final Map<String, Map<String, String>> settings = new LinkedHashMap<>();

	private Benchmark(Options options) {
		this.options = options;
	}

	/**
	 * Run. Ends with status 1 if the delay queue loses, doubles or advances a task.
	 * @param args none; see {@link Options}
	 */
	public static void main(String[] args) {
		boolean passed = new Benchmark(Options.read(System::getProperty)).run();
		// whatever threads are left behind
		System.exit(passed ? 0 : 1);
	}

	private boolean run() {
		Instant started = Instant.now();
		Map<String, String> machine = Machine.describe();
		write(Map.of("started", started, "machine", machine));
		List<SystemType> systems = this.options.systems().stream().filter(Benchmark::isAvailable).toList();
		try (PostgresProcess postgres = postgres(systems)) {
			for (int round = 0; round < this.options.forks(); round++) {
				List<SystemType> shuffled = new ArrayList<>(systems);
				Collections.shuffle(shuffled, new Random(round));
				for (SystemType type : shuffled) {
					measure(type, round, (postgres != null) ? postgres.url() : null);
				}
			}
		}
		Report report = new Report(systems, this.settings, this.results);
		String text = report.text(started, machine);
		System.out.println("\n" + text);
		Path page = this.options.page();
		if (page != null && this.options.isComplete() && systems.equals(this.options.systems())) {
			Report.write(page, text);
		}
		if (this.options.quick()) {
			System.out.println("This was a smoke test: only what was lost, doubled or early means anything");
		}
		return !report.hasErrors();
	}

	private void measure(SystemType type, int round, @Nullable String postgresUrl) {
		List<Measure> measures = this.options.measures()
			.stream()
			.filter((measure) -> measure.isFor(type, round))
			.toList();
		if (measures.isEmpty()) {
			return;
		}
		System.out.println(type.title() + ", process " + (round + 1));
		Map<String, String> found = ForkProcess.measure(type, postgresUrl, this.options.quick(), measures, (result) -> {
			this.results.add(result);
			System.out.println("  " + result.text());
			write(result);
		});
		if (this.settings.putIfAbsent(type.key(), found) == null) {
			write(Map.of("system", type.key(), "settings", found));
		}
	}

	/** The first line begins the file anew. */
	private void write(Object line) {
		Path file = this.options.results();
		boolean first = this.results.isEmpty() && this.settings.isEmpty();
		try {
			Files.createDirectories(file.toAbsolutePath().getParent());
			Files.writeString(file, MAPPER.writeValueAsString(line) + "\n", StandardOpenOption.CREATE,
					first ? StandardOpenOption.TRUNCATE_EXISTING : StandardOpenOption.APPEND);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static boolean isAvailable(SystemType type) {
		boolean available = !type.has(Trait.NODE) || BullMq.isAvailable();
		if (!available) {
			System.out.println(type.title() + " is left out: Node.js or its package is not there");
		}
		return available;
	}

	private static @Nullable PostgresProcess postgres(List<SystemType> systems) {
		return systems.stream().anyMatch((type) -> type.has(Trait.POSTGRES)) ? PostgresProcess.start() : null;
	}

}
