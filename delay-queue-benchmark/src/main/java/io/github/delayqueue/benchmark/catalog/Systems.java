package io.github.delayqueue.benchmark.catalog;

import java.util.List;
import java.util.stream.Stream;

import io.github.delayqueue.benchmark.SystemType;
import io.github.delayqueue.benchmark.peers.BullMq;
import io.github.delayqueue.benchmark.peers.Peers;
import io.github.delayqueue.benchmark.systems.DelayQueue;
import io.github.delayqueue.benchmark.systems.GroupedDelayQueue;
import io.github.delayqueue.benchmark.systems.JournaledDelayQueue;
import io.github.delayqueue.benchmark.systems.PolledSortedSet;

/**
 * All systems, in the order in which they are shown.
 */
public final class Systems {

	private static final List<SystemType> ALL = List.of(DelayQueue.TYPE, Peers.REDISSON, BullMq.TYPE, Peers.POSTGRES,
			PolledSortedSet.TYPE, Peers.JVM_TIMER, JournaledDelayQueue.TYPE, Peers.SKIP_LOCKED, Peers.DB_SCHEDULER);

	/** Also those that are measured only if they are named. */
	private static final List<SystemType> KNOWN = Stream.concat(ALL.stream(), GroupedDelayQueue.TYPES.stream())
		.toList();

	private Systems() {
	}

	public static List<SystemType> all() {
		return ALL;
	}

	public static List<SystemType> known() {
		return KNOWN;
	}

	/**
	 * Look up a system.
	 * @param key its key
	 * @return the system
	 */
	public static SystemType named(String key) {
		return KNOWN.stream()
			.filter((type) -> type.key().equals(key))
			.findFirst()
			.orElseThrow(() -> new IllegalArgumentException(
					"No system '" + key + "'; there are " + KNOWN.stream().map(SystemType::key).toList()));
	}

}
