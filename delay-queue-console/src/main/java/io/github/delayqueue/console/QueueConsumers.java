package io.github.delayqueue.console;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.fleet.Consumers;
import io.github.delayqueue.fleet.ConsumersCache;
import io.github.delayqueue.listener.ContainerStatus;

/**
 * How many instances consume a queue, this one included. Only for people, so it is
 * unknown, and no error, where the store does not tell.
 */
record QueueConsumers(Optional<Consumers> known, Map<String, List<ContainerStatus>> own) {

	/** Ask once for all queues; {@code listeners} are those of this instance. */
	static QueueConsumers read(ConsumersCache cache, List<ContainerStatus> listeners) {
		Map<String, List<ContainerStatus>> own = listeners.stream()
			.collect(Collectors.groupingBy(ContainerStatus::queue));
		try {
			return new QueueConsumers(cache.get(), own);
		}
		catch (DelayQueueException ex) {
			return new QueueConsumers(Optional.empty(), own);
		}
	}

	/** How many instances there are, {@code null} if that is not known. */
	@Nullable Integer of(String queue) {
		Integer instances = this.known.map((consumers) -> consumers.of(queue)).orElse(null);
		// what this instance does is known before it has told so
		return (instances != null && instances == 0 && running(queue).findAny().isPresent()) ? Integer.valueOf(1)
				: instances;
	}

	/** How many tasks, or batches, they handle at a time, of those that are known. */
	int workersOf(String queue) {
		return Math.max(this.known.map((consumers) -> consumers.workersOf(queue)).orElse(0),
				running(queue).mapToInt(ContainerStatus::concurrency).sum());
	}

	/** The ids of the listeners that are known, wherever they are. */
	Set<String> listenersOf(String queue) {
		Set<String> listeners = new TreeSet<>(
				this.known.map((consumers) -> consumers.listenersOf(queue)).orElse(Set.of()));
		own(queue).forEach((listener) -> listeners.add(listener.id()));
		return listeners;
	}

	/** The last consumer of a queue, {@code null} if that is not known. */
	Consumers.@Nullable Last lastOf(String queue) {
		return this.known.map((consumers) -> consumers.lastOf(queue)).orElse(null);
	}

	/** The tasks that are known to be in handlers, the longest first. */
	List<Consumers.Running> runningIn(String queue) {
		return this.known.map((consumers) -> consumers.runningIn(queue)).orElse(List.of());
	}

	/**
	 * The instances that consume a queue, {@code null} if they are not known.
	 * @param self the id of this one
	 */
	@Nullable List<InstanceDescriptor> instances(String self, String queue) {
		return this.known.map((consumers) -> InstancesDescriptor.of(consumers, self, queue).instances()).orElse(null);
	}

	List<ContainerStatus> own(String queue) {
		return this.own.getOrDefault(queue, List.of());
	}

	private Stream<ContainerStatus> running(String queue) {
		return own(queue).stream().filter(ContainerStatus::running);
	}

}
