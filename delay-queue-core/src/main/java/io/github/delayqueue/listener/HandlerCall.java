package io.github.delayqueue.listener;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

import io.github.delayqueue.Names;
import io.github.delayqueue.event.CurrentHandler;
import io.github.delayqueue.options.FailureLogging;
import io.github.delayqueue.options.QueueOptions;

/**
 * One call of a handler. Whoever ends it first, the handler or the time-out, has ended it
 * for good; only a thread that is still in the handler is interrupted.
 */
final class HandlerCall {

	private static final Logger logger = LoggerFactory.getLogger(HandlerCall.class);

	/** How long a handler may take to notice that it was interrupted. */
	static final Duration NOTICE = Duration.ofSeconds(10);

	private final List<HeldTask> tasks;

	private final QueueOptions options;

	private final LongSupplier nanoTime;

	private final long startedAt;

	private final CompletableFuture<List<TaskResult>> result = new CompletableFuture<>();

	private @Nullable Thread thread;

	/** The handler has returned and goes on elsewhere. */
	private boolean asynchronous;

	private @Nullable TimeoutException timedOut;

	private long timedOutAt;

	private boolean interrupted;

	private boolean foundStuck;

	private boolean foundEndingTheJvm;

	/** The handler has closed the application it runs in. */
	private volatile boolean closing;

	HandlerCall(List<HeldTask> tasks, QueueOptions options, LongSupplier nanoTime) {
		this.tasks = tasks;
		this.options = options;
		this.nanoTime = nanoTime;
		this.startedAt = nanoTime.getAsLong();
	}

	/** Of its tasks, as they can be printed. */
	List<String> ids() {
		return this.tasks.stream().map((task) -> Names.printable(task.id())).toList();
	}

	int size() {
		return this.tasks.size();
	}

	/** Completes with the handler's results, or exceptionally with why it failed. */
	CompletableFuture<List<TaskResult>> result() {
		return this.result;
	}

	/** Call the handler on this thread, which is left as it was. */
	void run(DeliveryHandler handler, List<Delivery<?>> deliveries) {
		ThreadState before = ThreadState.current();
		try {
			call(handler, deliveries);
		}
		finally {
			before.restore();
		}
	}

	private void call(DeliveryHandler handler, List<Delivery<?>> deliveries) {
		synchronized (this) {
			this.thread = Thread.currentThread();
			if (this.interrupted) {
				this.thread.interrupt();
			}
		}
		CompletionStage<List<TaskResult>> stage = null;
		Throwable error = null;
		BiConsumer<String, String> outer = CurrentHandler.enter(this::replaced);
		try {
			stage = handler.handle(deliveries);
		}
		catch (Throwable ex) {
			error = ex;
		}
		finally {
			CurrentHandler.exit(outer);
		}
		synchronized (this) {
			this.thread = null;
			// whoever interrupted the handler did not mean the next one
			Thread.interrupted();
			if (this.timedOut != null) {
				error = this.timedOut;
			}
		}
		if (error != null) {
			fail(error);
		}
		else if (stage == null) {
			fail(new IllegalStateException("The handler returned no CompletionStage"));
		}
		else {
			follow(stage);
			synchronized (this) {
				this.asynchronous = true;
			}
		}
	}

	/** Interrupt the handler, also if it is only now about to begin. */
	synchronized void interrupt() {
		this.interrupted = true;
		if (this.thread != null) {
			this.thread.interrupt();
		}
	}

	private void replaced(String queue, String taskId) {
		for (HeldTask task : this.tasks) {
			if (task.id().equals(taskId) && task.queue().equals(queue)) {
				task.replacedByItsHandler();
			}
		}
	}

	/** Stages and lists may be of the application's own make. */
	private void follow(CompletionStage<List<TaskResult>> stage) {
		try {
			stage.whenComplete((results, error) -> {
				try {
					complete(results, error);
				}
				catch (Throwable ex) {
					fail(ex);
				}
			});
		}
		catch (Throwable ex) {
			fail(ex);
		}
	}

	private void fail(Throwable error) {
		if (!this.result.completeExceptionally(error)) {
			reportAfterClosing(error);
		}
	}

