package io.github.delayqueue.simulation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.github.delayqueue.models.ModelChecker;

/**
 * Replays traces of tasks against the model of the protocol, many of them in one run of
 * the checker.
 */
final class TraceReplay {

	/** The checker takes a time for its constants that grows with the square of them. */
	private static final int AT_ONCE = 200;

	private static final Pattern REACHED = Pattern.compile("(?m)^<<(\\d+), (\\d+)>>$");

	private static final String DONE = "No error has been found";

	private final List<TaskTrace> traces;

	/** By trace, how many of its events the model allows. */
	private final int[] reached;

	private TraceReplay(List<TaskTrace> traces, int[] reached) {
		this.traces = traces;
		this.reached = reached;
	}

	/**
	 * Replay them.
	 * @param folder an empty one
	 */
	static TraceReplay of(List<TaskTrace> traces, Path folder) {
		int[] reached = new int[traces.size()];
		for (int from = 0; from < traces.size(); from += AT_ONCE) {
			List<TaskTrace> some = traces.subList(from, Math.min(from + AT_ONCE, traces.size()));
			int before = from;
			REACHED.matcher(replay(some, folder.resolve(String.valueOf(from)))).results().forEach((result) -> {
				int trace = before + Integer.parseInt(result.group(1)) - 1;
				reached[trace] = Math.max(reached[trace], Integer.parseInt(result.group(2)) - 1);
			});
		}
		return new TraceReplay(traces, reached);
	}

	private static String replay(List<TaskTrace> traces, Path folder) {
		try {
			Files.createDirectories(folder);
			Files.copy(ModelChecker.MODELS.resolve("Core.tla"), folder.resolve("Core.tla"));
			for (String file : List.of("Trace.tla", "Trace.cfg")) {
				Files.copy(ModelChecker.MODELS.resolve("trace").resolve(file), folder.resolve(file));
			}
			Files.writeString(folder.resolve("TraceData.tla"), data(traces));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		String output = ModelChecker.run(folder, "Trace", "Trace.cfg", folder.resolve("checker"));
		if (!output.contains(DONE)) {
			throw new AssertionError("The checker has not come to an end:\n" + output);
		}
		return output;
	}

	private static String data(List<TaskTrace> traces) {
		int processes = traces.stream().mapToInt(TaskTrace::processes).max().orElse(0);
		return """
				---- MODULE TraceData ----
				Processes == {%s}
				Stored == %d
				Traces == <<
				%s>>
				====
				""".formatted(
				IntStream.rangeClosed(1, Math.max(1, processes))
					.mapToObj((number) -> "\"c" + number + "\"")
					.collect(Collectors.joining(", ")),
				Math.max(1, traces.stream().mapToInt(TaskTrace::versions).max().orElse(0)),
				traces.stream().map(TaskTrace::toTla).collect(Collectors.joining(",\n")));
	}

	/** Those with an event that the model does not allow. */
	List<String> refused() {
		return IntStream.range(0, this.traces.size())
			.filter((i) -> this.reached[i] < this.traces.get(i).events().size())
			.mapToObj((i) -> this.traces.get(i).describe(this.reached[i]))
			.toList();
	}

}
