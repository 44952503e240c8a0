package io.github.delayqueue.simulation;

import java.lang.reflect.Type;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.DelayedTask;
import io.github.delayqueue.Recurrence;
import io.github.delayqueue.convert.TaskCodec;
import io.github.delayqueue.deadletter.DeadLetterMovers;
import io.github.delayqueue.event.TaskEvents;
import io.github.delayqueue.faults.FaultyHandlers;
import io.github.delayqueue.faults.SettlementLog;
import io.github.delayqueue.faults.SuiteSettings;
import io.github.delayqueue.faults.Work;
import io.github.delayqueue.fleet.Fleet;
import io.github.delayqueue.journal.SimulatedJournal.Database;
import io.github.delayqueue.journal.SimulatedJournal;
import io.github.delayqueue.lastchance.LastChanceGuard;
import io.github.delayqueue.listener.DefaultListenerContainerRegistry;
import io.github.delayqueue.listener.DelayQueueListenerEndpoint;
import io.github.delayqueue.listener.Delivery;
import io.github.delayqueue.listener.DeliveryHandler;
import io.github.delayqueue.listener.ListenerOptions;
import io.github.delayqueue.listener.TaskResult;
import io.github.delayqueue.lostclaims.LostClaimRelease;
import io.github.delayqueue.recurring.ListenerTasks;
import io.github.delayqueue.retention.Housekeeping;
import io.github.delayqueue.standin.StandIns;
import io.github.delayqueue.store.TaskStore;

/**
 * A process that consumes all queues, with the handlers of the fault suite.
 */
final class Consumer {

	static final Duration OWN_PERIOD = Duration.ofSeconds(97);

	/** Shorter than leases: those of an instance that died are taken over. */
	private static final Duration INSTANCE_TIMEOUT = Duration.ofSeconds(1);

	/** One in so many handlers returns before it has ended. */
	private static final int LATER_EVERY = 3;

	private final Instance instance;

	private final SimulatedStore store;

	private final @Nullable SimulatedJournal journal;

	private final DefaultListenerContainerRegistry registry;

	Consumer(Instance instance, Network network, TaskCodec codec, boolean recurring, @Nullable Database database) {
		this.instance = instance;
		this.store = new SimulatedStore(network, instance);
		CheckedScripts scripts = network.scripts();
		TaskStore redis = Settings
			.partitioned((scripts != null) ? new CountedStore(this.store, network, scripts) : this.store);
		this.journal = (database != null) ? database.open(redis, instance.clock()) : null;
		TaskStore reached = (this.journal != null) ? this.journal.store() : redis;
		this.registry = new DefaultListenerContainerRegistry(reached, codec,
				new TaskEvents(List.of(new SettlementLog(instance.log()))), Settings::of,
				new SimulatedThreads(instance),
				List.of(new Fleet("", "", INSTANCE_TIMEOUT), new DeadLetterMovers(), new ListenerTasks(),
						new LostClaimRelease(), new Housekeeping(), new StandIns(), new LastChanceGuard()));
		FaultyHandlers handlers = new FaultyHandlers(instance.log(), new SimulatedHands(this));
		register(SuiteSettings.ORDERS, Work.class, sometimesLater(one(handlers::order)), options());
		register(SuiteSettings.JOBS, Work.class, told(one(handlers::job)), options());
		register(SuiteSettings.MAILS, Work.class, sometimesLater(many(handlers::mails)),
				options().batchSize(10).concurrency(4));
		register(SuiteSettings.CLOCKS, Object.class, one(handlers::tick), options());
		if (recurring) {
			register(SuiteSettings.OWN_CLOCK, Object.class, one(handlers::tick),
					options().recurrence(Recurrence.every(OWN_PERIOD)));
		}
	}

	private static ListenerOptions.Builder options() {
		return ListenerOptions.builder();
	}

	private void register(String queue, Type type, DeliveryHandler handler, ListenerOptions.Builder options) {
		this.registry.register(new DelayQueueListenerEndpoint(queue, queue, type, handler, options.id(queue).build(),
				"handler of " + queue));
	}

