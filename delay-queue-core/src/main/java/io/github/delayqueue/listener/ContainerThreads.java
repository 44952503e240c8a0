package io.github.delayqueue.listener;

import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * The threads and clocks of containers. These and the store are their only ways out, so
 * the implementation decides what happens when: an application has pools of threads, its
 * tests may have one thread and a clock that stands still. For wiring.
 */
public interface ContainerThreads {

	/**
	 * So many claims, and as many settlements, are made beside those that a source has
	 * under way anyway. Redis sends the answers when it has carried out all calls that it
	 * found waiting: with fewer of them it has nothing to do while answers are read.
	 */
	int CALLS_BESIDE = 2;

	/** Timers of one kind of calls to the store, and the threads that make them. */
	interface Calls {

		/**
		 * Run something later.
		 * @param step what to run; short, throws nothing
		 * @param delay after what time, zero or negative for now
		 * @throws java.util.concurrent.RejectedExecutionException if the application ends
		 */
		Future<?> schedule(Runnable step, Duration delay);

		/**
		 * Hand a call to the store over to another thread, if this one must not wait for
		 * an answer.
		 * @param call the call; throws nothing
		 * @param suspect whether it will probably fail, and take as long as it can
		 * @return whether it is made; else the caller makes it
		 */
		boolean handOver(Runnable call, boolean suspect);

	}

	/** For the claims of a container. */
	Calls claims(String containerId, String source);

	/**
	 * For extensions of leases, and the look at handlers whose time is over. Nobody has
	 * to hear that they end with the application.
	 */
	Calls extensions();

	/** For settlements. */
	Calls settlements();

	/**
	 * For what protects tasks, which waits behind no work: the look at other instances,
	 * the trace of this one and its last word. Nobody has to hear that they end with the
	 * application.
	 */
	Calls watch();

	/**
	 * Make calls that can be done without, beside others: not if no thread is left for
	 * them.
	 * @param calls the calls; throws nothing
	 * @return whether they are made
	 */
	boolean beside(Runnable calls);

	/** The threads of handlers. */
	Executor handlers();

	/**
	 * Wait for a condition in real time, without a lock that workers would have to take.
	 * @param time for how long at most; no longer if the thread is interrupted, which it
	 * stays
	 * @return whether it has come true
	 */
	default boolean await(BooleanSupplier condition, Duration time) {
		long begun = System.nanoTime();
		while (!condition.getAsBoolean()) {
			long waited = System.nanoTime() - begun;
			if (waited >= time.toNanos() || Thread.currentThread().isInterrupted()) {
				return false;
			}
			// a condition may look at the stacks of many threads
			LockSupport.parkNanos(Math.max(1_000_000, Math.min(waited, 5_000_000)));
		}
		return true;
	}

	/** The local monotonic clock, in nanoseconds. */
	default long nanoTime() {
		return System.nanoTime();
	}

	/** The same for what limits handlers: how long one has run. */
	default long handlerNanoTime() {
		return nanoTime();
	}

	/** The time of day: for when a listener's own task is due first, and for figures. */
	default Clock clock() {
		return Clock.systemUTC();
	}

	/**
	 * A random number from 0 to 1, for what must not happen at the same time everywhere.
	 */
	default double random() {
		return ThreadLocalRandom.current().nextDouble();
	}

	/** Start the threads without which what has been claimed could not go on. */
	default void prestart() {
	}

	/** All containers have ended. */
	void shutdown();

}
