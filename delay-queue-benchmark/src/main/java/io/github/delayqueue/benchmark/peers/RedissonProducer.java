package io.github.delayqueue.benchmark.peers;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

import org.redisson.api.RDelayedQueue;

import io.github.delayqueue.benchmark.BenchTask;
import io.github.delayqueue.benchmark.Payloads;
import io.github.delayqueue.benchmark.Producer;

/**
 * Offers to an {@code RDelayedQueue}. It has no call for many tasks; they are offered
 * without waiting for each answer.
 */
@SuppressWarnings("deprecation") // deprecated by Redisson, in wide use all the same
final class RedissonProducer implements Producer {

	static final int WINDOW = 1000;

	private final RDelayedQueue<String> queue;

	private final Semaphore window = new Semaphore(WINDOW);

	RedissonProducer(RDelayedQueue<String> queue) {
		this.queue = queue;
	}

	@Override
	public void schedule(BenchTask task) {
		this.queue.offer(Payloads.toJsonText(task.payload()), task.delayMillis(), TimeUnit.MILLISECONDS);
	}

	@Override
	public void scheduleAll(List<BenchTask> tasks) {
		CompletableFuture<?>[] answers = tasks.stream().map(this::offer).toArray(CompletableFuture<?>[]::new);
		CompletableFuture.allOf(answers).join();
	}

	private CompletableFuture<?> offer(BenchTask task) {
		this.window.acquireUninterruptibly();
		return this.queue.offerAsync(Payloads.toJsonText(task.payload()), task.delayMillis(), TimeUnit.MILLISECONDS)
			.whenComplete((done, ex) -> this.window.release())
			.toCompletableFuture();
	}

}
