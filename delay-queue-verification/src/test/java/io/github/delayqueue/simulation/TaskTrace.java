package io.github.delayqueue.simulation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import io.github.delayqueue.ScheduleOutcome;
import io.github.delayqueue.simulation.TaskTraces.Line;

/**
 * What happened to one task, in the words of the model {@code models/trace/Trace.tla}.
 *
 * @param id the task
 * @param events what happened, as records of TLA+
 * @param kinds what kinds of events there are, the rarer ones apart
 * @param processes how many consumers there are
 * @param versions how often it was scheduled
 */
record TaskTrace(String id, List<String> events, Set<String> kinds, int processes, int versions) {

	/**
	 * Times count from a minute before the first one, as Redis's clock may be set back.
	 */
	private static final long BEFORE = 60_000;

	static TaskTrace of(String id, List<Line> lines, long begin) {
		return new Builder(lines, begin - BEFORE).build(id);
	}

	/** Where a replay has ended. */
	String describe(int reached) {
		StringBuilder text = new StringBuilder("Task ").append(this.id).append(":\n");
		for (int i = 0; i < this.events.size(); i++) {
			text.append((i == reached) ? "  no step of the model: " : "  ").append(this.events.get(i)).append('\n');
		}
		return text.toString();
	}

	String toTla() {
		return "<<" + String.join(",\n  ", this.events) + ">>";
	}

	/**
	 * Looks ahead in the lines: the model says at once whether an answer gets lost.
	 */
	private static final class Builder {

		private final List<Line> lines;

		private final long begin;

		/** By call of a producer. */
		private final Map<String, Integer> versions = new HashMap<>();

		private final Map<String, String> processes = new LinkedHashMap<>();

		/** Where each call of the store was asked for. */
		private final Map<Integer, Integer> asked = new HashMap<>();

		private final List<String> events = new ArrayList<>();

		private final Set<String> kinds = new TreeSet<>();

		private Builder(List<Line> lines, long begin) {
			this.lines = lines;
			this.begin = begin;
			Set<String> stored = lines.stream()
				.filter((line) -> line.isDone() && line.what().equals("schedule") && !isRejected(line))
				.map((line) -> line.words().get(0))
				.collect(Collectors.toSet());
			for (int i = 0; i < lines.size(); i++) {
				Line line = lines.get(i);
				if (line.kind().equals(TaskLog.ASKS)) {
					this.asked.put(line.call(), i);
					if (line.what().equals("schedule") && stored.contains(line.words().get(0))) {
						this.versions.putIfAbsent(line.words().get(0), this.versions.size() + 1);
					}
				}
			}
		}

		private static boolean isRejected(Line line) {
			return line.last().equals(ScheduleOutcome.REJECTED.name());
		}

		private TaskTrace build(String id) {
			for (int i = 0; i < this.lines.size(); i++) {
				add(i, this.lines.get(i));
			}
			return new TaskTrace(id, this.events, this.kinds, this.processes.size(), this.versions.size());
		}

		private void add(int i, Line line) {
			switch (line.kind()) {
				case TaskLog.ASKS -> ask(i, line);
				case TaskLog.DONE -> done(i, line);
				case TaskLog.TOLD -> {
					if (line.what().equals("settle")) {
						event("told", settlement(line), again(i));
					}
				}
				case TaskLog.DIED -> event("die", by(line));
				case "started" -> event("begin", by(line), version(line));
				case "ended" -> {
					if (line.last().equals("OK")) {
						event("end", by(line), version(line));
					}
				}
				case "answered" -> {
					if (line.last().equals(ScheduleOutcome.CREATED.name())
							|| line.last().equals(ScheduleOutcome.REPLACED.name())) {
						event("answered", version(line));
					}
				}
				case "refused" -> {
					if (this.versions.containsKey(line.words().get(0))) {
						event("refused", version(line));
					}
				}
				default -> throw new IllegalArgumentException("unknown line " + line);
			}
		}

		private void ask(int i, Line line) {
			switch (line.what()) {
				case "schedule" -> {
					if (this.versions.containsKey(line.words().get(0)) && isFirst(i, line)) {
						event("ask schedule", version(line));
					}
				}
				case "settle" -> event("ask settle", settlement(line), arrives(i, line));
				case "extend" -> event("ask extend", by(line), token(line), arrives(i, line));
				case "cancel" -> event("ask cancel", arrives(i, line));
				case "redrive" -> event("ask redrive", arrives(i, line));
				default -> {
					// to move a task changes nothing that the model has
				}
			}
		}