	private void complete(@Nullable List<TaskResult> results, @Nullable Throwable error) {
		if (error != null) {
			Throwable cause = (error instanceof CompletionException && error.getCause() != null) ? error.getCause()
					: error;
			fail(cause);
		}
		else if (results == null || results.size() != this.tasks.size()) {
			fail(new IllegalStateException("The handler answered " + ((results != null) ? results.size() : "no")
					+ " results for " + this.tasks.size() + " tasks"));
		}
		else if (!this.result.complete(new ArrayList<>(results))
				&& !results.stream().allMatch(TaskResult.Done.class::isInstance)) {
			reportAfterClosing(null);
		}
	}

	/**
	 * End the call because its handler, on this thread, closes the application: when it
	 * returns nothing can be settled any more. Closing it is the last that the handler is
	 * expected to do, so it has done its work.
	 */
	void endAsClosing() {
		this.closing = true;
		this.result.complete(new ArrayList<>(Collections.nCopies(this.tasks.size(), TaskResult.done())));
	}

	private void reportAfterClosing(@Nullable Throwable error) {
		if (this.closing) {
			boolean full = this.options.logFailures() == FailureLogging.FULL;
			logger.error(
					"A handler has closed the application it runs in, which settled its tasks as done, and failed "
							+ "after that ({}); they are not retried: {}",
					(error != null) ? error.getClass().getName() : "without an exception", ids(), full ? error : null);
		}
	}

	/**
	 * End the call if its time is over: its leases are not extended any more, a thread in
	 * the handler is interrupted and the call ends with it, an asynchronous one ends now.
	 */
	void endIfOverdue(long now) {
		if (now - this.startedAt < this.options.handlerTimeout().toNanos() || this.result.isDone()) {
			return;
		}
		synchronized (this) {
			// neither in the handler nor waiting for its stage: it is just returning
			if (this.timedOut != null || (this.thread == null && !this.asynchronous)) {
				return;
			}
			this.timedOut = new TimeoutException("The handler did not end within its timeout of "
					+ Names.printable(this.options.handlerTimeout()) + " (listener.handler-timeout)");
			this.timedOutAt = now;
			this.tasks.forEach(HeldTask::stopRenewing);
			if (this.thread != null) {
				this.thread.interrupt();
			}
			else {
				this.result.completeExceptionally(this.timedOut);
			}
		}
	}

	/**
	 * Whether it is found for the first time that the handler was interrupted and took no
	 * notice. Its worker is occupied then until it ends, and nobody can change that.
	 */
	synchronized boolean isFoundStuck(long now) {
		if (this.foundStuck || this.timedOut == null || this.thread == null
				|| now - this.timedOutAt < NOTICE.toNanos()) {
			return false;
		}
		this.foundStuck = true;
		return true;
	}

	/** Whether the handler was found stuck, and still is. */
	synchronized boolean isStuck() {
		return this.foundStuck && this.thread != null;
	}

	/** Whether the current thread is in the handler. */
	synchronized boolean isOnCurrentThread() {
		return this.thread == Thread.currentThread();
	}

	/**
	 * Whether it is found for the first time that the handler ends the JVM:
	 * {@code System.exit} does not return.
	 */
	synchronized boolean isFoundEndingTheJvm() {
		if (this.foundEndingTheJvm || this.thread == null) {
			return false;
		}
		this.foundEndingTheJvm = Arrays.stream(this.thread.getStackTrace())
			.anyMatch((frame) -> frame.getClassName().equals("java.lang.Runtime")
					&& frame.getMethodName().equals("exit"));
		return this.foundEndingTheJvm;
	}

	/** Whether it returns only after the application has ended. */
	synchronized boolean isWaitingForTheEnd() {
		return this.foundEndingTheJvm || isOnCurrentThread();
	}

	long startedAt() {
		return this.startedAt;
	}

	Duration elapsed() {
		return Duration.ofNanos(this.nanoTime.getAsLong() - this.startedAt);
	}

	/** What a handler leaves on its thread, and the next one must not find. */
	record ThreadState(@Nullable Map<String, String> logged, @Nullable ClassLoader classLoader) {

		static ThreadState current() {
			return new ThreadState(MDC.getCopyOfContextMap(), Thread.currentThread().getContextClassLoader());
		}

		void restore() {
			if (this.logged != null) {
				MDC.setContextMap(this.logged);
			}
			else {
				MDC.clear();
			}
			Thread thread = Thread.currentThread();
			if (thread.getContextClassLoader() != this.classLoader) {
				thread.setContextClassLoader(this.classLoader);
			}
		}

	}

}
