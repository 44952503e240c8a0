package io.github.delayqueue.journal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

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

	private static final int MOST_THREADS = 64;

	private final JournaledTaskStore store;

	private final TaskEvents events;

	private final Map<String, Loading> queues = new ConcurrentHashMap<>();

	private final JournalLooks looks;

	/** Queues whose last round failed. */
	private final Set<String> failing = ConcurrentHashMap.newKeySet();

	/** Queues with something that waits or is under way. */
	private final Set<String> underWay = ConcurrentHashMap.newKeySet();

	private final Queue<QueueWork> waiting = new ConcurrentLinkedQueue<>();

	private final AtomicInteger running = new AtomicInteger();

	private @Nullable ScheduledExecutorService timer;

	private @Nullable ExecutorService threads;

	public JournalLoader(JournaledTaskStore store, TaskEvents events) {
		this.store = store;
		this.events = events;
		this.looks = new JournalLooks(store.parts());
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
		this.timer.scheduleWithFixedDelay(() -> round(threads), 0, interval().toNanos(), TimeUnit.NANOSECONDS);
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
		leaveToOthers();
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
			begin(found, threads);
		}
		catch (Throwable ex) {
			outcome("", ex);
		}
	}

	private boolean isLoaded(String queue) {
		return this.store.isJournaled(queue) && !this.underWay.contains(queue);
	}

	private Loading loading(String queue) {
		return this.queues.computeIfAbsent(queue, (name) -> new Loading(name, this.store.parts(), this.events));
	}

	/**
	 * Use as few threads as can be: one does all while nothing takes long. Queues whose
	 * store does not answer keep no others waiting, as each look begins another thread,
	 * and more if something was left by the one before.
	 */
	private void begin(List<QueueWork> found, Executor threads) {
		int more = this.waiting.isEmpty() ? 1 : this.running.get() + 1;
		found.forEach((work) -> this.underWay.add(work.queue()));
		this.waiting.addAll(found);
		for (int i = 0; i < more && !this.waiting.isEmpty() && this.running.get() < MOST_THREADS; i++) {
			startThread(threads);
		}
	}

	/** Let others look at what has not been begun. */
	private void leaveToOthers() {
		List<RememberedEpoch> left = new ArrayList<>();
		for (QueueWork work = this.waiting.poll(); work != null; work = this.waiting.poll()) {
			this.underWay.remove(work.queue());
			left.addAll(work.claimed());
		}
		this.looks.giveBack(left, new CancellationException());
	}

	private void startThread(Executor threads) {
		this.running.incrementAndGet();
		try {
			threads.execute(this::run);
		}
		catch (RejectedExecutionException ex) {
			this.running.decrementAndGet();
			leaveToOthers();
		}
		catch (RuntimeException | Error ex) {
			this.running.decrementAndGet();
			throw ex;
		}
	}

	private void run() {
		List<RememberedEpoch> renewed = new ArrayList<>();
		try {
			for (QueueWork work = this.waiting.poll(); work != null; work = this.waiting.poll()) {
				run(work, renewed);
			}
			renew(renewed);
		}
		finally {
			this.running.decrementAndGet();
		}
	}

	private void run(QueueWork work, List<RememberedEpoch> renewed) {
		try {
			loading(work.queue()).work(work, renewed::add, () -> renew(renewed));
			outcome(work.queue(), null);
		}
		catch (RuntimeException | Error ex) {
			List<RememberedEpoch> left = new ArrayList<>(work.claimed());
			left.removeAll(renewed);
			this.looks.giveBack(left, ex);
			outcome(work.queue(), ex);
		}
		finally {
			this.underWay.remove(work.queue());
		}
	}

	/** What fails here is claimed by somebody after some seconds. */
	private void renew(List<RememberedEpoch> renewed) {
		if (renewed.isEmpty()) {
			return;
		}
		List<RememberedEpoch> all = List.copyOf(renewed);
		renewed.clear();
		try {
			this.looks.renew(all);
			outcome("", null);
		}
		catch (RuntimeException | Error ex) {
			this.looks.giveBack(all, ex);
			outcome("", ex);
		}
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
