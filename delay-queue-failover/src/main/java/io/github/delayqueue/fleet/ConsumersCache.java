package io.github.delayqueue.fleet;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopInfrastructureBean;

import io.github.delayqueue.store.TaskStore;

/**
 * Knows who consumes what, for health, endpoint, dashboard and meters of this instance.
 * The traces of many instances with many queues cost the store much. So they are read at
 * most once a second. All instances together take at most a twentieth of the store's time
 * for it. For wiring. Thread-safe.
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

	/** Not a monitor: virtual threads wait while one reads. */
	private final ReentrantLock lock = new ReentrantLock();

	private @Nullable Supplier<Optional<Consumers>> latest;

	private long readAt;

	private long goodForNanos;

	/** Create a cache that goes by a monotonic clock. */
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
		this.lock.lock();
		try {
			if (this.latest == null || this.nanoTime.getAsLong() - this.readAt >= this.goodForNanos) {
				this.latest = read();
				this.readAt = this.nanoTime.getAsLong();
			}
			return this.latest.get();
		}
		finally {
			this.lock.unlock();
		}
	}

	private Supplier<Optional<Consumers>> read() {
		this.goodForNanos = LEAST.toNanos();
		try {
			Optional<Consumers> read = Consumers.read(this.store);
			read.ifPresent((consumers) -> this.goodForNanos = Math.max(this.goodForNanos, nanos(consumers)));
			return () -> read;
		}
		catch (RuntimeException ex) {
			return () -> {
				throw ex;
			};
		}
	}

	private static long nanos(Consumers consumers) {
		long alive = consumers.instances().stream().filter(Consumers.Instance::alive).count();
		return ONE_PART_OF * alive * NANOS_PER_CHARACTER * consumers.characters();
	}

}
