package io.github.delayqueue.journal;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;

/**
 * Lets threads do something at the same time.
 */
final class Concurrently {

	private static final long TIMEOUT_SECONDS = 300;

	private Concurrently() {
	}

	/**
	 * Run something on several threads that begin together.
	 * @param <T> what comes of it
	 * @param threads how many
	 * @param action what to run, given the number of the thread
	 * @return what came of each
	 */
	static <T> List<T> run(int threads, IntFunction<Callable<T>> action) {
		ExecutorService executor = Executors.newFixedThreadPool(threads);
		try {
			CyclicBarrier start = new CyclicBarrier(threads);
			List<Future<T>> futures = new ArrayList<>();
			for (int i = 0; i < threads; i++) {
				Callable<T> callable = action.apply(i);
				futures.add(executor.submit(() -> {
					meet(start);
					return callable.call();
				}));
			}
			List<T> results = new ArrayList<>();
			for (Future<T> future : futures) {
				results.add(future.get(TIMEOUT_SECONDS, TimeUnit.SECONDS));
			}
			return results;
		}
		catch (ExecutionException | TimeoutException ex) {
			throw new IllegalStateException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
		finally {
			executor.shutdownNow();
		}
	}

	/**
	 * Wait until all have come so far.
	 * @param barrier where they meet
	 */
	static void meet(CyclicBarrier barrier) {
		try {
			barrier.await(TIMEOUT_SECONDS, TimeUnit.SECONDS);
		}
		catch (BrokenBarrierException | TimeoutException ex) {
			throw new IllegalStateException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

}
