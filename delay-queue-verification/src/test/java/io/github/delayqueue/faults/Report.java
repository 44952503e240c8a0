package io.github.delayqueue.faults;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.faults.Call.Answer;
import io.github.delayqueue.faults.HandlerPlan.Kind;

/**
 * What a run did.
 */
public final class Report {

	private final History history;

	private final Findings findings;

	private final long seed;

	public Report(History history, Findings findings, long seed) {
		this.history = history;
		this.findings = findings;
		this.seed = seed;
	}

	/** Faults of the driver's, without those of handlers. */
	public int inflicted() {
		return this.history.faults.size();
	}

	/** Tasks that producers were told are stored. */
	public long acknowledged() {
		return sends().filter(Call::isAccepted).count();
	}

	/** For people: a list and two tables, in Markdown. */
	public String text() {
		StringBuilder text = new StringBuilder();
		text.append("Seed %d:%n%n".formatted(this.seed));
		figures().forEach((what, number) -> text.append("- %,d %s%n".formatted(number, what)));
		text.append("\n| fault | times |\n| --- | ---: |\n");
		faults().forEach((kind, count) -> text.append("| %s | %,d |%n".formatted(kind.description(), count)));
		text.append("\n| handled again because | times |\n| --- | ---: |\n");
		this.findings.explained().forEach((why, count) -> text.append("| %s | %,d |%n".formatted(why, count)));
		return text.toString();
	}

	private Map<String, Long> figures() {
		Map<String, Long> figures = new LinkedHashMap<>();
		Map<Answer, Long> sent = sends().collect(Collectors.groupingBy((send) -> send.answer, Collectors.counting()));
		long replaced = sent.getOrDefault(Answer.REPLACED, 0L);
		figures.put("tasks acknowledged", sent.getOrDefault(Answer.CREATED, 0L) + replaced);
		figures.put("refused", sent.getOrDefault(Answer.REFUSED, 0L));
		figures.put("rejected as duplicates", sent.getOrDefault(Answer.REJECTED, 0L));
		figures.put("with an unknown end", sent.getOrDefault(Answer.UNKNOWN, 0L));
		figures.put("replaced", replaced);
		figures.put("cancelled or moved", this.history.calls().filter((call) -> call.answer == Answer.TRUE).count());
		figures.put("handlings", this.history.handlings().count());
		figures.put("runs of recurring tasks",
				this.history.recurring.values().stream().mapToLong((task) -> task.runs.size()).sum());
		figures.put("faults inflicted", (long) inflicted());
		figures.put("redeliveries, each with its reason", (long) this.findings.redeliveries());
		figures.put("violations", (long) this.findings.violations().size());
		figures.put("ms late at most", maxLateness());
		figures.put("ms until all were handled after the last fault", this.history.drainMillis);
		return figures;
	}

	private Map<FaultKind, Long> faults() {
		Map<FaultKind, Long> counts = new EnumMap<>(FaultKind.class);
		this.history.faults.forEach((fault) -> counts.merge(fault.kind(), 1L, Long::sum));
		this.history.tasks.values().forEach((task) -> task.handlings.forEach((handling) -> {
			Call send = task.send(handling.send);
			FaultKind kind = (send != null && send.kind == Call.Kind.SEND) ? kind(handling, send.plan.kind()) : null;
			if (kind != null) {
				counts.merge(kind, 1L, Long::sum);
			}
		}));
		return counts;
	}

	private static @Nullable FaultKind kind(Handling handling, Kind plan) {
		if (handling.outcome == HandlerOutcome.HALTED) {
			return FaultKind.HANDLER_HALTED;
		}
		if (handling.outcome == HandlerOutcome.FAILED) {
			return FaultKind.HANDLER_THREW;
		}
		boolean hung = (plan == Kind.HANG || plan == Kind.DEAF) && handling.failures == 0;
		return hung ? FaultKind.HANDLER_HUNG : null;
	}

	private long maxLateness() {
		return this.history.handlings()
			.mapToLong((handling) -> this.history.clock.earliest(handling.from, handling.from) - handling.dueAt)
			.max()
			.orElse(0);
	}

	private Stream<Call> sends() {
		return this.history.calls().filter((call) -> call.kind == Call.Kind.SEND);
	}

}
