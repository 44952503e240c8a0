package io.github.delayqueue.simulation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.store.SettlementKind;

/**
 * Reads out of what a simulation has written down what happened to each task, in the
 * words of the model {@code models/trace/Trace.tla}.
 *
 * @param traces of the tasks that the model can speak of
 * @param leftOut how many others there are, by what the model does not have
 */
record TaskTraces(List<TaskTrace> traces, Map<String, Integer> leftOut) {

	/** What the model says to each way of settling; it has no others. */
	private static final Map<String, String> OUTCOMES = Map.of(SettlementKind.COMPLETE.name(), "complete",
			SettlementKind.COMPLETE_AND_KEEP.name(), "keep", SettlementKind.RETRY.name(), "retry",
			SettlementKind.DEAD_LETTER.name(), "bury", SettlementKind.RELEASE.name(), "release",
			SettlementKind.REPEAT.name(), "repeat");

	private static final Set<String> CALLS = Set.of("schedule", "claim", "settle", "extend", "cancel", "reschedule",
			"redrive");

	/**
	 * A line that is about one task.
	 *
	 * @param process who has written it
	 * @param kind what kind of line, as in {@link TaskLog} or the history of a process
	 * @param call the number of the call of the store, 0 of other lines
	 * @param run how often the call has been carried out, this time included
	 * @param time of Redis, if the store has carried it out
	 * @param what which call
	 * @param queue the queue, or the partition
	 * @param words what else it says
	 */
	record Line(String process, String kind, int call, int run, long time, String what, String queue,
			List<String> words) {

		/** Two of them cannot be told apart by the model. */
		String request() {
			return switch (this.what) {
				case "schedule" -> "schedule " + this.words.get(0);
				case "settle" -> "settle " + this.words.get(0) + " " + this.words.get(1);
				case "extend" -> "extend " + this.words.get(0);
				default -> this.what;
			};
		}

		boolean isDone() {
			return this.kind.equals(TaskLog.DONE);
		}

		String last() {
			return this.words.get(this.words.size() - 1);
		}

	}

	static TaskTraces read(List<String> lines) {
		Reader reader = new Reader();
		lines.forEach((line) -> reader.read(line.strip().split(" ")));
		List<TaskTrace> traces = new ArrayList<>();
		Map<String, Integer> leftOut = new TreeMap<>();
		reader.tasks.forEach((id, task) -> {
			String unknown = unknown(task);
			if (unknown == null) {
				traces.add(TaskTrace.of(id, task, reader.begin));
			}
			else {
				leftOut.merge(unknown, 1, Integer::sum);
			}
		});
		return new TaskTraces(traces, leftOut);
	}

	private static @Nullable String unknown(List<Line> task) {
		for (Line line : task) {
			if (line.call() > 0 && !CALLS.contains(line.what())) {
				return line.what();
			}
			if (line.words().contains(TaskLog.NO_SEND)) {
				return "recurring";
			}
			if (line.what().equals("settle") && outcome(line) == null) {
				return line.words().get(1);
			}
		}
		return null;
	}

	static @Nullable String outcome(Line settlement) {
		return OUTCOMES.get(settlement.words().get(1));
	}

	/**
	 * Some of them: half are those to which most has happened, of each kind of event as
	 * many as of the others, and the rest are spread evenly over all.
	 */
	List<TaskTrace> some(int count) {
		List<TaskTrace> sorted = this.traces.stream()
			.sorted(Comparator.comparingInt((TaskTrace trace) -> trace.events().size()).reversed())
			.toList();
		Set<String> kinds = sorted.stream()
			.flatMap((trace) -> trace.kinds().stream())
			.collect(Collectors.toCollection(TreeSet::new));
		Set<TaskTrace> some = new LinkedHashSet<>();
		kinds.forEach((kind) -> sorted.stream()
			.filter((trace) -> trace.kinds().contains(kind) && !some.contains(trace))
			.limit(Math.max(1, count / 2 / kinds.size()))
			.forEach(some::add));
		List<TaskTrace> rest = sorted.stream().filter((trace) -> !some.contains(trace)).toList();
		int others = Math.min(count - some.size(), rest.size());
		for (int i = 0; i < others; i++) {
			some.add(rest.get((int) ((long) i * rest.size() / others)));
		}
		return List.copyOf(some);
	}

