package io.github.delayqueue.listener;

import java.lang.reflect.Type;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.SmartLifecycle;
import org.springframework.core.ParameterizedTypeReference;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.Names;
import io.github.delayqueue.convert.TaskCodec;
import io.github.delayqueue.event.TaskEventListener;
import io.github.delayqueue.event.TaskEvents;
import io.github.delayqueue.options.QueueOptions;
import io.github.delayqueue.store.TaskStore;

/**
 * The registry. Starts containers after everything they use, and stops them first of all:
 * all at once, so that stopping takes as long as the slowest. Public for wiring.
 */
public class DefaultListenerContainerRegistry
		implements DelayQueueListenerContainerRegistry, SmartLifecycle, DisposableBean {

	/** Above connection factories, executors and the web server. */
	public static final int PHASE = Integer.MAX_VALUE - 100;

	/** How long interrupted handlers have to end, so that their tasks are released. */
	private static final Duration RELEASE_TIMEOUT = Duration.ofSeconds(1);

	private final TaskStore store;

	private final TaskCodec codec;

	private final TaskEvents events;

	private final Function<String, QueueOptions> settings;

	private final ContainerThreads threads;

	private final List<ConsumerPart> parts;

	private final Map<String, DefaultListenerContainer> containers = new LinkedHashMap<>();

	/** Unregistered, and perhaps not at rest. */
	private final List<DefaultListenerContainer> leaving = new ArrayList<>();

	private boolean running;

	/**
	 * Create a registry.
	 * @param threads for all containers, which it shuts down after them
	 * @param parts what hangs on the containers
	 */
	public DefaultListenerContainerRegistry(TaskStore store, TaskCodec codec, TaskEvents events,
			Function<String, QueueOptions> settings, ContainerThreads threads, List<ConsumerPart> parts) {
		this.store = store;
		this.codec = codec;
		this.parts = List.copyOf(parts);
		this.events = heardBy(parts, events);
		this.settings = settings;
		this.threads = threads;
		ConsumerPart.Scope scope = new ConsumerPart.Scope(store, codec, this.events, threads, () -> List.copyOf(all()));
		this.parts.forEach((part) -> part.join(scope));
	}

	private static TaskEvents heardBy(List<ConsumerPart> parts, TaskEvents events) {
		TaskEvents heard = events;
		for (ConsumerPart part : parts) {
			heard = (part instanceof TaskEventListener listener) ? heard.with(listener) : heard;
		}
		return heard;
	}

	@Override
	public String getInstance() {
		return this.parts.stream().map(ConsumerPart::instance).collect(Collectors.joining());
	}

	@Override
	public <T> DelayQueueListenerContainer register(String queue, Class<T> payloadType, TaskHandler<T> handler,
			ListenerOptions options) {
		return register(queue, (Type) payloadType, handler, options);
	}

	@Override
	public <T> DelayQueueListenerContainer register(String queue, ParameterizedTypeReference<T> payloadType,
			TaskHandler<T> handler, ListenerOptions options) {
		return register(queue, payloadType.getType(), handler, options);
	}

	private <T> DelayQueueListenerContainer register(String queue, Type payloadType, TaskHandler<T> handler,
			ListenerOptions options) {
		synchronized (this.containers) {
			String id = (options.id() != null) ? options.id() : generateId(queue);
			if (options.own().batchSize() > 1) {
				throw new InvalidListenerException(queue,
						"Listener '" + id + "' of queue '" + queue + "' has a batch size but takes single tasks",
						"Leave the batch size out, or register a DelayQueueListenerEndpoint with a DeliveryHandler.",
						null);
			}
			// a batch size configured for the queue concerns batch listeners only
			ListenerOptions single = new ListenerOptions(options.id(), options.own().toBuilder().batchSize(1).build(),
					options.recurrence());
			return register(new DelayQueueListenerEndpoint(id, queue, payloadType, (deliveries) -> {
				// the container converts payloads to the type the endpoint names
				@SuppressWarnings("unchecked")
				Delivery<T> delivery = (Delivery<T>) deliveries.get(0);
				return CompletableFuture
					.completedFuture(Collections.singletonList(handler.handle(delivery.task(), delivery.context())));
			}, single, "listener '" + id + "' registered in code"));
		}
	}

	@Override
	public DelayQueueListenerContainer register(DelayQueueListenerEndpoint endpoint) {
		Names.requireQueue(endpoint.queue());
		QueueOptions options = endpoint.options().own().withDefaults(this.settings.apply(endpoint.queue()));
		for (ConsumerPart part : this.parts) {
			options = part.register(endpoint, options);
		}
		DelayQueueListenerEndpoint called = endpoint;
		for (ConsumerPart part : this.parts) {
			called = part.around(called, options);
		}
		synchronized (this.containers) {
			checkAgainstOthers(endpoint, options);
			this.threads.prestart();
			DefaultListenerContainer container = new DefaultListenerContainer(called, options, this.store, this.codec,
					this.events, this.threads, this.parts);
			this.containers.put(endpoint.id(), container);
			// under the lock, or it could start after the registry has stopped
			if (this.running) {
				this.parts.forEach((part) -> part.begin(false));
				if (options.autoStartup()) {
					container.start();
				}
			}
			return container;
		}
	}

	private void checkAgainstOthers(DelayQueueListenerEndpoint endpoint, QueueOptions options) {
		DefaultListenerContainer sameId = this.containers.get(endpoint.id());
		if (sameId != null) {
			throw new InvalidListenerException(
					endpoint.queue(), "Two listeners have the id '" + endpoint.id() + "': "
							+ sameId.endpoint().description() + " and " + endpoint.description(),
					"Give one of them another id.", null);
		}
		this.containers.values()
			.stream()
			.filter((other) -> other.getQueue().equals(endpoint.queue()))
			.forEach((other) -> this.parts.forEach((part) -> part.register(endpoint, options, other)));
	}

	private String generateId(String queue) {
		String id = queue;
		for (int i = 2; this.containers.containsKey(id); i++) {
			id = queue + "#" + i;
		}
		return id;
	}

	@Override
	public boolean unregister(String id) {
		return end(List.of(id));
	}

	@Override
	public void unregisterAll(Collection<String> ids) {
		end(ids);
	}

	private boolean end(Collection<String> ids) {
		List<DefaultListenerContainer> ending = new ArrayList<>();
		synchronized (this.containers) {
			ids.forEach((id) -> Optional.ofNullable(this.containers.remove(id)).ifPresent(ending::add));
			this.leaving.addAll(ending);
		}
		ending.forEach(DefaultListenerContainer::beginStop);
		ending.forEach(DefaultListenerContainer::stop);
		ending.forEach(DefaultListenerContainer::destroy);
		return !ending.isEmpty();
	}

	@Override
	public DelayQueueListenerContainer get(String id) {
		synchronized (this.containers) {
			DelayQueueListenerContainer container = this.containers.get(id);
			if (container == null) {
				throw new DelayQueueException(null, null,
						"There is no listener with id '" + id + "', but " + this.containers.keySet());
			}
			return container;
		}
	}

	@Override
	public Collection<DelayQueueListenerContainer> getContainers() {
		return List.copyOf(snapshot());
	}

	@Override
	public void stopConsuming(String queue) {
		snapshot().stream()
			.filter((container) -> container.getQueue().equals(queue) && container.isRunning())
			.forEach(DefaultListenerContainer::beginStop);
		DelayQueueListenerContainerRegistry.super.stopConsuming(queue);
	}

	private List<DefaultListenerContainer> snapshot() {
		synchronized (this.containers) {
			return List.copyOf(this.containers.values());
		}
	}

	/** Those too that are unregistered and may still hold leases. */
	List<DefaultListenerContainer> all() {
		synchronized (this.containers) {
			this.leaving.removeIf((container) -> container.isAtRest() && container.isEmpty());
			return Stream.concat(this.containers.values().stream(), this.leaving.stream()).toList();
		}
	}

	/** Whether all that was claimed is handled, and settled. */
	public boolean isIdle() {
		return all().stream().allMatch(DefaultListenerContainer::isIdle);
	}

	@Override
	public void start() {
		this.parts.forEach(ConsumerPart::starting);
		boolean anew = !isRunning()
				&& all().stream().allMatch((container) -> container.isAtRest() && container.isEmpty());
		synchronized (this.containers) {
			this.running = true;
			this.parts.forEach((part) -> part.begin(anew));
		}
		snapshot().stream()
			.filter((container) -> container.options().autoStartup())
			.forEach(DefaultListenerContainer::start);
	}

	@Override
	public void stop() {
		// somebody else may be stopping one, and wait for its handlers as well
		stop((container) -> !container.isAtRest());
	}

	private void stop(Predicate<DefaultListenerContainer> which) {
		synchronized (this.containers) {
			this.running = false;
		}
		List<DefaultListenerContainer> stopping = all().stream().filter(which).toList();
		long since = this.threads.nanoTime();
		this.parts.forEach(ConsumerPart::stopping);
		stopping.forEach(DefaultListenerContainer::beginStop);
		stopping.forEach((container) -> container.awaitStop(since));
		boolean empty = all().stream().allMatch(DefaultListenerContainer::isEmpty);
		this.parts.forEach((part) -> part.stopped(empty));
	}

	@Override
	public boolean isRunning() {
		synchronized (this.containers) {
			return this.running;
		}
	}

	@Override
	public int getPhase() {
		return PHASE;
	}

	@Override
	public void destroy() {
		boolean stopped = !isRunning();
		// those that have not ended in time have been waited for
		stop((container) -> container.isRunning() || !stopped && !container.isAtRest());
		List<DefaultListenerContainer> ending = all();
		ending.forEach(DefaultListenerContainer::settleOwnCall);
		ending.forEach(DefaultListenerContainer::destroy);
		this.threads.await(() -> ending.stream().allMatch(DefaultListenerContainer::isEmpty), RELEASE_TIMEOUT);
		this.parts.forEach(ConsumerPart::end);
		this.threads.shutdown();
	}

}
