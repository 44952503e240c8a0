package io.github.delayqueue.run;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.run.InstanceTrace.Consumer;
import io.github.delayqueue.store.Attendance;
import io.github.delayqueue.store.TaskStore;

/**
 * The consumers of queues, by the traces that instances leave in the store. For wiring.
 * Immutable.
 */
public final class Consumers {

	private static final int MAX_LISTENERS = 100;

	private final List<Instance> instances = new ArrayList<>();

	private final Map<String, Integer> alive = new HashMap<>();

	private final Map<String, Integer> workers = new HashMap<>();

	private final Map<String, Set<String>> listeners = new HashMap<>();

	private final Set<String> ever = new HashSet<>();

	/** An instance consumes so much that it does not name all. */
	private boolean incomplete;

	/** How long all traces are. */
	private long characters;

	private Consumers(List<Attendance> traces) {
		for (Attendance attendance : traces) {
			this.characters += attendance.trace().length();
			Instance.of(attendance).ifPresent((instance) -> {
				this.instances.add(instance);
				add(instance);
			});
		}
		this.instances.sort(Comparator.comparing(Instance::alive).thenComparing(Instance::at).reversed());
	}

	private void add(Instance instance) {
		this.incomplete |= !instance.trace().complete();
		Set<String> queues = new HashSet<>();
		for (Consumer consumer : instance.trace().consumers()) {
			this.ever.add(consumer.queue());
			Set<String> ids = this.listeners.computeIfAbsent(consumer.queue(), (queue) -> new TreeSet<>());
			if (consumer.listener() != null && ids.size() < MAX_LISTENERS) {
				ids.add(consumer.listener());
			}
			if (instance.alive() && consumer.running()) {
				queues.add(consumer.queue());
				this.workers.merge(consumer.queue(), consumer.workers(), Integer::sum);
			}
		}
		queues.forEach((queue) -> this.alive.merge(queue, 1, Integer::sum));
	}

	/**
	 * Ask the store.
	 * @return who consumes what; empty if the store keeps no traces
	 * @throws io.github.delayqueue.DelayQueueException if it does not answer
	 */
	public static Optional<Consumers> read(TaskStore store) {
		return store.attendance().map(Consumers::new);
	}

	/**
	 * The instance that a holder of leases is.
	 * @param holder see {@link Presence#holderOf}
	 * @return the instance, empty if it has left no trace
	 * @throws io.github.delayqueue.DelayQueueException if the store does not answer
	 */
	public static Optional<Instance> holder(TaskStore store, String holder) {
		return store.attendanceOf(Presence.idPrefixOf(holder))
			.stream()
			.flatMap((attendance) -> Instance.of(attendance).stream())
			.findFirst();
	}

	/** How long all traces are that this was read from. */
	long characters() {
		return this.characters;
	}

	/**
	 * All instances that are known: those that are there, then those that are gone, the
	 * latest first.
	 */
	public List<Instance> instances() {
		return List.copyOf(this.instances);
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

	/**
	 * The last consumer of a queue, of those that consume it no longer.
	 * @return the last one, {@code null} if nobody is known to have consumed it
	 */
	public @Nullable Last lastOf(String queue) {
		return this.instances.stream()
			.flatMap((instance) -> ends(instance, queue))
			.max(Comparator.comparing(Last::at))
			.orElse(null);
	}

	private static Stream<Last> ends(Instance instance, String queue) {
		InstanceTrace trace = instance.trace();
		return trace.consumers()
			.stream()
			.filter((consumer) -> consumer.queue().equals(queue) && !(instance.alive() && consumer.running())
					&& (consumer.running() || consumer.polledAgo() != null))
			.map((consumer) -> consumer.running()
					? new Last(trace.name(), instance.at(), trace.ended() ? Last.End.SHUTDOWN : Last.End.SILENT)
					: new Last(trace.name(), instance.at().minus(consumer.since()), Last.End.STOPPED));
	}

	/**
	 * An instance of an application.
	 *
	 * @param at when it left its trace, by the store's clock
	 * @param age how long ago that was, by the same clock
	 * @param trace what it said of itself
	 */
	public record Instance(String id, Instant at, Duration age, InstanceTrace trace) {

		private static Optional<Instance> of(Attendance attendance) {
			return Optional.ofNullable(InstanceTrace.read(attendance.trace()))
				.map((trace) -> new Instance(attendance.instance(), attendance.at(), attendance.age(), trace));
		}

		/** Whether it is still there. */
		public boolean alive() {
			return this.trace.isAlive(this.age);
		}

	}

	/**
	 * The last consumer of a queue.
	 *
	 * @param host where
	 * @param at when it ended, or was last heard of, by the store's clock
	 * @param end how it ended
	 */
	public record Last(String host, Instant at, End end) {

		/** How a consumer ended. */
		public enum End {

			/** Its application was shut down. */
			SHUTDOWN,

			/** Its listener was stopped. */
			STOPPED,

			/** Nobody knows: it has not been heard of since. */
			SILENT

		}

	}

}