		private void done(int i, Line line) {
			switch (line.what()) {
				case "schedule" -> {
					if (isRejected(line)) {
						event("reject");
					}
					else {
						kind("schedule " + line.last());
						event("schedule", version(line), "outcome |-> \"" + line.last() + "\"", again(i));
					}
				}
				case "claim" -> claim(i, line);
				case "settle" -> {
					kind(applied(line) ? "settle " + line.words().get(1) : "stale settlement");
					event("settle", settlement(line), doneOf(line), again(i));
				}
				case "extend" -> {
					kind(applied(line) ? "extension" : "stale extension");
					event("extend", by(line), token(line), doneOf(line),
							until(line, Long.parseLong(line.words().get(1))), again(i));
				}
				case "cancel" -> event("cancel", doneOf(line), again(i));
				case "redrive" -> event("redrive", doneOf(line), again(i));
				case "reschedule" -> event("move", doneOf(line));
				default -> throw new IllegalArgumentException("unknown call " + line);
			}
			if (line.run() > 1) {
				kind("twice");
			}
		}

		private void claim(int i, Line line) {
			List<String> words = line.words();
			boolean lost = !isTold(i, line);
			boolean over = Boolean.parseBoolean(line.last());
			if (lost) {
				kind("answer of a claim is lost");
			}
			if (over) {
				kind("claim after a lost lease");
			}
			event("claim", by(line), token(line), "version |-> " + this.versions.getOrDefault(words.get(2), 0),
					"over |-> " + tla(over), "lost |-> " + tla(lost), "repeated |-> " + tla(line.run() > 1),
					"time |-> " + (line.time() - this.begin), until(line, Long.parseLong(words.get(1))));
		}

		private boolean isTold(int i, Line line) {
			return this.lines.stream()
				.skip(i + 1L)
				.anyMatch((later) -> later.kind().equals(TaskLog.TOLD) && later.call() == line.call()
						&& later.run() == line.run());
		}

		private boolean isFirst(int i, Line line) {
			return this.lines.stream()
				.limit(i)
				.noneMatch((earlier) -> earlier.kind().equals(TaskLog.ASKS) && earlier.what().equals("schedule")
						&& earlier.request().equals(line.request()));
		}

		/** Whether Redis carries it out at all. */
		private String arrives(int i, Line line) {
			return "arrives |-> " + tla(this.lines.stream()
				.skip(i + 1L)
				.anyMatch((later) -> later.isDone() && later.call() == line.call()));
		}

		/**
		 * Whether the same request is still on its way: a copy of it, or its answer,
		 * which in the model is that to a second run.
		 */
		private String again(int i) {
			Line line = this.lines.get(i);
			boolean answers = line.what().equals("settle");
			return "again |-> " + tla(this.lines.stream()
				.skip(i + 1L)
				.anyMatch((later) -> (later.isDone() || (answers && later.kind().equals(TaskLog.TOLD)))
						&& later.what().equals(line.what()) && later.request().equals(line.request())
						&& this.asked.getOrDefault(later.call(), i) < i));
		}

		private String by(Line line) {
			return "by |-> \""
					+ this.processes.computeIfAbsent(line.process(), (name) -> "c" + (this.processes.size() + 1))
					+ "\"";
		}

		private String version(Line line) {
			return "version |-> " + this.versions.getOrDefault(line.words().get(0), 0);
		}

		private static String token(Line line) {
			return "token |-> " + line.words().get(0).substring(1);
		}

		private String settlement(Line line) {
			return by(line) + ", " + token(line) + ", outcome |-> \"" + TaskTraces.outcome(line) + "\"";
		}

		private static boolean applied(Line line) {
			return Boolean.parseBoolean(line.last());
		}

		private static String doneOf(Line line) {
			return "done |-> " + tla(applied(line));
		}

		private String until(Line line, long leaseDuration) {
			return "until |-> " + (line.time() - this.begin + leaseDuration);
		}

		private static String tla(boolean value) {
			return value ? "TRUE" : "FALSE";
		}

		private void kind(String kind) {
			this.kinds.add(kind);
		}

		private void event(String op, String... fields) {
			this.kinds.add(op);
			this.events
				.add("[op |-> \"" + op + "\"" + ((fields.length > 0) ? ", " + String.join(", ", fields) : "") + "]");
		}

	}

}
