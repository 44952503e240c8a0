package io.github.delayqueue.journal;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Executes a write on a thread of its own, so that a caller who has many tasks can
 * prepare and write the next ones meanwhile. One at a time: callers who come while one is
 * under way execute theirs themselves. Thread-safe.
 */
final class WritesAhead {

	private static final Logger logger = LoggerFactory.getLogger(WritesAhead.class);

	private final Semaphore free = new Semaphore(1);

	private volatile @Nullable Executor executor;

	/**
	 * From now on execute writes elsewhere.
	 * @param executor where
	 */
	void start(Executor executor) {
		this.executor = executor;
	}

	/**
	 * From now on callers execute their writes.
	 */
	void stop() {
		this.executor = null;
	}

	/**
	 * Begin a write, or execute it at once.
	 * @param <T> what it answers
	 * @param write the write, which is executed once
	 * @return waits for the answer; throws what the write throws. To be called in any
	 * case: who calls it executes a write that has not begun
	 */
	<T> Supplier<T> write(Supplier<T> write) {
		Executor executor = this.executor;
		if (executor == null || !this.free.tryAcquire()) {
			T answer = write.get();
			return () -> answer;
		}
		Once<T> once = new Once<>(write, this.free);
		try {
			executor.execute(once);
		}
		catch (RejectedExecutionException ex) {
			logger.trace("The journal is being stopped: whoever asks for the answer executes the write", ex);
		}
		return once;
	}

	/**
	 * A write that is executed by whoever comes first.
	 *
	 * @param <T> what it answers
	 */
	private static final class Once<T> implements Runnable, Supplier<T> {

		private final Supplier<T> write;

		private final Semaphore free;

		private final AtomicBoolean begun = new AtomicBoolean();

		private final CompletableFuture<T> answer = new CompletableFuture<>();

		Once(Supplier<T> write, Semaphore free) {
			this.write = write;
			this.free = free;
		}

		@Override
		public void run() {
			if (!this.begun.compareAndSet(false, true)) {
				return;
			}
			try {
				this.answer.complete(this.write.get());
			}
			catch (Throwable ex) {
				this.answer.completeExceptionally(ex);
			}
			finally {
				this.free.release();
			}
		}

		/** Not to be interrupted, as the statement would not be either. */
		@Override
		public T get() {
			run();
			try {
				return this.answer.join();
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

}
