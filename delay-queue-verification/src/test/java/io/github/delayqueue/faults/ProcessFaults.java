package io.github.delayqueue.faults;

import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import io.github.delayqueue.faults.Fault.Inflicted;

/**
 * Faults of consumers and producers.
 */
final class ProcessFaults {

	private ProcessFaults() {
	}

	static Map<FaultKind, Fault> of(List<ProcessSlot> consumers, List<ProcessSlot> producers) {
		Map<FaultKind, Fault> faults = new EnumMap<>(FaultKind.class);
		faults.put(FaultKind.CONSUMER_KILLED, (random) -> end(any(consumers, random), "KILL"));
		faults.put(FaultKind.CONSUMER_ENDED, (random) -> end(any(consumers, random), "TERM"));
		faults.put(FaultKind.CONSUMER_STOPPED, (random) -> stop(any(consumers, random), random));
		faults.put(FaultKind.PRODUCER_KILLED, (random) -> end(any(producers, random), "KILL"));
		return faults;
	}

	private static ProcessSlot any(List<ProcessSlot> slots, Random random) {
		return slots.get(random.nextInt(slots.size()));
	}

	private static Inflicted end(ProcessSlot slot, String signal) {
		String process = slot.signal(signal);
		return new Inflicted(process, Duration.ZERO, () -> slot.awaitReady(process));
	}

	private static Inflicted stop(ProcessSlot slot, Random random) {
		String process = slot.signal("STOP");
		Duration hold = SuiteSettings.LEASE_DURATION.plus(Fault.between(random, 200, 2500));
		return new Inflicted(process, hold, () -> slot.signal("CONT"));
	}

}
