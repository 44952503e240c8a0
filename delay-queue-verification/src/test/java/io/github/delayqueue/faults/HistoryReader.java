package io.github.delayqueue.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

import io.github.delayqueue.DuplicatePolicy;
import io.github.delayqueue.Recurrence.OnMissed;
import io.github.delayqueue.event.DeliveryOutcome;
import io.github.delayqueue.faults.Fault.Inflicted;
import io.github.delayqueue.faults.History.DeadTask;
import io.github.delayqueue.faults.History.Kept;
import io.github.delayqueue.faults.History.Totals;
import io.github.delayqueue.faults.RecurringHistory.Run;

/**
 * Puts together what the processes wrote down.
 */
public final class HistoryReader {

	/** What a JVM ends with after SIGTERM. */
	private static final int ASKED_TO_END = 143;

	private final History history = new History();

	private final Map<String, Call> calls = new HashMap<>();

	private final Map<String, Handling> handlings = new HashMap<>();

	private final Map<String, Run> runs = new HashMap<>();

	/** What a process has not heard of yet that it is settled. */
	private final Map<String, Deque<Handling>> unsettled = new HashMap<>();

	private final Map<String, FaultSpan> openFaults = new HashMap<>();

	/**
	 * Read the histories of a run.
	 * @param directory where they lie
	 * @return the history
	 */
	static History read(Path directory) {
		HistoryReader reader = new HistoryReader();
		try (Stream<Path> files = Files.list(directory)) {
			List<Path> histories = files.filter((file) -> file.toString().endsWith(HistoryLog.SUFFIX))
				.sorted()
				.toList();
			for (Path file : histories) {
				String name = file.getFileName().toString();
				reader.readProcess(name.substring(0, name.length() - HistoryLog.SUFFIX.length()),
						Files.readAllLines(file));
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return reader.finish();
	}

	/**
	 * Read what one process wrote.
	 * @param process its name
	 * @param lines its lines
	 */
	public void readProcess(String process, List<String> lines) {
		for (String line : lines) {
			String[] words = line.split(" ");
			try {
				read(process, words[0], Long.parseLong(words[1]), Arrays.copyOfRange(words, 2, words.length));
			}
			catch (RuntimeException ex) {
				throw new IllegalArgumentException("Not a line of " + process + ": " + line, ex);
			}
		}
	}

	/** Put it together. */
	public History finish() {
		this.openFaults.values().forEach(this.history.faults::add);
		this.openFaults.clear();
		this.history.faults.sort(Comparator.comparingLong(FaultSpan::from));
		this.history.tasks.values().forEach((task) -> {
			task.calls.sort(Comparator.comparingLong((call) -> call.from));
			task.calls.stream()
				.filter((call) -> call.kind == Call.Kind.REDRIVE)
				.filter((call) -> call.answer == Call.Answer.TRUE || call.isUnknown())
				.forEach((call) -> redriven(task, call));
		});
		return this.history;
	}

	/**
	 * What was handled since then belongs to the call; not what had been claimed before,
	 * by a process that was stopped.
	 */
	private void redriven(TaskHistory task, Call call) {
		ServerClock clock = this.history.clock;
		long end = call.isUnknown() ? Long.MAX_VALUE : call.to;
		task.handlings.stream()
			.filter((handling) -> handling.from >= call.from)
			.filter((handling) -> handling.dueAt >= clock.earliest(call.from, Math.min(end, handling.from)))
			.forEach((handling) -> handling.send = call.id);
		call.answer = (call.answer == Call.Answer.TRUE) ? Call.Answer.REPLACED : call.answer;
	}

	private void read(String process, String what, long at, String[] words) {
		switch (what) {
			case "send" -> call(new Call(Call.Kind.SEND, words[0], new TaskKey(words[1], words[2]), at,
					Due.parse(words[3]), HandlerPlan.parse(words[4]), words[5].equals(DuplicatePolicy.REJECT.name())));
			case "cancel" ->
				call(new Call(Call.Kind.CANCEL, words[0], new TaskKey(words[1], words[2]), at, null, HandlerPlan.OK));
			case "move" -> call(new Call(Call.Kind.MOVE, words[0], new TaskKey(words[1], words[2]), at,
					Due.parse(words[3]), HandlerPlan.OK));
			case "redrive" -> call(new Call(Call.Kind.REDRIVE, words[0], new TaskKey(words[1], words[2]), at, Due.in(0),
					HandlerPlan.OK));
			case "answered" -> answer(words, at, Call.Answer.valueOf(words[1].toUpperCase(Locale.ROOT)));
			case "refused" -> answer(words, at, Call.Answer.REFUSED);
			case "unknown" -> answer(words, at, Call.Answer.UNKNOWN);
			case "started" -> started(process, at, words);
			case "ended" -> {
				Handling handling = this.handlings.get(process + " " + words[0]);
				handling.to = at;
				handling.outcome = HandlerOutcome.valueOf(words[1]);
			}
			case "recurs" -> {
				RecurringHistory task = recurring(words[0]);
				task.first = Long.parseLong(words[1]);
				task.period = Long.parseLong(words[2]);
				task.skips = words[3].equals(OnMissed.SKIP.name());
			}
			case "run-started" -> {
				Run run = new Run(process, Long.parseLong(words[2]), Long.parseLong(words[3]),
						Integer.parseInt(words[4]), Integer.parseInt(words[5]), at);
				this.runs.put(process + " " + words[0], run);
				recurring(words[1]).runs.add(run);
			}
			case "run-ended" -> {
				Run run = this.runs.get(process + " " + words[0]);
				run.to = at;
				run.outcome = HandlerOutcome.valueOf(words[1]);
			}
			case "recurs-over" -> {
				recurring(words[0]).overAt = at;
				recurring(words[0]).wasThere = Boolean.parseBoolean(words[1]);
			}
			case "settled" -> settled(process, at, words);
			case "stalled" -> stalled(process, at, words[0]);
			case "redis-stalled" -> stalled(Inflicted.EVERYBODY, at, words[0]);
			case "fault" -> this.openFaults.put(words[0],
					new FaultSpan(FaultKind.valueOf(words[1]), words[2], Long.parseLong(words[3]), Long.MAX_VALUE));
			case "fault-over" -> {
				FaultSpan open = this.openFaults.remove(words[0]);
				this.history.faults.add(new FaultSpan(open.kind(), open.target(), open.from(), at));
			}
			case "clock" -> this.history.clock.changed(Long.parseLong(words[0]), Long.parseLong(words[1]),
					Long.parseLong(words[2]));
			case "process-ended" -> processEnded(words[0], at, Integer.parseInt(words[1]));
			case "violation" -> this.history.violations.add(at + " " + String.join(" ", words));
			case "dead" -> this.history.dead.add(new DeadTask(new TaskKey(words[0], words[1]), words[2], words[3]));
			case "totals" -> this.history.totals.put(words[0], totals(words));
			case "key" -> this.history.keys.add(words[0]);
			case "kept" -> this.history.kept.add(new Kept(at, Long.parseLong(words[0])));
			case "drained" -> this.history.drainMillis = Long.parseLong(words[0]);
			case "journaled" -> this.history.journaled = true;
			case "end" -> this.history.complete = true;
			case "ready", "process-started" -> {
			}
			default -> throw new IllegalArgumentException("unknown word " + what);
		}
	}

	private RecurringHistory recurring(String id) {
		return this.history.recurring.computeIfAbsent(id, RecurringHistory::new);
	}

	private void call(Call call) {
		this.calls.put(call.id, call);
		this.history.task(call.task).calls.add(call);
	}

	private void answer(String[] words, long at, Call.Answer answer) {
		Call call = this.calls.get(words[0]);
		call.to = at;
		call.answer = answer;
		if (answer == Call.Answer.REFUSED || answer == Call.Answer.UNKNOWN) {
			call.message = String.join(" ", Arrays.copyOfRange(words, 1, words.length));
		}
	}

	private void started(String process, long at, String[] words) {
		TaskKey task = new TaskKey(words[1], words[2]);
		Handling handling = new Handling(process, task, words[3], Integer.parseInt(words[4]),
				Integer.parseInt(words[5]), Long.parseLong(words[6]), at);
		this.handlings.put(process + " " + words[0], handling);
		this.history.task(task).handlings.add(handling);
		this.unsettled.computeIfAbsent(process + " " + task, (key) -> new ArrayDeque<>()).add(handling);
	}

	/**
	 * Which of several handlings of one task in one process is settled nobody has written
	 * down: only where there is no other, it is known.
	 */
	private void settled(String process, long at, String[] words) {
		Deque<Handling> candidates = this.unsettled.get(process + " " + new TaskKey(words[0], words[1]));
		if (candidates == null || candidates.isEmpty()) {
			return;
		}
		if (candidates.size() > 1) {
			candidates.forEach((candidate) -> candidate.attributable = false);
		}
		Handling handling = candidates.removeFirst();
		if (handling.attributable) {
			handling.settled = DeliveryOutcome.valueOf(words[2]);
			handling.settledAt = at;
			handling.deadReason = words[3];
		}
	}

	/** One that was asked to end has had the time to give back what it held. */
	private void processEnded(String process, long at, int status) {
		if (status != ASKED_TO_END) {
			this.history.ends.put(process, at);
		}
	}

	private void stalled(String who, long at, String millis) {
		this.history.stalls.add(new FaultSpan(FaultKind.CONSUMER_STOPPED, who, at - Long.parseLong(millis), at));
	}

	private static Totals totals(String[] words) {
		long[] numbers = Stream.of(words).skip(1).mapToLong(Long::parseLong).toArray();
		return new Totals(numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5], numbers[6],
				numbers[7]);
	}

}
