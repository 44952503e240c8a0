package io.github.delayqueue.metrics;

import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.util.function.SingletonSupplier;

import io.github.delayqueue.TaskFailure;
import io.github.delayqueue.event.DeliveryOutcome;
import io.github.delayqueue.event.TaskEventListener;
import io.github.delayqueue.listener.ContainerStatus;
import io.github.delayqueue.listener.DelayQueueListenerContainer;
import io.github.delayqueue.listener.DelayQueueListenerContainerRegistry;
import io.github.delayqueue.run.ConsumersCache;
import io.github.delayqueue.run.TroubleRules;
import io.github.delayqueue.store.TaskStore;

/**
 * The meters of the delay queue, each tagged with the {@code queue}; what one says is in
 * its description. From the store, the same on all instances: {@code delay.queue.tasks},
 * {@code tasks.ahead}, {@code oldest.due.age}, {@code paused}, {@code trouble} and
 * {@code events}. All others are of this instance.
 * <p>
 * Timers have a few buckets; more come by {@code management.metrics.distribution.*}. The
 * meters of a queue that annotated methods consume are there once the application has
 * started; those of other queues with their first task. Beyond {@value #MAX_QUEUES}
 * queues all others are counted as the queue {@value #OTHER}.
 * <p>
 * Public for applications that create it themselves. Thread-safe. Never throws because
 * the store cannot be reached: gauges are not a number then.
 */
public class DelayQueueMetrics implements TaskEventListener, ApplicationListener<ContextRefreshedEvent> {

	/** Of how many queues there are meters at most. */
	static final int MAX_QUEUES = 500;

	/** Not the name of a queue: those have no parentheses. */
	static final String OTHER = "(other)";

	private static final Duration[] SCHEDULE = { Duration.ofMillis(1), Duration.ofMillis(10), Duration.ofMillis(100),
			Duration.ofSeconds(1) };

	private static final Logger logger = LoggerFactory.getLogger(DelayQueueMetrics.class);

	private final Supplier<MeterRegistry> meterRegistry;

	private final Supplier<DelayQueueListenerContainerRegistry> containerRegistry;

	private final QueueMeters queues;

	private final Map<String, ConsumerMeters> consumers = new ConcurrentHashMap<>();

	private final Map<String, ProducerMeters> producers = new ConcurrentHashMap<>();

	private final AtomicBoolean tooMany = new AtomicBoolean();

	private volatile Predicate<String> perQueue = (meter) -> true;

	/**
	 * Create the meters.
	 * @param meterRegistry where to register them; called with the first event, when all
	 * beans exist and the registry is configured
	 * @param containerRegistry whose queues to measure; called when the context has
	 * started
	 * @param store what the gauges read
	 * @param consumers who consumes the queues
	 * @param clock how old figures are told by
	 * @param rules what is wrong with a queue
	 */
	public DelayQueueMetrics(Supplier<MeterRegistry> meterRegistry,
			Supplier<DelayQueueListenerContainerRegistry> containerRegistry, TaskStore store, ConsumersCache consumers,
			Clock clock, TroubleRules rules) {
		this.meterRegistry = meterRegistry;
		this.containerRegistry = containerRegistry;
		this.queues = new QueueMeters(new StatsCache(store, consumers, clock), rules, MAX_QUEUES);
	}

	/**
	 * Create the meters in the application's registry, for its containers.
	 * @param store what the gauges read
	 * @param consumers who consumes the queues
	 * @param clock how old figures are told by
	 * @param rules what is wrong with a queue
	 */
	public DelayQueueMetrics(BeanFactory beanFactory, TaskStore store, ConsumersCache consumers, Clock clock,
			TroubleRules rules) {
		this(SingletonSupplier.of(() -> beanFactory.getBean(MeterRegistry.class)),
				() -> beanFactory.getBean(DelayQueueListenerContainerRegistry.class), store, consumers, clock, rules);
	}

	/**
	 * Set which meters each queue has of its own. Of all others there is one for all
	 * queues together, {@value #OTHER}, and none if it is a gauge or comes from the
	 * store. To be called before the first event.
	 * @param perQueue names of meters or beginnings of them that end before a dot; by
	 * default all
	 */
	public void setPerQueue(Collection<String> perQueue) {
		Set<String> names = Set.copyOf(perQueue);
		this.perQueue = (meter) -> names.stream()
			.anyMatch((name) -> meter.equals(name) || meter.startsWith(name + "."));
	}

