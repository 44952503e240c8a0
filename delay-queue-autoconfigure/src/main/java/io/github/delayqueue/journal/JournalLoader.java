package io.github.delayqueue.journal;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

import io.github.delayqueue.Names;
import io.github.delayqueue.event.TaskEvents;
import io.github.delayqueue.store.Partitions;

/**
 * Gives the tasks of the journal to the store when their time comes, and again if the
 * store has lost them. Every instance has one, with a thread of its own; they share the
 * work. Public for wiring. Thread-safe; can be started again after it was stopped.
 */
public final class JournalLoader implements SmartLifecycle {

	/** Starts before consumers and stops after them. */
	public static final int PHASE = 50;

	private static final Logger logger = LoggerFactory.getLogger(JournalLoader.class);

	private static final Duration MARK_INTERVAL = Duration.ofMillis(500);

	private static final Duration STOP_TIMEOUT = Duration.ofSeconds(10);

	private final JournaledTaskStore store;

	private final TaskEvents events;

	private final Map<String, Loading> queues = new HashMap<>();

	/** Queues whose last round failed. */
	private final Set<String> failing = new TreeSet<>();

	private @Nullable ScheduledExecutorService executor;

	/**
	 * Create a loader.
	 * @param store the store with the journal
	 * @param events whom to tell what was restored
	 */
	public JournalLoader(JournaledTaskStore store, TaskEvents events) {
		this.store = store;
		this.events = events;
	}

	@Override
	public synchronized void start() {
		if (this.executor != null) {
			return;
		}
		CustomizableThreadFactory threads = new CustomizableThreadFactory("delay-queue-journal-");
		threads.setDaemon(true);
		// one thread each for rounds, marks, what callers have committed, and what they
		// write ahead
		this.executor = Executors.newScheduledThreadPool(4, threads);
		this.store.handOver().start(this.executor);
		this.store.writesAhead().start(this.executor);
		long interval = this.store.journal().loadInterval().toNanos();
		this.executor.scheduleWithFixedDelay(this::round, 0, interval, TimeUnit.NANOSECONDS);
		this.executor.scheduleWithFixedDelay(() -> mark(this.store.marks()::flushDue), MARK_INTERVAL.toNanos(),
				MARK_INTERVAL.toNanos(), TimeUnit.NANOSECONDS);
	}

	@Override
	public synchronized void stop() {
		ScheduledExecutorService executor = this.executor;
		if (executor == null) {
			return;
		}
		this.executor = null;
		this.store.writesAhead().stop();
		this.store.handOver().stop();
		executor.shutdown();
		try {
			if (!executor.awaitTermination(STOP_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
				executor.shutdownNow();
			}
		}
		catch (InterruptedException ex) {
			executor.shutdownNow();
			Thread.currentThread().interrupt();
		}
		this.store.handOver().abandon();
		mark(this.store.marks()::flush);
	}

	@Override
	public synchronized boolean isRunning() {
		return this.executor != null;
	}

	@Override
	public int getPhase() {
		return PHASE;
	}

	private void mark(Runnable flush) {
		try {
			flush.run();
		}
		catch (Throwable ex) {
			logger.debug("Tasks could not be marked as handed over", ex);
		}
	}

	/** Nothing may end it: without it tasks of the journal are not delivered. */
	private void round() {
		try {
			for (String queue : queues()) {
				round(queue);
			}
		}
		catch (Throwable ex) {
			failed("", ex);
		}
	}

	private Set<String> queues() {
		Set<String> queues = new TreeSet<>(this.store.used());
		for (String partition : this.store.transactions()
			.read("", () -> this.store.table().loader().partitionNames())) {
			String queue = Partitions.queue(partition);
			if (this.store.isJournaled(queue)) {
				queues.add(queue);
			}
		}
		succeeded("");
		return queues;
	}

	private void round(String queue) {
		try {
			this.queues.computeIfAbsent(queue, (name) -> new Loading(name, this.store, this.events)).round();
			succeeded(queue);
		}
		catch (RuntimeException | Error ex) {
			failed(queue, ex);
		}
	}

	private void succeeded(String queue) {
		if (this.failing.remove(queue)) {
			logger.info("The journal{} is loaded again", of(queue));
		}
	}

	private void failed(String queue, Throwable error) {
		if (this.failing.add(queue)) {
			logger.warn("The journal{} could not be loaded; it will be tried again every {} ms: {}", of(queue),
					this.store.journal().loadInterval().toMillis(), Names.printable(error));
		}
		logger.debug("Where the journal{} could not be loaded", of(queue), error);
	}

	private static String of(String queue) {
		return queue.isEmpty() ? "" : " of queue '" + queue + "'";
	}

}
