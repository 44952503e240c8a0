package io.github.delayqueue.fleet;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.fleet.InstanceTrace.Consumer;
import io.github.delayqueue.roles.Attendance;
import io.github.delayqueue.roles.InstanceTraces;
import io.github.delayqueue.store.TaskStore;

/**
 * The consumers of queues, by the traces that instances leave in the store. For wiring.
 * Immutable.
 */
public final class Consumers {

	private static final int MAX_LISTENERS = 100;

	private final List<Instance> instances = new ArrayList<>();

	private final Map<String, List<Consumption>> seen = new HashMap<>();

	/** An instance consumes so much that it does not name all. */
	private boolean incomplete;

	/** How long all traces are. */
	private long characters;

	private Consumers(List<Attendance> traces) {
		for (Attendance attendance : traces) {
			this.characters += attendance.trace().length();
			Instance.of(attendance).ifPresent((instance) -> {
				this.instances.add(instance);
				this.incomplete |= !instance.trace().complete();
				instance.trace()
					.consumers()
					.forEach((consumer) -> this.seen.computeIfAbsent(consumer.queue(), (queue) -> new ArrayList<>())
						.add(new Consumption(instance, consumer)));
			});
		}
		this.instances.sort(Comparator.comparing(Instance::alive).thenComparing(Instance::at).reversed());
	}

	private Stream<Consumption> seen(String queue) {
		return this.seen.getOrDefault(queue, List.of()).stream();
	}

	/** Ask the store, which may keep no traces. */
	public static Optional<Consumers> read(TaskStore store) {
		return InstanceTraces.of(store).attendance().map(Consumers::new);
	}

	/** The instance that a {@linkplain Presence#holderOf holder} is, if known. */
	static Optional<Instance> holder(TaskStore store, String holder) {
		return InstanceTraces.of(store)
			.attendance(Presence.idPrefixOf(holder))
			.stream()
			.flatMap(List::stream)
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
		int alive = (int) seen(queue).filter(Consumption::consumes)
			.map((seen) -> seen.instance().id())
			.distinct()
			.count();
		return (alive == 0 && this.incomplete) ? null : Integer.valueOf(alive);
	}

	/** How many tasks, or batches, all instances that are known handle at a time. */
	public int workersOf(String queue) {
		return seen(queue).filter(Consumption::consumes).mapToInt((seen) -> seen.consumer().workers()).sum();
	}

	/**
	 * The ids of listeners that consume a queue, or have within the time that traces are
	 * kept: a hundred of them at most.
	 */
	public Set<String> listenersOf(String queue) {
		return seen(queue).flatMap((seen) -> Stream.ofNullable(seen.consumer().listener()))
			.distinct()
			.limit(MAX_LISTENERS)
			.collect(Collectors.toUnmodifiableSet());
	}

	/** The tasks of a queue that are known to be in handlers, the longest first. */
	public List<Running> runningIn(String queue) {
		return seen(queue).filter((seen) -> seen.instance().alive())
			.flatMap((seen) -> seen.consumer().calls().stream().map((call) -> Running.of(call, seen.instance())))
			.sorted(Comparator.comparing(Running::ran).reversed())
			.toList();
	}

	/** Whether any instance is known to have consumed a queue, or may have. */
	public boolean everOf(String queue) {
		return this.incomplete || this.seen.containsKey(queue);
	}

	/** The last consumer of a queue, of those that consume it no longer. */
	public @Nullable Last lastOf(String queue) {
		return seen(queue).flatMap((seen) -> Stream.ofNullable(seen.end()))
			.max(Comparator.comparing(Last::at))
			.orElse(null);
	}

	private record Consumption(Instance instance, Consumer consumer) {

		boolean consumes() {
			return this.instance.alive() && this.consumer.running();
		}

		@Nullable Last end() {
			InstanceTrace trace = this.instance.trace();
			if (consumes() || (!this.consumer.running() && this.consumer.polledAgo() == null)) {
				return null;
			}
			return this.consumer.running()
					? new Last(trace.name(), this.instance.at(), trace.ended() ? Last.End.SHUTDOWN : Last.End.SILENT)
					: new Last(trace.name(), this.instance.at().minus(this.consumer.since()), Last.End.STOPPED);
		}

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

		public boolean alive() {
			return this.trace.isAlive(this.age);
		}

	}

	/**
	 * A task in a handler.
	 *
	 * @param host where
	 * @param ran for how long
	 * @param patience before what time it does not hang
	 */
	public record Running(String task, String host, Duration ran, Duration patience) {

		private static Running of(InstanceTrace.Call call, Instance instance) {
			return new Running(call.task(), instance.trace().name(), call.ran().plus(instance.age()), call.patience());
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
