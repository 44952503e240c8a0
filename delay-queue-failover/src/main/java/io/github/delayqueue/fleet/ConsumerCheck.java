package io.github.delayqueue.fleet;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.store.TaskStore;

/**
 * Says once of each queue that tasks are scheduled in that nobody has consumed it: its
 * name may be misspelt.
 */
final class ConsumerCheck {

	private static final Logger logger = LoggerFactory.getLogger(ConsumerCheck.class);

	/** Who starts may schedule before its listeners have asked for tasks. */
	static final Duration GRACE = Duration.ofSeconds(30);

	private static final Duration TICK = Duration.ofMillis(500);

	/** Of so many queues it is remembered that nothing has to be asked any more. */
	static final int MAX_QUEUES = 10_000;

	private final TaskStore store;

	private final LongSupplier nanoTime;

	private final long startedAt;

	private final Set<String> settled = ConcurrentHashMap.newKeySet();

	private final Set<String> waiting = ConcurrentHashMap.newKeySet();

	private final AtomicReference<@Nullable Thread> asking = new AtomicReference<>();

	ConsumerCheck(TaskStore store, LongSupplier nanoTime) {
		this.store = store;
		this.nanoTime = nanoTime;
		this.startedAt = nanoTime.getAsLong();
	}

	/** Called once a minute at most. It is judged when the time to start is over. */
	void check(String queue) {
		if (this.settled.contains(queue) || this.settled.size() >= MAX_QUEUES) {
			return;
		}
		if (this.waiting.size() < MAX_QUEUES) {
			this.waiting.add(queue);
		}
		Thread asking = new Thread(this::ask, "delay-queue-consumers");
		if (this.asking.compareAndSet(null, asking)) {
			asking.setDaemon(true);
			try {
				asking.start();
			}
			catch (OutOfMemoryError ex) {
				// no thread is left for it; the tasks are stored, and their caller is to
				// be told so
				this.asking.set(null);
				logger.debug("The consumers of queue '{}' are looked up later", queue, ex);
			}
		}
	}

	/** The application ends: no thread waits to ask any more. */
	void end() {
		Thread asking = this.asking.get();
		if (asking != null) {
			asking.interrupt();
		}
	}

	/** Once more if another queue has come meanwhile. */
	private void ask() {
		Thread self = Thread.currentThread();
		for (long left = graceLeft(); left > 0 && !self.isInterrupted(); left = graceLeft()) {
			LockSupport.parkNanos(Math.min(left, TICK.toNanos()));
		}
		boolean answered;
		do {
			answered = !self.isInterrupted() && judge();
			this.asking.set(null);
		}
		while (answered && !this.waiting.isEmpty() && this.asking.compareAndSet(null, self));
	}

	private long graceLeft() {
		return GRACE.toNanos() - (this.nanoTime.getAsLong() - this.startedAt);
	}

	private boolean judge() {
		try {
			Consumers consumers = Consumers.read(this.store).orElse(null);
			for (String queue : this.waiting) {
				this.waiting.remove(queue);
				if (this.settled.add(queue) && consumers != null && !consumers.everOf(queue)) {
					logger.warn("Tasks are scheduled in queue '{}', but no instance is known to have consumed it. They "
							+ "wait until one does: is the name right?", queue);
				}
			}
			return true;
		}
		catch (RuntimeException | Error ex) {
			logger.debug("The consumers of queues {} could not be looked up; their tasks are not affected",
					this.waiting, ex);
			return false;
		}
	}

}
