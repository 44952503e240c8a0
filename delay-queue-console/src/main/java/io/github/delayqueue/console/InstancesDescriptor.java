package io.github.delayqueue.console;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

import io.github.delayqueue.fleet.Consumers;

/**
 * The instances that consume queues, as the endpoint shows them. Public because the
 * endpoint returns it.
 *
 * @param instances those that are there, by their host; then those that have ended since
 * yesterday, 100 at most, the latest first
 */
public record InstancesDescriptor(List<InstanceDescriptor> instances) implements OperationResponseBody {

	private static final Duration REMEMBERED = Duration.ofDays(1);

	private static final int MAX_GONE = 100;

	/**
	 * Describe instances.
	 * @param queue whose consumers are wanted, {@code null} for all
	 */
	static InstancesDescriptor of(Consumers consumers, String self, @Nullable String queue) {
		List<Consumers.Instance> all = consumers.instances()
			.stream()
			.filter((instance) -> queue == null
					|| instance.trace().consumers().stream().anyMatch((consumer) -> consumer.queue().equals(queue)))
			.toList();
		return new InstancesDescriptor(Stream
			.concat(all.stream()
				.filter(Consumers.Instance::alive)
				.sorted(Comparator.comparing((instance) -> instance.trace().host())),
					all.stream()
						.filter((instance) -> !instance.alive() && instance.age().compareTo(REMEMBERED) < 0)
						.limit(MAX_GONE))
			.map((instance) -> InstanceDescriptor.of(instance, self, queue))
			.toList());
	}

}
