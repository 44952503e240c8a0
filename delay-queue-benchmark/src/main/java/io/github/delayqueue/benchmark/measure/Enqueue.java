package io.github.delayqueue.benchmark.measure;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

import io.github.delayqueue.benchmark.BenchTask;
import io.github.delayqueue.benchmark.Producer;

/**
 * The ways to enqueue a list of tasks.
 */
enum Enqueue {

	/** One call for each, by one thread. */
	ONE_THREAD {

		@Override
		int run(Producer producer, List<BenchTask> tasks, long deadlineNanos) {
			int done = 0;
			for (BenchTask task : tasks) {
				if (System.nanoTime() > deadlineNanos) {
					break;
				}
				producer.schedule(task);
				done++;
			}
			return done;
		}

	},

	/** One call for each, by 16 threads. */
	THREADS {

		@Override
		int run(Producer producer, List<BenchTask> tasks, long deadlineNanos) {
			return byThreads((thread) -> ONE_THREAD.run(producer,
					tasks.subList(thread * tasks.size() / THREAD_COUNT, (thread + 1) * tasks.size() / THREAD_COUNT),
					deadlineNanos));
		}

	},

	/** One call for all. */
	BULK {

		@Override
		int run(Producer producer, List<BenchTask> tasks, long deadlineNanos) {
			producer.scheduleAll(tasks);
			return tasks.size();
		}

	};

	static final int THREAD_COUNT = 16;

	/**
	 * Enqueue.
	 * @param producer the system's
	 * @param tasks what to enqueue
	 * @param deadlineNanos when to stop
	 * @return how many have been accepted
	 */
	abstract int run(Producer producer, List<BenchTask> tasks, long deadlineNanos);

	/**
	 * Work by {@value #THREAD_COUNT} threads that begin together.
	 * @param work is given the number of the thread, and says how many it has done
	 * @return how many all have done
	 */
	static int byThreads(IntUnaryOperator work) {
		ExecutorService threads = Executors.newFixedThreadPool(THREAD_COUNT);
		try {
			List<Callable<Integer>> parts = IntStream.range(0, THREAD_COUNT)
				.mapToObj((thread) -> (Callable<Integer>) () -> work.applyAsInt(thread))
				.toList();
			int done = 0;
			for (Future<Integer> part : threads.invokeAll(parts)) {
				done += part.get();
			}
			return done;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException(ex.getCause());
		}
		finally {
			threads.shutdown();
		}
	}

}
