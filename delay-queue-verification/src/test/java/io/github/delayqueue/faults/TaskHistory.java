package io.github.delayqueue.faults;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * What happened to one task.
 */
public final class TaskHistory {

	final TaskKey key;

	/** In the order in which they were made. */
	final List<Call> calls = new ArrayList<>();

	final List<Handling> handlings = new ArrayList<>();

	TaskHistory(TaskKey key) {
		this.key = key;
	}

	Stream<Call> sends() {
		return this.calls.stream().filter(Call::isSend);
	}

	/** The call of that name that scheduled it, if there was one. */
	@Nullable Call send(String id) {
		for (Call call : this.calls) {
			if (call.isSend() && call.id.equals(id)) {
				return call;
			}
		}
		return null;
	}

	/** Most tasks are handled once: no streams. */
	List<Handling> handlingsOf(Call send) {
		List<Handling> handlings = new ArrayList<>(1);
		for (Handling handling : this.handlings) {
			if (handling.send.equals(send.id)) {
				handlings.add(handling);
			}
		}
		handlings.sort(Handling.BY_CLAIM);
		return handlings;
	}

	/** The same; where Redis has forgotten counts, in the order in which they began. */
	List<Handling> handlingsOf(Call send, History history) {
		List<Handling> handlings = handlingsOf(send);
		return history.disturbances().hasLosses()
				? handlings.stream().sorted(Comparator.comparingLong((handling) -> handling.from)).toList() : handlings;
	}

	/** Whether what was scheduled by a call came to the end that its plan says. */
	boolean isFinished(Call send) {
		return this.handlings.stream()
			.filter((handling) -> handling.send.equals(send.id))
			.anyMatch((handling) -> (send.plan.deadReason() == null) ? handling.outcome == HandlerOutcome.OK
					: handling.outcome == HandlerOutcome.FAILED);
	}

	/** All of it, for people. */
	@Override
	public String toString() {
		Map<Long, List<Object>> byTime = new TreeMap<>();
		this.calls.forEach((call) -> byTime.computeIfAbsent(call.from, (time) -> new ArrayList<>()).add(call));
		this.handlings.stream()
			.sorted(Comparator.comparingLong((handling) -> handling.from))
			.forEach((handling) -> byTime.computeIfAbsent(handling.from, (time) -> new ArrayList<>()).add(handling));
		return byTime.values()
			.stream()
			.flatMap(List::stream)
			.map((line) -> "    " + line)
			.collect(Collectors.joining("\n", this.key + "\n", ""));
	}

}
