package io.github.delayqueue.faults;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.faults.HandlerPlan.Kind;

/**
 * What a run did, in words and tables.
 */
final class Report {

	private final History history;

	private final Findings findings;

	private final long seed;

	Report(History history, Findings findings, long seed) {
		this.history = history;
		this.findings = findings;
		this.seed = seed;
	}

	String text() {
		long scheduled = sends().filter(Call::isAccepted).count();
		long refused = sends().filter((send) -> send.answer == Call.Answer.REFUSED).count();
		long unknown = sends().filter(Call::isUnknown).count();
		StringBuilder text = new StringBuilder();
		text.append("Seed %d: %,d tasks acknowledged, %,d refused, %,d with an unknown end; %,d handlings; %,d faults"
			.formatted(this.seed, scheduled, refused, unknown, this.history.handlings().count(),
					this.history.faults.size()))
			.append(" inflicted; %,d redeliveries, all explained; %,d violations; at most %,d ms late; ".formatted(
					this.findings.redeliveries(), this.findings.violations().size(), maxLateness()))
			.append("all handled %,d ms after the last fault%n%n".formatted(this.history.drainMillis));
		text.append("| fault | times |\n| --- | ---: |\n");
		counts().forEach((kind, count) -> text.append("| %s | %,d |%n".formatted(kind.description(), count)));
		text.append("\n| handled again because | times |\n| --- | ---: |\n");
		this.findings.explained().forEach((why, count) -> text.append("| %s | %,d |%n".formatted(why, count)));
		return text.toString();
	}

	private Map<FaultKind, Long> counts() {
		Map<FaultKind, Long> counts = new EnumMap<>(FaultKind.class);
		this.history.faults.forEach((fault) -> counts.merge(fault.kind(), 1L, Long::sum));
		Map<String, Call> sends = new HashMap<>();
		sends().forEach((send) -> sends.put(send.id, send));
		this.history.handlings().forEach((handling) -> {
			Call send = sends.get(handling.send);
			FaultKind kind = (send != null) ? kind(handling, send.plan.kind()) : null;
			if (kind != null) {
				counts.merge(kind, 1L, Long::sum);
			}
		});
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
		return this.history.tasks.values().stream().flatMap(TaskHistory::sends);
	}

}
