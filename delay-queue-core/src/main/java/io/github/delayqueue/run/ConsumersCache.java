package io.github.delayqueue.run;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopInfrastructureBean;

import io.github.delayqueue.StoreUnavailableException;
import io.github.delayqueue.store.TaskStore;

/**
 * Knows who consumes what, for health, endpoint, dashboard and meters of this instance.
 * The traces of many instances with many queues cost the store much. So they are read at
 * most once a second, and so seldom that all instances together take at most a twentieth
 * of the store's time for it. For wiring. Thread-safe.
 */
public final class ConsumersCache implements AopInfrastructureBean {

	/** For how long a reading is good at least. */
	static final Duration LEAST = Duration.ofSeconds(1);

	/** Of the store's time, for all instances. */
	private static final int ONE_PART_OF = 20;

	/** What it takes Redis to read a character of a trace, measured and rounded up. */
	static final int NANOS_PER_CHARACTER = 5;

	private final TaskStore store;

	private final LongSupplier nanoTime;

	private final AtomicReference<@Nullable Reading> latest = new AtomicReference<>();

	/** Create a cache that goes by the clock of the machine. */
	public ConsumersCache(TaskStore store) {
		this(store, System::nanoTime);
	}

	/** Create a cache that goes by another monotonic clock. */
	public ConsumersCache(TaskStore store, LongSupplier nanoTime) {
		this.store = store;
		this.nanoTime = nanoTime;
	}

	/**
	 * Ask the store, unless it has been asked a short time ago. That it did not answer is
	 * remembered as well.
	 * @return who consumes what; empty if the store keeps no traces
	 * @throws io.github.delayqueue.DelayQueueException if it does not answer
	 */
	public Optional<Consumers> get() {
		Reading reading = this.latest.get();
		while (reading == null || reading.isOld()) {
			Reading next = new Reading();
			if (this.latest.compareAndSet(reading, next)) {
				next.run();
				return next.await();
			}
			reading = this.latest.get();
		}
		return reading.await();
	}

	/** One that goes on is shared by all who come meanwhile. */
	private final class Reading {

		private final FutureTask<Optional<Consumers>> answer = new FutureTask<>(
				() -> Consumers.read(ConsumersCache.this.store));

		private long readAt;

		private long goodForNanos = LEAST.toNanos();

		/** Whether the two above are set. */
		private volatile boolean read;

		void run() {
			this.answer.run();
			try {
				await().ifPresent((consumers) -> this.goodForNanos = Math.max(this.goodForNanos, nanos(consumers)));
			}
			catch (RuntimeException ex) {
				// thrown again to each who asks
			}
			finally {
				this.readAt = ConsumersCache.this.nanoTime.getAsLong();
				this.read = true;
			}
		}

		private static long nanos(Consumers consumers) {
			long alive = consumers.instances().stream().filter(Consumers.Instance::alive).count();
			return ONE_PART_OF * alive * NANOS_PER_CHARACTER * consumers.characters();
		}

		boolean isOld() {
			return this.read && ConsumersCache.this.nanoTime.getAsLong() - this.readAt >= this.goodForNanos;
		}

		Optional<Consumers> await() {
			try {
				return this.answer.get();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				throw new StoreUnavailableException(null, null, "Interrupted while waiting for traces of instances",
						ex);
			}
			catch (ExecutionException ex) {
				if (ex.getCause() instanceof Error error) {
					throw error;
				}
				throw (RuntimeException) ex.getCause();
			}
		}

	}

}