	/**
	 * Sorts lines by task.
	 */
	private static final class Reader {

		private final Map<String, List<Line>> tasks = new LinkedHashMap<>();

		/** By process and number of a handling, or by call of a producer. */
		private final Map<String, String> ids = new HashMap<>();

		private final Map<String, String> sends = new HashMap<>();

		/** By number of a call of the store, and by task, what was asked for or done. */
		private final Map<String, Map<String, Line>> calls = new HashMap<>();

		/** By process, what it may hold: its end is a part of what happened to that. */
		private final Map<String, Set<String>> held = new HashMap<>();

		private long begin = Long.MAX_VALUE;

		private void read(String[] words) {
			String process = words[0];
			switch (words[1]) {
				case TaskLog.ASKS -> call(process, TaskLog.ASKS, words[2], 0, 0, words, 3);
				case TaskLog.DONE -> {
					long time = Long.parseLong(words[4]);
					this.begin = Math.min(this.begin, time);
					call(process, TaskLog.DONE, words[2], Integer.parseInt(words[3]), time, words, 5);
				}
				case TaskLog.TOLD -> this.calls.getOrDefault(words[2], Map.of())
					.forEach((id, line) -> told(id, line, Integer.parseInt(words[3])));
				case TaskLog.DIED -> held(process).forEach((id) -> add(id, other(process, TaskLog.DIED, List.of())));
				case "send" -> this.ids.put(words[3], words[5]);
				case "answered", "refused" -> {
					// of cancellations and moves nothing depends on it
					String id = this.ids.get(words[3]);
					if (id != null) {
						add(id, other(process, words[1], List.of(words[3], words[4])));
					}
				}
				case "started" -> {
					this.ids.put(process + " " + words[3], words[5]);
					this.sends.put(process + " " + words[3], words[6]);
					add(words[5], other(process, "started", List.of(words[6])));
				}
				case "ended" -> {
					String handling = process + " " + words[3];
					add(this.ids.get(handling), other(process, "ended", List.of(this.sends.get(handling), words[4])));
				}
				default -> {
				}
			}
		}

		private void call(String process, String kind, String call, int run, long time, String[] words, int from) {
			String what = words[from];
			String id = words[from + 2];
			if (what.equals("claim")) {
				held(process).add(id);
			}
			Line line = new Line(process, kind, Integer.parseInt(call), run, time, what, words[from + 1],
					List.of(words).subList(from + 3, words.length));
			this.calls.computeIfAbsent(call, (number) -> new LinkedHashMap<>()).putIfAbsent(id, line);
			add(id, line);
		}

		private void told(String id, Line line, int run) {
			if (line.what().equals("settle")) {
				held(line.process()).remove(id);
			}
			add(id, new Line(line.process(), TaskLog.TOLD, line.call(), run, 0, line.what(), line.queue(),
					line.words()));
		}

		private Set<String> held(String process) {
			return this.held.computeIfAbsent(process, (name) -> new LinkedHashSet<>());
		}

		private static Line other(String process, String kind, List<String> words) {
			return new Line(process, kind, 0, 0, 0, "", "", words);
		}

		private void add(String id, Line line) {
			this.tasks.computeIfAbsent(id, (unknown) -> new ArrayList<>()).add(line);
		}

	}

	@Override
	public String toString() {
		return "%d tasks with %d events, without %s".formatted(this.traces.size(),
				this.traces.stream().mapToInt((trace) -> trace.events().size()).sum(), this.leftOut);
	}

}
