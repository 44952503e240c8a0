package io.github.delayqueue.benchmark.run;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

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
 * @param quick {@code benchmark.quick}: small sizes, one process for each system
 * @param results {@code benchmark.results}: file of the results
 * @param page {@code benchmark.page}: file that a complete run writes its table into;
 * none by default
 */
record Options(List<SystemType> systems, List<Measure> measures, int forks, boolean quick, Path results,
		@Nullable Path page) {

	private static final int FORKS = 3;

	static Options read(Function<String, @Nullable String> property) {
		boolean quick = Boolean.parseBoolean(text(property, "benchmark.quick", ""));
		String page = text(property, "benchmark.page", "");
		return new Options(systems(text(property, "benchmark.systems", "")),
				measures(text(property, "benchmark.measures", "")),
				Integer.parseInt(text(property, "benchmark.forks", String.valueOf(quick ? 1 : FORKS))), quick,
				Path.of(text(property, "benchmark.results", "target/benchmark.jsonl")),
				page.isEmpty() ? null : Path.of(page));
	}

	/**
	 * Whether all systems and measures are run in full.
	 * @return whether the page can be written
	 */
	boolean isComplete() {
		return !this.quick && this.forks >= FORKS && this.systems.equals(Systems.all())
				&& this.measures.equals(Measures.all());
	}

	private static List<SystemType> systems(String keys) {
		return keys.isEmpty() ? Systems.all() : Arrays.stream(keys.split(",")).flatMap(Options::systemsLike).toList();
	}

	/** One, or all whose keys begin so. */
	private static Stream<SystemType> systemsLike(String key) {
		List<SystemType> like = Systems.known().stream().filter((type) -> type.key().startsWith(key + "-")).toList();
		return like.isEmpty() ? Stream.of(Systems.named(key)) : like.stream();
	}

	private static List<Measure> measures(String keys) {
		List<String> wanted = List.of(keys.split(","));
		List<Measure> measures = (keys.isEmpty() ? Measures.all() : Measures.known()).stream()
			.filter((measure) -> keys.isEmpty() || wanted.stream().anyMatch((key) -> isMeant(measure, key)))
			.toList();
		if (measures.isEmpty()) {
			throw new IllegalArgumentException(
					"No measure '" + keys + "'; there are " + Measures.known().stream().map(Measure::key).toList());
		}
		return measures;
	}

	private static boolean isMeant(Measure measure, String key) {
		boolean isKey = Measures.known().stream().anyMatch((other) -> other.key().equals(key));
		return isKey ? measure.key().equals(key) : measure.key().startsWith(key);
	}

	private static String text(Function<String, @Nullable String> property, String name, String otherwise) {
		String value = property.apply(name);
		return (value != null && !value.isBlank()) ? value.strip() : otherwise;
	}

}
