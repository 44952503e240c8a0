package io.github.delayqueue.metrics;

import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
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
import io.github.delayqueue.store.TaskStore;

/**
 * The meters of the delay queue, each tagged with the {@code queue}; what one says is in
 * its description. From the store, the same on all instances: {@code delay.queue.tasks},
 * {@code tasks.ahead}, {@code oldest.due.age}, {@code paused}, {@code events} and those
 * of {@link QueueGauges}. All others are of this instance.
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

	private static final Duration[] LATENESS = { Duration.ofMillis(10), Duration.ofMillis(100), Duration.ofSeconds(1),
			Duration.ofSeconds(10), Duration.ofMinutes(1), Duration.ofMinutes(10) };

	private static final Duration[] PROCESS = { Duration.ofMillis(10), Duration.ofMillis(100), Duration.ofSeconds(1),
			Duration.ofSeconds(10), Duration.ofMinutes(1) };

	private static final Logger logger = LoggerFactory.getLogger(DelayQueueMetrics.class);

	private final Supplier<MeterRegistry> meterRegistry;

	private final Supplier<DelayQueueListenerContainerRegistry> containerRegistry;

	private final StatsCache stats;

	private final Set<String> queues = ConcurrentHashMap.newKeySet();

	private final Map<String, ConsumerMeters> consumers = new ConcurrentHashMap<>();

	private final Map<String, ProducerMeters> producers = new ConcurrentHashMap<>();

	private final AtomicBoolean tooMany = new AtomicBoolean();

	private volatile Predicate<String> perQueue = (meter) -> true;

	private volatile Supplier<List<QueueGauges>> gauges = List::of;

	/**
	 * Create the meters in the application's registry, for its containers. It is asked
	 * for both when all beans exist: with the first event, or once it has started.
	 * @param store what the gauges read
	 * @param clock how old figures are told by
	 */
	public DelayQueueMetrics(BeanFactory beanFactory, TaskStore store, Clock clock) {
		this.meterRegistry = SingletonSupplier.of(() -> beanFactory.getBean(MeterRegistry.class));
		this.containerRegistry = () -> beanFactory.getBean(DelayQueueListenerContainerRegistry.class);
		this.stats = new StatsCache(store, clock);
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

	/**
	 * Set where further gauges of each queue come from. To be called before the first
	 * event.
	 */
	public void setGauges(Supplier<List<QueueGauges>> gauges) {
		this.gauges = gauges;
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
		Map<DeliveryOutcome, Timer> process = new EnumMap<>(DeliveryOutcome.class);
		for (DeliveryOutcome outcome : DeliveryOutcome.values()) {
			process.put(outcome, timer("delay.queue.process", "Time taken by handlers", queue, PROCESS, "outcome",
					outcome.name().toLowerCase(Locale.ROOT)));
		}
		String claims = "Claims that Redis answered";
		return new ConsumerMeters(
				timer("delay.queue.lateness", "Time from the due time of tasks to the start of their handler", queue,
						LATENESS),
				process, counter("delay.queue.claims", claims, queue, "result", "tasks"),
				counter("delay.queue.claims", claims, queue, "result", "empty"),
				counter("delay.queue.poll.errors", "Claims that failed", queue), counter("delay.queue.taken.over",
						"Tasks in flight whose instance was gone, as this instance found", queue));
	}

	private ProducerMeters registerProducer(String queue) {
		registerQueue(queue);
		return new ProducerMeters(
				timer("delay.queue.schedule", "Time taken by calls that schedule tasks, failed ones included", queue,
						SCHEDULE),
				counter("delay.queue.schedule.errors", "Calls that schedule tasks and failed", queue));
	}

	private Timer timer(String name, String description, String queue, Duration[] bounds, String... tags) {
		return Timer.builder(name)
			.description(description)
			.tag("queue", this.perQueue.test(name) ? queue : OTHER)
			.tags(tags)
			.serviceLevelObjectives(bounds)
			.register(this.meterRegistry.get());
	}

	private Counter counter(String name, String description, String queue, String... tags) {
		return Counter.builder(name)
			.description(description)
			.tag("queue", this.perQueue.test(name) ? queue : OTHER)
			.tags(tags)
			.register(this.meterRegistry.get());
	}

	private void registerWorkers(String queue) {
		String workers = "Workers for handlers of the queue, on this instance";
		gauge("delay.queue.workers", workers, queue, ContainerStatus::active, "state", "busy");
		// listeners that are stopped have none that are free
		gauge("delay.queue.workers", workers, queue,
				(status) -> status.running() ? Math.max(0, status.concurrency() - status.active()) : 0, "state",
				"free");
		gauge("delay.queue.workers.stuck", "Workers kept by handlers that ignored the interrupt at their timeout",
				queue, ContainerStatus::stuck);
	}

	private void gauge(String name, String description, String queue, ToIntFunction<ContainerStatus> figure,
			String... tags) {
		if (this.perQueue.test(name)) {
			Gauge
				.builder(name, this.containerRegistry,
						(registry) -> registry.get()
							.getContainers()
							.stream()
							.filter((container) -> container.getQueue().equals(queue))
							.map(DelayQueueListenerContainer::status)
							.mapToInt(figure)
							.sum())
				.description(description)
				.tag("queue", queue)
				.tags(tags)
				.register(this.meterRegistry.get());
		}
	}

	private void registerQueue(String queue) {
		if (!queue.equals(OTHER) && this.queues.size() < MAX_QUEUES && this.queues.add(queue)) {
			new QueueMeters(queue, this.stats, this.perQueue, this.meterRegistry.get())
				.register(this.gauges.get().stream().flatMap((part) -> part.all().stream()).toList());
		}
	}

	/** Registered once so that no event looks them up. */
	private record ConsumerMeters(Timer lateness, Map<DeliveryOutcome, Timer> process, Counter claimsWithTasks,
			Counter emptyClaims, Counter pollErrors, Counter takenOver) {

	}

	private record ProducerMeters(Timer schedule, Counter errors) {

	}

}