	@Override
	public void onApplicationEvent(ContextRefreshedEvent event) {
		this.containerRegistry.get().getContainers().forEach((container) -> consumer(container.getQueue()));
	}

	@Override
	public void onSchedule(String queue, int accepted, Duration took, @Nullable Throwable error) {
		ProducerMeters meters = meters(this.producers, queue, this::registerProducer);
		meters.schedule().record(took);
		if (error != null) {
			meters.errors().increment();
		}
	}

	@Override
	public void onStart(String queue, String taskId, Duration lateness) {
		consumer(queue).lateness().record(lateness);
	}

	@Override
	public void onEnd(String queue, String taskId, DeliveryOutcome outcome, Duration took,
			@Nullable TaskFailure failure) {
		consumer(queue).process().get(outcome).record(took);
	}

	@Override
	public void onClaim(String queue, int tasks) {
		ConsumerMeters meters = consumer(queue);
		((tasks > 0) ? meters.claimsWithTasks() : meters.emptyClaims()).increment();
	}

	@Override
	public void onTakeOver(String queue, String instance, int tasks) {
		consumer(queue).takenOver().increment(tasks);
	}

	@Override
	public void onPollError(String queue, Throwable error) {
		consumer(queue).pollErrors().increment();
	}

	private ConsumerMeters consumer(String queue) {
		return meters(this.consumers, queue, this::registerConsumer);
	}

	private <M> M meters(Map<String, M> known, String queue, Function<String, M> factory) {
		M meters = known.get(queue);
		if (meters != null) {
			return meters;
		}
		if (known.size() < MAX_QUEUES) {
			return known.computeIfAbsent(queue, factory);
		}
		if (this.tooMany.compareAndSet(false, true)) {
			logger.warn("There are more than {} queues; '{}' and others have no meters of their own but are "
					+ "counted as '{}'", MAX_QUEUES, queue, OTHER);
		}
		return known.computeIfAbsent(OTHER, factory);
	}

	private ConsumerMeters registerConsumer(String queue) {
		registerQueue(queue);
		if (!queue.equals(OTHER)) {
			registerWorkers(queue);
		}
		return ConsumerMeters.register((meter) -> name(meter, queue), this.meterRegistry.get());
	}

	/** What the meter of a queue has as its tag. */
	private String name(String meter, String queue) {
		return this.perQueue.test(meter) ? queue : OTHER;
	}

	private void registerWorkers(String queue) {
		if (this.perQueue.test("delay.queue.workers")) {
			workers("delay.queue.workers", queue, ContainerStatus::active)
				.description("Workers for handlers of the queue, on this instance")
				.tag("state", "busy")
				.register(this.meterRegistry.get());
			// listeners that are stopped have none that are free
			workers("delay.queue.workers", queue,
					(status) -> status.running() ? Math.max(0, status.concurrency() - status.active()) : 0)
				.description("Workers for handlers of the queue, on this instance")
				.tag("state", "free")
				.register(this.meterRegistry.get());
		}
		if (!this.perQueue.test("delay.queue.workers.stuck")) {
			return;
		}
		workers("delay.queue.workers.stuck", queue, ContainerStatus::stuck)
			.description("Workers kept by handlers that ignored the interrupt at their timeout")
			.register(this.meterRegistry.get());
	}

	private Gauge.Builder<?> workers(String name, String queue, ToIntFunction<ContainerStatus> figure) {
		return Gauge
			.builder(name, this.containerRegistry,
					(registry) -> registry.get()
						.getContainers()
						.stream()
						.filter((container) -> container.getQueue().equals(queue))
						.map(DelayQueueListenerContainer::status)
						.mapToInt(figure)
						.sum())
			.tag("queue", queue);
	}

	private ProducerMeters registerProducer(String queue) {
		registerQueue(queue);
		return new ProducerMeters(
				Timer.builder("delay.queue.schedule")
					.description("Time taken by calls that schedule tasks, failed ones included")
					.tag("queue", name("delay.queue.schedule", queue))
					.serviceLevelObjectives(SCHEDULE)
					.register(this.meterRegistry.get()),
				Counter.builder("delay.queue.schedule.errors")
					.description("Calls that schedule tasks and failed")
					.tag("queue", name("delay.queue.schedule.errors", queue))
					.register(this.meterRegistry.get()));
	}

	private void registerQueue(String queue) {
		if (!queue.equals(OTHER)) {
			this.queues.register(queue, this.perQueue, this.meterRegistry.get());
		}
	}

	/** Of one queue, registered once so that no event looks them up. */
	private record ProducerMeters(Timer schedule, Counter errors) {

	}

}
