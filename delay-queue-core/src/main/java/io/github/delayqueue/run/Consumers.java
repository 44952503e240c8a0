package io.github.delayqueue.run;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.store.Attendance;
import io.github.delayqueue.store.TaskStore;

/**
 * The consumers of queues, by the traces that instances leave in the store. For wiring.
 * Immutable.
 */
public final class Consumers {

	private static final int MAX_LISTENERS = 100;

	private final Map<String, Integer> alive = new HashMap<>();

	private final Map<String, Integer> workers = new HashMap<>();

	private final Map<String, Set<String>> listeners = new HashMap<>();

	private final Set<String> ever = new HashSet<>();

	/** An instance consumes so much that it does not name all. */
	private boolean incomplete;

	private Consumers(List<Attendance> traces) {
		for (Attendance attendance : traces) {
			InstanceTrace trace = InstanceTrace.read(attendance.trace());
			if (trace != null) {
				this.incomplete |= !trace.complete();
				Set<String> queues = new HashSet<>();
				trace.consumers().forEach((consumer) -> {
					queues.add(consumer.queue());
					Set<String> ids = this.listeners.computeIfAbsent(consumer.queue(), (queue) -> new TreeSet<>());
					if (consumer.listener() != null && ids.size() < MAX_LISTENERS) {
						ids.add(consumer.listener());
					}
				});
				this.ever.addAll(queues);
				if (trace.isAlive(attendance.age())) {
					queues.forEach((queue) -> this.alive.merge(queue, 1, Integer::sum));
					trace.consumers()
						.forEach((consumer) -> this.workers.merge(consumer.queue(), consumer.workers(), Integer::sum));
				}
			}
		}
	}

	/**
	 * Ask the store.
	 * @return who consumes what; empty if the store keeps no traces
	 * @throws io.github.delayqueue.DelayQueueException if it does not answer
	 */
	public static Optional<Consumers> read(TaskStore store) {
		return store.attendance().map(Consumers::new);
	}

	/** How many instances consume a queue, {@code null} if that cannot be told. */
	public @Nullable Integer of(String queue) {
		Integer instances = this.alive.get(queue);
		return (instances == null && !this.incomplete) ? Integer.valueOf(0) : instances;
	}

	/** How many tasks, or batches, all instances that are known handle at a time. */
	public int workersOf(String queue) {
		return this.workers.getOrDefault(queue, 0);
	}

	/**
	 * The ids of listeners that consume a queue, or have within the time that traces are
	 * kept: a hundred of them at most.
	 */
	public Set<String> listenersOf(String queue) {
		return Set.copyOf(this.listeners.getOrDefault(queue, Set.of()));
	}

	/** Whether any instance is known to have consumed a queue, or may have. */
	public boolean everOf(String queue) {
		return this.incomplete || this.ever.contains(queue);
	}

}
