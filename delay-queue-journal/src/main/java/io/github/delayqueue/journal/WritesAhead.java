package io.github.delayqueue.journal;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * Executes a write on another thread, so that a caller who has many tasks can prepare and
 * write the next ones meanwhile. One at a time: callers who come while one is under way
 * execute theirs themselves. Thread-safe.
 */
final class WritesAhead {

	private final Semaphore free = new Semaphore(1);

	private final Supplier<@Nullable Executor> executor;

	/**
	 * Nothing is written yet.
	 * @param executor has a thread, always; {@code null} for none
	 */
	WritesAhead(Supplier<@Nullable Executor> executor) {
		this.executor = executor;
	}

	/**
	 * Begin a write, or execute it at once.
	 * @param write the write, which is executed once
	 * @return waits for the answer; throws what the write throws
	 */
	<T> Supplier<T> write(Supplier<T> write) {
		Executor executor = this.executor.get();
		if (executor != null && this.free.tryAcquire()) {
			CompletableFuture<T> answer = new CompletableFuture<>();
			answer.whenComplete((done, error) -> this.free.release());
			try {
				answer.completeAsync(write, executor);
				return () -> await(answer);
			}
			catch (RejectedExecutionException ex) {
				// it is being stopped
				answer.cancel(false);
			}
		}
		T answer = write.get();
		return () -> answer;
	}

	/** Not to be interrupted, as the statement would not be either. */
	private static <T> T await(CompletableFuture<T> answer) {
		try {
			return answer.join();
		}
		catch (CompletionException ex) {
			if (ex.getCause() instanceof RuntimeException cause) {
				throw cause;
			}
			if (ex.getCause() instanceof Error cause) {
				throw cause;
			}
			throw ex;
		}
	}

}
