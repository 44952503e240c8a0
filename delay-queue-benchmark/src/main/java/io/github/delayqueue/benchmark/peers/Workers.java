package io.github.delayqueue.benchmark.peers;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.github.delayqueue.benchmark.QueueSystem;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Threads that repeat a step until they are stopped. A step that fails is logged and
 * repeated after a moment.
 */
public final class Workers implements QueueSystem.Consumption {

	private static final Logger logger = LoggerFactory.getLogger(Workers.class);

	private static final Duration AFTER_FAILURE = Duration.ofMillis(100);

	private static final Duration STOP = Duration.ofSeconds(10);

	/** What a worker does again and again. */
	@FunctionalInterface
	public interface Step {

		/**
		 * Do it once.
		 * @return how long to wait before the next time
		 * @throws Exception if it failed
		 */
		Duration run() throws Exception;

	}

	private final List<Thread> threads = new ArrayList<>();

	private final AutoCloseable resource;

	private final CountDownLatch stopping = new CountDownLatch(1);

	/**
	 * No threads yet.
	 * @param resource what they use, closed after they have ended
	 */
	public Workers(AutoCloseable resource) {
		this.resource = resource;
	}

	/**
	 * Start one more thread.
	 * @param name its name
	 * @param step what it does
	 */
	public void add(String name, Step step) {
		Thread thread = new Thread(() -> loop(step), name);
		thread.setDaemon(true);
		this.threads.add(thread);
		thread.start();
	}

	private void loop(Step step) {
		try {
			Duration pause = Duration.ZERO;
			while (!isStopping(pause)) {
				pause = run(step);
			}
		}
		catch (InterruptedException ex) {
			logger.debug("Interrupted, because it is to stop");
		}
	}

	private Duration run(Step step) throws InterruptedException {
		try {
			return step.run();
		}
		catch (InterruptedException ex) {
			throw ex;
		}
		catch (Exception ex) {
			if (!isStopping(Duration.ZERO)) {
				logger.warn("Failed, will be repeated", ex);
			}
			return AFTER_FAILURE;
		}
	}

	private boolean isStopping(Duration within) throws InterruptedException {
		return this.stopping.await(within.toNanos(), TimeUnit.NANOSECONDS);
	}

	@Override
	public void close() {
		this.stopping.countDown();
		this.threads.forEach(Thread::interrupt);
		this.threads.forEach(Workers::join);
		try {
			this.resource.close();
		}
		catch (Exception ex) {
			throw new IllegalStateException("Cannot close what the workers used", ex);
		}
	}

	private static void join(Thread thread) {
		try {
			thread.join(STOP.toMillis());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while threads end", ex);
		}
		if (thread.isAlive()) {
			throw new IllegalStateException(thread.getName() + " does not end");
		}
	}

}
