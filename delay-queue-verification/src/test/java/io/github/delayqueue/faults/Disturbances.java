package io.github.delayqueue.faults;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Answers what may have cost a lease.
 */
final class Disturbances {

	/**
	 * How long it may take until connections are back and what was kept is sent again.
	 */
	private static final long AFTERMATH_MILLIS = 5000;

	/** How long a journal may take to notice a loss and to make up for it. */
	private static final long RESTORED_MILLIS = 120_000;

	private final List<FaultSpan> spans = new ArrayList<>();

	private final List<FaultSpan> all;

	private final List<FaultSpan> stalls;

	private final Map<String, Long> ends;

	private final boolean losses;

	Disturbances(History history) {
		history.faults.stream().filter((fault) -> fault.kind().costsLeases()).forEach(this.spans::add);
		this.all = history.faults;
		this.stalls = history.stalls;
		this.ends = history.ends;
		this.losses = history.hasLosses();
	}

	/**
	 * Why a process may have lost what it held.
	 * @param process the process
	 * @param from since when it held it
	 * @param to when somebody else had it
	 * @return the reason, {@code null} if there is none
	 */
	@Nullable String ofHolder(String process, long from, long to) {
		for (FaultSpan span : this.spans) {
			if (span.overlaps(from, to, AFTERMATH_MILLIS) && !span.hitsEverybody() && span.hits(process)) {
				return span.kind().description();
			}
		}
		Long end = this.ends.get(process);
		if (end != null && end >= from && end <= to) {
			return FaultKind.HANDLER_HALTED.description();
		}
		return ofEverybody(process, from, to);
	}

	private @Nullable String ofEverybody(String process, long from, long to) {
		for (FaultSpan span : this.spans) {
			if (span.hitsEverybody() && span.overlaps(from, to, AFTERMATH_MILLIS)) {
				return span.kind().description();
			}
		}
		for (FaultSpan stall : this.stalls) {
			if (stall.hits(process) && stall.overlaps(from, to, AFTERMATH_MILLIS)) {
				return "a process, or Redis, stalled by itself";
			}
		}
		return null;
	}

	/**
	 * Why a task may have been claimed and never begun.
	 * @param from since when it could be claimed
	 * @param to when it was begun
	 * @return the reason, {@code null} if there is none
	 */
	@Nullable String ofAnyClaimer(long from, long to) {
		for (FaultSpan span : this.spans) {
			if (span.overlaps(from, to, AFTERMATH_MILLIS)) {
				return span.kind().description();
			}
		}
		if (this.ends.values().stream().anyMatch((end) -> end >= from && end <= to)) {
			return FaultKind.HANDLER_HALTED.description();
		}
		boolean stalled = this.stalls.stream().anyMatch((stall) -> stall.overlaps(from, to, AFTERMATH_MILLIS));
		return stalled ? "a process, or Redis, stalled by itself" : null;
	}

	/** Whether Redis has ever forgotten anything. */
	boolean hasLosses() {
		return this.losses;
	}

	/**
	 * Whether Redis may have forgotten, or not have been given again yet, what it was
	 * told.
	 */
	boolean isForgotten(long from, long to) {
		return this.spans.stream()
			.anyMatch((span) -> span.kind().costsTasks() && span.overlaps(from, to, RESTORED_MILLIS));
	}

	/** Whether a process was stopped at some time of a span. */
	boolean isStopped(String process, long from, long to) {
		return this.stalls.stream().anyMatch((stall) -> stall.hits(process) && stall.overlaps(from, to, 0))
				|| this.spans.stream()
					.anyMatch((span) -> span.kind() == FaultKind.CONSUMER_STOPPED && span.hits(process)
							&& span.overlaps(from, to, 0));
	}

	/** Whether a process was asked to end in a span. */
	boolean isEnded(String process, long from, long to) {
		return this.all.stream()
			.anyMatch((span) -> span.kind() == FaultKind.CONSUMER_ENDED && span.hits(process)
					&& span.overlaps(from, to, 0));
	}

}
