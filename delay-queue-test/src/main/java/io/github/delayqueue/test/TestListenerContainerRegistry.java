package io.github.delayqueue.test;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopInfrastructureBean;

import io.github.delayqueue.Names;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.checks.ListenerChecks;
import io.github.delayqueue.convert.TaskCodec;
import io.github.delayqueue.deadletter.DeadLetterMovers;
import io.github.delayqueue.event.TaskEvents;
import io.github.delayqueue.fleet.Fleet;
import io.github.delayqueue.interceptors.Interceptors;
import io.github.delayqueue.interrupts.CancelInterrupts;
import io.github.delayqueue.lastchance.LastChanceGuard;
import io.github.delayqueue.listener.DefaultListenerContainerRegistry;
import io.github.delayqueue.listener.DelayQueueListenerContainer;
import io.github.delayqueue.listener.DelayQueueListenerEndpoint;
import io.github.delayqueue.options.QueueOptions;
import io.github.delayqueue.recurring.ListenerTasks;
import io.github.delayqueue.retention.Housekeeping;
import io.github.delayqueue.roles.Contents;
import io.github.delayqueue.roles.QueueView;
import io.github.delayqueue.store.StoredTask;
import io.github.delayqueue.store.TaskStore;

/**
 * The listeners of a test, with their handlers looked at. A step claims, handles and
 * settles on the calling thread, one at a time.
 */
final class TestListenerContainerRegistry extends DefaultListenerContainerRegistry implements AopInfrastructureBean {

	/** Nobody polls, so nobody can be too late for it. */
	private static final Duration NO_POLLS = Duration.ofDays(36_500);

	private static final Comparator<StoredTask> BY_TURN = Comparator.comparing(StoredTask::at)
		.thenComparing(StoredTask::priority);

	private final DrivenTaskStore store;

	private final DrivenThreads threads;

	private final Function<String, QueueOptions> settings;

	private final Duration patience;

	private final DeliveryRecorder deliveries;

	private final DeadLetterMovers deadLetters;

	private final ListenerTasks ownTasks;

	private final Map<String, DelayQueueListenerEndpoint> endpoints = new ConcurrentHashMap<>();

	TestListenerContainerRegistry(TaskStore store, TaskCodec codec, TaskEvents events,
			Function<String, QueueOptions> settings, Duration patience, DeliveryRecorder deliveries, Clock clock,
			Interceptors interceptors) {
		this(new DrivenTaskStore(store), codec, events, settings.andThen(TestListenerContainerRegistry::withoutPolls),
				patience, deliveries, new DrivenThreads(clock), new DeadLetterMovers(), new ListenerTasks(),
				interceptors);
	}

	private TestListenerContainerRegistry(DrivenTaskStore store, TaskCodec codec, TaskEvents events,
			Function<String, QueueOptions> settings, Duration patience, DeliveryRecorder deliveries,
			DrivenThreads threads, DeadLetterMovers deadLetters, ListenerTasks ownTasks, Interceptors interceptors) {
		super(store, codec, events, settings, threads,
				List.of(new Fleet("", "", Duration.ZERO), deadLetters, ownTasks, new Housekeeping(),
						new LastChanceGuard(), new ListenerChecks(), interceptors, new CancelInterrupts(),
						deliveries.onlooker()));
		this.deadLetters = deadLetters;
		this.ownTasks = ownTasks;
		this.store = store;
		this.threads = threads;
		this.settings = settings;
		this.patience = patience;
		this.deliveries = deliveries;
	}

	private static QueueOptions withoutPolls(QueueOptions settings) {
		return settings.toBuilder().pollInterval(NO_POLLS).build();
	}

	@Override
	public DelayQueueListenerContainer register(DelayQueueListenerEndpoint endpoint) {
		DelayQueueListenerContainer container = super.register(endpoint);
		this.endpoints.put(endpoint.id(), endpoint);
		return container;
	}

	/** How many tasks a step has handled; if none, when to take another, if ever. */
	record Step(int tasks, @Nullable Duration next) {

	}

	/**
	 * Deliver what comes next of what is due now: one task, or one batch. Of all queues
	 * with a running listener it is the one whose earliest task is due first, then the
	 * one whose task has the higher priority. If the thread is interrupted while a
	 * handler runs, it still is when this returns, unless the handler's time was over.
	 */
	Step step() {
		this.deadLetters.move();
		Duration next = null;
		int before = this.deliveries.count();
		for (DelayQueueListenerContainer container : inTurn()) {
			for (String partition : this.store.sources(container.getQueue())) {
				this.store.begin(batchSize(container));
				this.threads.tell(container.getId(), partition);
				List<String> taskIds = this.store.taskIds();
				if (!taskIds.isEmpty()) {
					await(container, taskIds);
					if (this.deliveries.forgetInterruption(before)) {
						Thread.currentThread().interrupt();
					}
					return new Step(taskIds.size(), null);
				}
				Duration wakeIn = this.store.wakeIn();
				next = (next == null || (wakeIn != null && wakeIn.compareTo(next) < 0)) ? wakeIn : next;
			}
		}
		return new Step(0, next);
	}

	private int batchSize(DelayQueueListenerContainer container) {
		DelayQueueListenerEndpoint endpoint = Objects.requireNonNull(this.endpoints.get(container.getId()));
		return endpoint.options().own().withDefaults(this.settings.apply(container.getQueue())).batchSize();
	}

	/** The running containers; those whose queue is empty last. */
	private List<DelayQueueListenerContainer> inTurn() {
		List<DelayQueueListenerContainer> running = new ArrayList<>(getContainers());
		running.removeIf((container) -> !container.isRunning());
		if (running.size() > 1) {
			Map<String, StoredTask> heads = new HashMap<>();
			for (DelayQueueListenerContainer container : running) {
				String queue = container.getQueue();
				QueueView.of(this.store)
					.list(queue, TaskState.SCHEDULED, 0, 1, Contents.NONE)
					.forEach((head) -> heads.put(queue, head));
			}
			running.sort(Comparator.comparing((container) -> heads.get(container.getQueue()),
					Comparator.nullsLast(BY_TURN)));
		}
		return running;
	}

	private void await(DelayQueueListenerContainer container, List<String> taskIds) {
		if (!this.threads.await(this::isIdle, this.patience)) {
			if (Thread.currentThread().isInterrupted()) {
				throw new IllegalStateException("Interrupted while listener '" + container.getId() + "' was at work");
			}
			throw new IllegalStateException("Listener '" + container.getId() + "' has not ended within "
					+ Names.printable(this.patience) + ": " + taskIds.stream().map(Names::printable).toList()
					+ ". Its handler returned a CompletionStage that was not completed, or the store cannot "
					+ "be told how it ended");
		}
	}

	void registerOwnTasks(Predicate<String> ids) {
		this.ownTasks.register(ids);
	}

	/** Let those that wait for their time begin anew, by the clock as it is now. */
	void renewOwnTasks(BiPredicate<String, String> which) {
		Set<String> begun = new HashSet<>();
		for (DelayQueueListenerContainer container : getContainers()) {
			String queue = container.getQueue();
			String id = container.getId();
			if (container.isRunning() && this.endpoints.get(container.getId()).options().recurrence() != null
					&& which.test(queue, id)
					&& this.store.find(queue, id).filter((task) -> task.state() == TaskState.SCHEDULED).isPresent()
					&& this.store.cancel(queue, id)) {
				begun.add(id);
			}
		}
		registerOwnTasks(begun::contains);
	}

}
