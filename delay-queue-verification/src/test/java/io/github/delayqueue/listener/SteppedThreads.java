package io.github.delayqueue.listener;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/**
 * Threads of containers that are those of a race: each takes what is to be done now, one
 * step after the other. Time stands still unless somebody sets it.
 */
final class SteppedThreads implements ContainerThreads, ContainerThreads.Calls {

	/** Nothing that is due only after so long is done. */
	static final Duration FOR_EVER = Duration.ofHours(1);

	private static final int MOST = 64;

	private final Step[] steps = new Step[MOST];

	private int scheduled;

	private volatile long now;

	@Override
	public synchronized Future<?> schedule(Runnable step, Duration delay) {
		Step scheduled = new Step(step, delay.toNanos());
		this.steps[this.scheduled++] = scheduled;
		return scheduled;
	}

	private synchronized @Nullable Step take(long most) {
		for (int i = 0; i < this.scheduled; i++) {
			Step step = this.steps[i];
			if (!step.taken && step.delay <= most) {
				step.taken = true;
				return step;
			}
		}
		return null;
	}

	/** Do what is due now, and what becomes due by that. */
	void runDue() {
		for (Step step = take(0); step != null; step = take(0)) {
			step.run();
		}
	}

	/** Do so many steps, those that are due later as well. */
	void runAny(int most) {
		for (int i = 0; i < most; i++) {
			Step step = take(FOR_EVER.toNanos() - 1);
			if (step != null) {
				step.run();
			}
		}
	}

	void setTime(long now) {
		this.now = now;
	}

	@Override
	public boolean handOver(Runnable call, boolean suspect) {
		return false;
	}

	@Override
	public Calls claims(String containerId, String source) {
		return this;
	}

	@Override
	public Calls extensions() {
		return this;
	}

	@Override
	public Calls settlements() {
		return this;
	}

	@Override
	public Calls watch() {
		return this;
	}

	@Override
	public boolean beside(Runnable calls) {
		return false;
	}

	@Override
	public Executor handlers() {
		return (work) -> schedule(work, FOR_EVER);
	}

	@Override
	public long nanoTime() {
		return this.now;
	}

	@Override
	public void shutdown() {
	}

	private static final class Step implements Future<Void> {

		private final Runnable step;

		private final long delay;

		private boolean taken;

		private volatile boolean cancelled;

		Step(Runnable step, long delay) {
			this.step = step;
			this.delay = delay;
		}

		/** As of a timer that fires, it may come too late to cancel it. */
		void run() {
			if (!this.cancelled) {
				this.step.run();
			}
		}

		@Override
		public boolean cancel(boolean mayInterruptIfRunning) {
			this.cancelled = true;
			return true;
		}

		@Override
		public boolean isCancelled() {
			return this.cancelled;
		}

		@Override
		public boolean isDone() {
			return this.cancelled;
		}

		@Override
		public Void get() {
			throw new UnsupportedOperationException();
		}

		@Override
		public Void get(long timeout, TimeUnit unit) {
			throw new UnsupportedOperationException();
		}

	}

}
