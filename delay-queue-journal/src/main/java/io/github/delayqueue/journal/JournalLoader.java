package io.github.delayqueue.journal;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.context.SmartLifecycle;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

import io.github.delayqueue.Names;
import io.github.delayqueue.event.TaskEvents;

/**
 * Gives the tasks of the journal to the store when their time comes, and again if the
 * store has lost them. Every instance has one, which looks at all queues at once; they
 * share the work. Public for wiring. Thread-safe; can be started again after it was
 * stopped.
 */
public final class JournalLoader implements SmartLifecycle, AopInfrastructureBean {

	/** Starts before consumers and stops after them. */
	public static final int PHASE = 50;

	private static final Logger logger = LoggerFactory.getLogger(JournalLoader.class);

	private static final Duration STOP_TIMEOUT = Duration.ofSeconds(10);

	private final JournaledTaskStore store;

	private final TaskEvents events;

	private final Map<String, Loading> queues = new ConcurrentHashMap<>();

	private final JournalLooks looks;

	private final LoadingThreads runners;

	/** Queues whose last round failed. */
	private final Set<String> failing = ConcurrentHashMap.newKeySet();

	private @Nullable ScheduledExecutorService timer;

	private @Nullable ExecutorService threads;

	public JournalLoader(JournaledTaskStore store, TaskEvents events) {
		this.store = store;
		this.events = events;
		this.looks = new JournalLooks(store.parts());
		this.runners = new LoadingThreads(this.looks, this::loading, this.failing::contains, this::outcome);
	}

	@Override
	public synchronized void start() {
		if (this.timer != null) {
			return;
		}
		CustomizableThreadFactory factory = new CustomizableThreadFactory("delay-queue-journal-");
		factory.setDaemon(true);
		ExecutorService threads = Executors.newCachedThreadPool(factory);
		this.threads = threads;
		this.store.parts().handOver().start(threads);
		this.timer = Executors.newSingleThreadScheduledExecutor(factory);
		long interval = interval().toNanos();
		this.timer.scheduleWithFixedDelay(() -> round(threads), 0, interval, TimeUnit.NANOSECONDS);
	}

	@Override
	public synchronized void stop() {
		if (this.timer == null || this.threads == null) {
			return;
		}
		this.timer.shutdownNow();
		this.timer = null;
		this.queues.values().forEach(Loading::stop);
		this.queues.clear();
		this.runners.stop();
		this.store.parts().handOver().stop();
		this.threads.shutdown();
		try {
			if (!this.threads.awaitTermination(STOP_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
				this.threads.shutdownNow();
			}
		}
		catch (InterruptedException ex) {
			this.threads.shutdownNow();
			Thread.currentThread().interrupt();
		}
	}

	@Override
	public synchronized boolean isRunning() {
		return this.timer != null;
	}

	@Override
	public int getPhase() {
		return PHASE;
	}

	/** Nothing may end it: without it tasks of the journal are not delivered. */
	void round(Executor threads) {
		try {
			List<QueueWork> found = this.looks.look(this.store.used(), this::isLoaded, this::loading);
			outcome("", null);
			this.runners.begin(found, threads);
		}
		catch (Throwable ex) {
			outcome("", ex);
		}
	}

	private boolean isLoaded(String queue) {
		return this.store.isJournaled(queue) && !this.runners.isUnderWay(queue);
	}

	private Loading loading(String queue) {
		return this.queues.computeIfAbsent(queue, (name) -> new Loading(name, this.store.parts(), this.events));
	}

	private void outcome(String queue, @Nullable Throwable error) {
		if (error == null) {
			if (this.failing.remove(queue)) {
				logger.info("The journal{} is loaded again", of(queue));
			}
			return;
		}
		if (this.failing.add(queue)) {
			logger.warn("The journal{} could not be loaded; it will be tried again every {} ms: {}", of(queue),
					interval().toMillis(), Names.printable(error));
		}
		logger.debug("Stack trace of the failed load of the journal{}", of(queue), error);
	}

	private Duration interval() {
		return this.store.parts().journal().loadInterval();
	}

	private static String of(String queue) {
		return queue.isEmpty() ? "" : " of queue '" + queue + "'";
	}

}
