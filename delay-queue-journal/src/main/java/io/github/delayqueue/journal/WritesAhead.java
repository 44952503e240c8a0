package io.github.delayqueue.journal;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.util.ReflectionUtils;

/**
 * Executes a write on another thread, so that a caller who has many tasks can prepare and
 * write the next ones meanwhile. One at a time: callers who come while one is under way
 * execute theirs themselves. Thread-safe.
 */
final class WritesAhead {

	private final Semaphore free = new Semaphore(1);

	private final Supplier<@Nullable Executor> executor;

	/**
	 * Create, with nothing under way.
	 * @param executor has a thread, always; {@code null} for none
	 */
	WritesAhead(Supplier<@Nullable Executor> executor) {
		this.executor = executor;
	}

	/**
	 * Begin a write, or execute it at once.
	 * @return waits for the answer; throws what the write throws
	 */
	<T> Supplier<T> write(Supplier<T> write) {
		Executor executor = this.executor.get();
		if (executor != null && this.free.tryAcquire()) {
			try {
				CompletableFuture<T> outcome = CompletableFuture.supplyAsync(write, executor);
				outcome.whenComplete((answer, ex) -> this.free.release());
				return () -> await(outcome);
			}
			catch (RejectedExecutionException ex) {
				// it is being stopped
				this.free.release();
			}
		}
		T answer = write.get();
		return () -> answer;
	}

	/** Not to be interrupted, as the statement would not be either. */
	private static <T> T await(CompletableFuture<T> outcome) {
		try {
			return outcome.join();
		}
		catch (CompletionException ex) {
			ReflectionUtils.rethrowRuntimeException(ex.getCause());
			throw ex;
		}
	}

}