	/** A handler of one task. */
	@FunctionalInterface
	private interface One<T> {

		@Nullable TaskResult handle(DelayedTask<T> task) throws Exception;

	}

	/** A handler of many. */
	@FunctionalInterface
	private interface Many<T> {

		List<TaskResult> handle(List<DelayedTask<T>> tasks) throws Exception;

	}

	private static <T> DeliveryHandler one(One<T> handler) {
		return (deliveries) -> CompletableFuture
			.completedFuture(Collections.singletonList(handler.handle(Consumer.<T>task(deliveries.get(0)))));
	}

	private static <T> DeliveryHandler many(Many<T> handler) {
		return (deliveries) -> {
			List<DelayedTask<T>> tasks = new ArrayList<>();
			deliveries.forEach((delivery) -> tasks.add(Consumer.<T>task(delivery)));
			return CompletableFuture.completedFuture(handler.handle(tasks));
		};
	}

	/** A handler that may go on when it has returned, on another thread. */
	private DeliveryHandler sometimesLater(DeliveryHandler handler) {
		return (deliveries) -> (this.instance.random().nextInt(LATER_EVERY) == 0) ? later(handler, deliveries)
				: handler.handle(deliveries);
	}

	private CompletionStage<List<TaskResult>> later(DeliveryHandler handler, List<Delivery<?>> deliveries) {
		CompletableFuture<List<TaskResult>> results = new CompletableFuture<>();
		this.instance.timeline().start(Duration.ZERO, this.instance, () -> {
			try {
				handler.handle(deliveries).thenAccept(results::complete);
			}
			catch (Exception ex) {
				results.completeExceptionally(ex);
			}
		});
		return results;
	}

	/** The store learns when a handler has ended, to see what is held. */
	private DeliveryHandler told(DeliveryHandler handler) {
		return (deliveries) -> {
			try {
				return handler.handle(deliveries);
			}
			finally {
				deliveries.forEach((delivery) -> this.store.handled(delivery.task().id()));
			}
		};
	}

	@SuppressWarnings("unchecked")
	private static <T> DelayedTask<T> task(Delivery<?> delivery) {
		return (DelayedTask<T>) delivery.task();
	}

	Instance instance() {
		return this.instance;
	}

	void start() {
		this.registry.start();
		if (this.journal != null) {
			this.instance.timeline().start(Duration.ZERO, this.instance, this::load);
		}
	}

	/** Ends with the process. */
	private void load() {
		Timeline timeline = this.instance.timeline();
		while (true) {
			this.journal.round((step) -> timeline.start(Duration.ZERO, this.instance, step));
			timeline.sleep(SimulatedJournal.LOAD_INTERVAL);
		}
	}

	/** As an application ends that is asked to. */
	void end() {
		this.registry.stop();
		this.registry.destroy();
		kill();
	}

	void kill() {
		this.instance.die();
		this.store.close();
	}

	/** What handlers do with their time, which is that of the simulation. */
	private record SimulatedHands(Consumer consumer) implements FaultyHandlers.Hands {

		private static final Duration NOTICE_EVERY = Duration.ofMillis(100);

		@Override
		public void hang(Duration duration) throws InterruptedException {
			Timeline timeline = this.consumer.instance.timeline();
			long end = timeline.now() + duration.toNanos();
			while (timeline.now() < end) {
				if (Thread.interrupted()) {
					throw new InterruptedException();
				}
				Duration left = Duration.ofNanos(end - timeline.now());
				timeline.sleep((left.compareTo(NOTICE_EVERY) < 0) ? left : NOTICE_EVERY);
			}
		}

		@Override
		public void hangDeaf(Duration duration) {
			this.consumer.instance.timeline().sleep(duration);
			Thread.interrupted();
		}

		@Override
		public void halt() {
			Instance instance = this.consumer.instance;
			instance.log().write("process-ended", instance.name(), 3);
			this.consumer.kill();
			throw new Death();
		}

	}

}
