package io.github.delayqueue.metrics;

import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.util.function.SingletonSupplier;

import io.github.delayqueue.TaskFailure;
import io.github.delayqueue.event.DeliveryOutcome;
import io.github.delayqueue.event.TaskEventListener;
import io.github.delayqueue.listener.DelayQueueListenerContainerRegistry;
import io.github.delayqueue.store.TaskStore;

/**
 * The meters of the delay queue, each tagged with the {@code queue}:
 * <ul>
 * <li>{@code delay.queue.tasks}, a gauge for each {@code state} of the queues that this
 * instance consumes or schedules to, the same on all instances;</li>
 * <li>{@code delay.queue.lateness}, a timer: for how long tasks were due when their
 * handler was called;</li>
 * <li>{@code delay.queue.process}, a timer of handlers by {@code outcome}: success,
 * retry, dead or stale;</li>
 * <li>{@code delay.queue.schedule}, a timer of calls that schedule tasks, failed calls
 * included;</li>
 * <li>{@code delay.queue.claims}, a counter of claims that were answered, by
 * {@code result}: tasks or empty;</li>
 * <li>{@code delay.queue.poll.errors}, a counter of claims that failed.</li>
 * </ul>
 * The meters of a queue that annotated methods consume are there once the application has
 * started; those of other queues with their first task.
 * <p>
 * Public for applications that create it themselves. Thread-safe. Never throws because
 * the store cannot be reached: gauges are not a number then.
 */
public class DelayQueueMetrics implements TaskEventListener, ApplicationListener<ContextRefreshedEvent> {

	private final Supplier<MeterRegistry> meterRegistry;

	private final Supplier<DelayQueueListenerContainerRegistry> containerRegistry;

	private final TaskGauges gauges;

	private final Map<String, ConsumerMeters> consumers = new ConcurrentHashMap<>();

	private final Map<String, Timer> schedules = new ConcurrentHashMap<>();

	/**
	 * Create the meters.
	 * @param meterRegistry where to register them; called with the first event, when all
	 * beans exist and the registry is configured
	 * @param containerRegistry whose queues to measure; called when the context has
	 * started
	 * @param store what the gauges read
	 * @param clock how old figures are told by
	 */
	public DelayQueueMetrics(Supplier<MeterRegistry> meterRegistry,
			Supplier<DelayQueueListenerContainerRegistry> containerRegistry, TaskStore store, Clock clock) {
		this.meterRegistry = meterRegistry;
		this.containerRegistry = containerRegistry;
		this.gauges = new TaskGauges(new StatsCache(store, clock));
	}

	/**
	 * Create the meters in the application's registry.
	 * @param beanFactory has the meter registry and the registry of containers
	 * @param store what the gauges read
	 * @param clock how old figures are told by
	 */
	public DelayQueueMetrics(BeanFactory beanFactory, TaskStore store, Clock clock) {
		this(SingletonSupplier.of(() -> beanFactory.getBean(MeterRegistry.class)),
				() -> beanFactory.getBean(DelayQueueListenerContainerRegistry.class), store, clock);
	}

	@Override
	public void onApplicationEvent(ContextRefreshedEvent event) {
		this.containerRegistry.get().getContainers().forEach((container) -> consumer(container.getQueue()));
	}

	@Override
	public void onSchedule(String queue, int accepted, Duration took, @Nullable Throwable error) {
		schedule(queue).record(took);
	}

	@Override
	public void onStart(String queue, String taskId, Duration lateness) {
		consumer(queue).started(lateness);
	}

	@Override
	public void onEnd(String queue, String taskId, DeliveryOutcome outcome, Duration took,
			@Nullable TaskFailure failure) {
		consumer(queue).ended(outcome, took);
	}

	@Override
	public void onClaim(String queue, int tasks) {
		consumer(queue).claimed(tasks);
	}

	@Override
	public void onPollError(String queue, Throwable error) {
		consumer(queue).pollFailed();
	}

	private ConsumerMeters consumer(String queue) {
		ConsumerMeters meters = this.consumers.get(queue);
		return (meters != null) ? meters : this.consumers.computeIfAbsent(queue, this::registerConsumer);
	}

	private ConsumerMeters registerConsumer(String queue) {
		this.gauges.register(queue, this.meterRegistry.get());
		return new ConsumerMeters(queue, this.meterRegistry.get());
	}

	private Timer schedule(String queue) {
		Timer timer = this.schedules.get(queue);
		return (timer != null) ? timer : this.schedules.computeIfAbsent(queue, this::registerSchedule);
	}

	private Timer registerSchedule(String queue) {
		this.gauges.register(queue, this.meterRegistry.get());
		return Timer.builder("delay.queue.schedule")
			.description("Time taken by calls that schedule tasks")
			.tag("queue", queue)
			.register(this.meterRegistry.get());
	}

}
