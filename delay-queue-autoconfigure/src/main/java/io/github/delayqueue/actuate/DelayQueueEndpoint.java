package io.github.delayqueue.actuate;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.IntFunction;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.QueueCheck;
import io.github.delayqueue.listener.ContainerStatus;
import io.github.delayqueue.listener.DelayQueueListenerContainer;
import io.github.delayqueue.listener.DelayQueueListenerContainerRegistry;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.store.TaskStore;

/**
 * {@code /actuator/delayqueue}: sizes and totals of queues, true over all instances, with
 * the listeners of this instance; on request whether a queue is whole. Public for
 * applications that expose it in their own way. Thread-safe.
 */
@Endpoint(id = "delayqueue", defaultAccess = Access.READ_ONLY)
public class DelayQueueEndpoint {

	private static final int DEFAULT_CHECK = 500;

	private final TaskStore store;

	private final DelayQueueListenerContainerRegistry registry;

	private final DelayQueueOperations operations;

	public DelayQueueEndpoint(TaskStore store, DelayQueueListenerContainerRegistry registry,
			DelayQueueOperations operations) {
		this.store = store;
		this.registry = registry;
		this.operations = operations;
	}

	/**
	 * All queues that the store knows or this instance consumes. The store is asked once
	 * for the names and once for each queue.
	 * @return the queues
	 * @throws io.github.delayqueue.DelayQueueException if the store cannot be reached
	 */
	@ReadOperation
	public QueuesDescriptor queues() {
		Map<String, QueueDescriptor> queues = new LinkedHashMap<>();
		for (String queue : names()) {
			queues.put(queue, describe(queue));
		}
		return new QueuesDescriptor(queues);
	}

	/**
	 * One queue.
	 * @param queue its name
	 * @return the queue, {@code null} (over the web: 404) if the store does not know it
	 * and this instance does not consume it
	 * @throws io.github.delayqueue.DelayQueueException if the store cannot be reached
	 */
	@ReadOperation
	public @Nullable QueueDescriptor queue(@Selector String queue) {
		return names().contains(queue) ? describe(queue) : null;
	}

	/**
	 * A closer view of one queue. There is one: {@code check}, whether each task is in
	 * exactly one place, a part of the queue at a time.
	 * @param queue the queue
	 * @param view what to look at
	 * @param cursor where to go on, as the last answer says; {@code null} to begin
	 * @param limit about how many entries to look at, 1 to 1,000, {@code null} for 500
	 * @return a {@link CheckDescriptor}; over the web 404 ({@code null}) if there is no
	 * such queue or view, and 400 with a sentence if cursor or limit are not allowed
	 * @throws DelayQueueException if the store cannot be reached
	 */
	@ReadOperation
	public @Nullable Object view(@Selector String queue, @Selector String view, @Nullable String cursor,
			@Nullable Integer limit) {
		if (!"check".equals(view) || !names().contains(queue)) {
			return null;
		}
		return page(limit, (entries) -> this.operations.check(queue, cursor, entries));
	}

	/**
	 * Change one queue. There is one action: {@code repair}, which does as the view
	 * {@code check} does and mends what it finds, see
	 * {@link io.github.delayqueue.QueueCheck.Kind}.
	 * <p>
	 * Not available until {@code management.endpoint.delayqueue.access=unrestricted}.
	 * @param queue the queue
	 * @param action what to do
	 * @param cursor where to go on, as the last answer says; {@code null} to begin
	 * @param limit about how many entries to look at, 1 to 1,000, {@code null} for 500
	 * @return a {@link CheckDescriptor}; over the web 404 if there is no such queue, and
	 * 400 with a sentence if the action is not known, or cursor or limit are not allowed
	 * @throws DelayQueueException if the store cannot be reached
	 */
	@WriteOperation
	public Object perform(@Selector String queue, @Nullable String action, @Nullable String cursor,
			@Nullable Integer limit) {
		if (!names().contains(queue)) {
			return new WebEndpointResponse<>(WebEndpointResponse.STATUS_NOT_FOUND);
		}
		if (!"repair".equals(action)) {
			return badRequest("The action has to be one of: repair");
		}
		return page(limit, (entries) -> this.operations.repair(queue, cursor, entries));
	}

	private static Object page(@Nullable Integer limit, IntFunction<QueueCheck> step) {
		int entries = (limit != null) ? limit : DEFAULT_CHECK;
		if (entries < 1 || entries > TaskStore.MAX_CHECK) {
			return badRequest("The limit has to be 1 to " + TaskStore.MAX_CHECK);
		}
		try {
			return CheckDescriptor.of(step.apply(entries));
		}
		catch (DelayQueueException ex) {
			if (ex.getCause() instanceof IllegalArgumentException refused) {
				return badRequest(refused.getMessage() + "; leave it out to begin anew");
			}
			throw ex;
		}
	}

	private static WebEndpointResponse<Map<String, String>> badRequest(String sentence) {
		return new WebEndpointResponse<>(Map.of("error", sentence), WebEndpointResponse.STATUS_BAD_REQUEST);
	}

	private SortedSet<String> names() {
		SortedSet<String> names = new TreeSet<>(this.store.queues());
		this.registry.getContainers().forEach((container) -> names.add(container.getQueue()));
		return names;
	}

	private QueueDescriptor describe(String queue) {
		List<ContainerStatus> containers = this.registry.getContainers()
			.stream()
			.filter((container) -> container.getQueue().equals(queue))
			.map(DelayQueueListenerContainer::status)
			.toList();
		return QueueDescriptor.of(this.store.stats(queue), containers);
	}

}
