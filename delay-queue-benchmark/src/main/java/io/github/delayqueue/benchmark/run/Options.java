package io.github.delayqueue.benchmark.run;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.benchmark.SystemType;
import io.github.delayqueue.benchmark.catalog.Systems;
import io.github.delayqueue.benchmark.measure.Measure;
import io.github.delayqueue.benchmark.measure.Measures;

/**
 * What to run, as system properties say.
 *
 * @param systems {@code benchmark.systems}: keys of systems, separated by commas; all by
 * default
 * @param measures {@code benchmark.measures}: keys of measures, or what the keys of
 * several begin with, separated by commas; all by default
 * @param forks {@code benchmark.forks}: how many processes measure each system, 3 by
 * default
 * @param seed {@code benchmark.seed}: of the order of the processes; any by default
 * @param quick {@code benchmark.quick}: small sizes, one process for each system
 * @param strict {@code benchmark.strict}: whether a target that is missed is an error
 * @param reportOnly {@code benchmark.report-only}: make the report anew from the results
 * of the last run
 * @param large {@code large}: ten million tasks as well
 * @param results {@code benchmark.results}: file of the results
 * @param docs {@code benchmark.docs}: folder for the report; none by default, nor is one
 * written by a run of only some systems or measures
 */
record Options(List<SystemType> systems, List<Measure> measures, int forks, long seed, boolean quick, boolean strict,
		boolean reportOnly, boolean large, Path results, @Nullable Path docs) {

	private static final int FORKS = 3;

	static Options read(Function<String, @Nullable String> property) {
		String docs = text(property, "benchmark.docs");
		String results = text(property, "benchmark.results");
		String forks = text(property, "benchmark.forks");
		String seed = text(property, "benchmark.seed");
		return new Options(systems(text(property, "benchmark.systems")), measures(text(property, "benchmark.measures")),
				!forks.isEmpty() ? Integer.parseInt(forks) : isSet(property, "benchmark.quick") ? 1 : FORKS,
				!seed.isEmpty() ? Long.parseLong(seed) : System.nanoTime() % 10_000, isSet(property, "benchmark.quick"),
				isSet(property, "benchmark.strict"), isSet(property, "benchmark.report-only"), isSet(property, "large"),
				Path.of(results.isEmpty() ? "target/benchmark.json" : results), docs.isEmpty() ? null : Path.of(docs));
	}

	/**
	 * Whether all systems and measures are run in full.
	 * @return whether a report can be written
	 */
	boolean isComplete() {
		return !this.quick && this.forks >= FORKS && this.systems.equals(Systems.all())
				&& this.measures.equals(Measures.all());
	}

	private static List<SystemType> systems(String keys) {
		return keys.isEmpty() ? Systems.all() : Arrays.stream(keys.split(",")).map(Systems::named).toList();
	}

	private static List<Measure> measures(String keys) {
		if (keys.isEmpty()) {
			return Measures.all();
		}
		List<String> wanted = List.of(keys.split(","));
		List<Measure> measures = Measures.all()
			.stream()
			.filter((measure) -> wanted.stream().anyMatch((key) -> isMeant(measure, key)))
			.toList();
		if (measures.isEmpty()) {
			throw new IllegalArgumentException(
					"No measure '" + keys + "'; there are " + Measures.all().stream().map(Measure::key).toList());
		}
		return measures;
	}

	private static boolean isMeant(Measure measure, String key) {
		boolean isKey = Measures.all().stream().anyMatch((other) -> other.key().equals(key));
		return isKey ? measure.key().equals(key) : measure.key().startsWith(key);
	}

	private static boolean isSet(Function<String, @Nullable String> property, String name) {
		String value = text(property, name);
		return !value.isEmpty() && !"false".equals(value);
	}

	private static String text(Function<String, @Nullable String> property, String name) {
		String value = property.apply(name);
		return (value != null) ? value.strip() : "";
	}

}
