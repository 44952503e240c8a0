package io.github.delayqueue.benchmark.measure;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.benchmark.BenchTask;
import io.github.delayqueue.benchmark.Call;
import io.github.delayqueue.benchmark.Producer;
import io.github.delayqueue.benchmark.SystemType;

/**
 * The ways to enqueue a list of tasks.
 */
enum Enqueue {

	/** One call for each, by one thread. */
	ONE_THREAD(Call.ONE) {
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
	THREADS(Call.ONE) {
		@Override
		int run(Producer producer, List<BenchTask> tasks, long deadlineNanos) {
			int[] done = new int[THREAD_COUNT];
			AtomicReference<@Nullable RuntimeException> failure = new AtomicReference<>();
			CountDownLatch finished = new CountDownLatch(THREAD_COUNT);
			for (int i = 0; i < THREAD_COUNT; i++) {
				int thread = i;
				int share = tasks.size() / THREAD_COUNT;
				List<BenchTask> part = tasks.subList(i * share,
						(i < THREAD_COUNT - 1) ? (i + 1) * share : tasks.size());
				new Thread(() -> {
					try {
						done[thread] = ONE_THREAD.run(producer, part, deadlineNanos);
					}
					catch (RuntimeException ex) {
						failure.set(ex);
					}
					finally {
						finished.countDown();
					}
				}, "producer-" + i).start();
			}
			try {
				finished.await();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				throw new IllegalStateException(ex);
			}
			RuntimeException failed = failure.get();
			if (failed != null) {
				throw failed;
			}
			return Arrays.stream(done).sum();
		}
	},

	/** One call for all. */
	BULK(Call.BULK) {
		@Override
		int run(Producer producer, List<BenchTask> tasks, long deadlineNanos) {
			producer.scheduleAll(tasks);
			return tasks.size();
		}
	},

	/** One call for each, without waiting for one before the next. */
	ASYNC(Call.ASYNC) {
		@Override
		int run(Producer producer, List<BenchTask> tasks, long deadlineNanos) {
			List<CompletableFuture<?>> calls = new ArrayList<>(tasks.size());
			for (BenchTask task : tasks) {
				if (System.nanoTime() > deadlineNanos) {
					break;
				}
				calls.add(producer.scheduleAsync(task).toCompletableFuture());
			}
			try {
				CompletableFuture.allOf(calls.toArray(CompletableFuture[]::new))
					.get(Math.max(1, deadlineNanos - System.nanoTime()), TimeUnit.NANOSECONDS);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				throw new IllegalStateException(ex);
			}
			catch (ExecutionException ex) {
				throw new IllegalStateException(ex.getCause());
			}
			catch (TimeoutException ex) {
				return (int) calls.stream().filter(CompletableFuture::isDone).count();
			}
			return calls.size();
		}
	};

	private static final int THREAD_COUNT = 16;

	private final Call call;

	Enqueue(Call call) {
		this.call = call;
	}

	boolean isPossible(SystemType type) {
		return type.calls().contains(this.call);
	}

	/**
	 * Enqueue.
	 * @param producer the system's
	 * @param tasks what to enqueue
	 * @param deadlineNanos when to stop
	 * @return how many have been accepted
	 */
	abstract int run(Producer producer, List<BenchTask> tasks, long deadlineNanos);

	/**
	 * The way to get many tasks into a system soon.
	 * @param type the system
	 * @return the best it has
	 */
	static Enqueue fastest(SystemType type) {
		return BULK.isPossible(type) ? BULK : ASYNC.isPossible(type) ? ASYNC : THREADS;
	}

}
