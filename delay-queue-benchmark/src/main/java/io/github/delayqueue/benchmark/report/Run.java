package io.github.delayqueue.benchmark.report;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

import io.github.delayqueue.benchmark.measure.Result;

/**
 * All that a run has found out, as it is kept in a file.
 *
 * @param started when it began
 * @param machine what it ran on, names and values
 * @param systems what was measured
 * @param measures in what way
 * @param results what came out
 */
public record Run(Instant started, Map<String, String> machine, List<MeasuredSystem> systems,
		List<MeasureInfo> measures, List<Result> results) {

	private static final JsonMapper MAPPER = JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

	public static Run read(Path file) {
		return MAPPER.readValue(file.toFile(), Run.class);
	}

	public void write(Path file) {
		Path folder = file.toAbsolutePath().getParent();
		if (folder != null) {
			folder.toFile().mkdirs();
		}
		MAPPER.writeValue(file.toFile(), this);
	}

	/**
	 * Add a measure.
	 * @param measure what has been measured
	 * @param results of all measures so far
	 * @return a run with that
	 */
	public Run with(MeasureInfo measure, List<Result> results) {
		List<MeasureInfo> measures = Stream.concat(this.measures.stream(), Stream.of(measure)).toList();
		return new Run(this.started, this.machine, this.systems, measures, results);
	}

	/**
	 * What a measure gave for a system.
	 * @param measure key of the measure
	 * @param system key of the system
	 * @return the result, empty if there is none
	 */
	public Optional<Result> result(String measure, String system) {
		return this.results.stream()
			.filter((result) -> result.measure().equals(measure) && result.system().equals(system))
			.findFirst();
	}

	/**
	 * The median of a figure.
	 * @param measure key of the measure
	 * @param system key of the system
	 * @param figure name of the figure
	 * @return the median, empty if it was not measured
	 */
	public OptionalDouble median(String measure, String system, String figure) {
		return result(measure, system).map((result) -> result.median(figure)).orElse(OptionalDouble.empty());
	}

	/**
	 * How long all measures took together.
	 * @return seconds
	 */
	double seconds() {
		return this.measures.stream().mapToDouble(MeasureInfo::seconds).sum();
	}

	/**
	 * A system.
	 *
	 * @param key name in options and files
	 * @param title name in tables
	 * @param summary what it is
	 * @param settings how it was configured
	 */
	public record MeasuredSystem(String key, String title, String summary, Map<String, String> settings) {

	}

	/**
	 * A measure.
	 *
	 * @param key name in options and files
	 * @param title what was measured
	 * @param seconds how long that took
	 */
	public record MeasureInfo(String key, String title, double seconds) {

	}

}
