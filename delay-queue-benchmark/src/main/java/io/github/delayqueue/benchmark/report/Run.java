package io.github.delayqueue.benchmark.report;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

import io.github.delayqueue.benchmark.measure.Result;

/**
 * All that a run has found out, as it is kept in a file.
 *
 * @param started when it began
 * @param seconds how long it took
 * @param machine what it ran on and in which order, names and values
 * @param systems what was measured
 * @param results what came out
 */
public record Run(Instant started, double seconds, Map<String, String> machine, List<MeasuredSystem> systems,
		List<Result> results) {

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
	 * A system.
	 *
	 * @param key name in options and files
	 * @param title name in tables
	 * @param summary what it is
	 * @param settings how it was configured
	 */
	public record MeasuredSystem(String key, String title, String summary, Map<String, String> settings) {

	}

}
