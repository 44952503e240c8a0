package io.github.delayqueue.listener;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;

/**
 * Keeps what is scheduled for a test to run, whether or not it has been cancelled: a
 * timer that has begun to fire cannot be cancelled any more.
 */
public final class ManualTimer implements ContainerThreads.Calls {

	private final List<Timer> timers = new ArrayList<>();

	private boolean rejecting;

	/** Whether no thread can be started. */
	private boolean failing;

	@Override
	public Future<?> schedule(Runnable command, Duration delay) {
		if (this.rejecting) {
			throw new RejectedExecutionException("for a test");
		}
		if (this.failing) {
			throw new OutOfMemoryError("for a test");
		}
		Timer timer = new Timer(command, delay);
		this.timers.add(timer);
		return timer;
	}

	@Override
	public boolean handOver(Runnable call, boolean suspect) {
		return false;
	}

	public void reject(boolean rejecting) {
		this.rejecting = rejecting;
	}

	public void fail(boolean failing) {
		this.failing = failing;
	}

	/** All timers there have ever been. */
	public List<Timer> timers() {
		return this.timers;
	}

	public Timer last() {
		return this.timers.get(this.timers.size() - 1);
	}

	/** How many timers are neither cancelled nor fired. */
	public long armed() {
		return this.timers.stream().filter((timer) -> !timer.cancelled && !timer.fired).count();
	}

	/** Timers that are armed and were to fire at once. */
	public List<Timer> due() {
		return this.timers.stream()
			.filter((timer) -> !timer.cancelled && !timer.fired && timer.delay.toNanos() <= 0)
			.toList();
	}

	public static final class Timer extends FutureTask<Void> {

		private final Runnable command;

		private final Duration delay;

		private final long armedAt = System.nanoTime();

		private boolean cancelled;

		private boolean fired;

		private Timer(Runnable command, Duration delay) {
			super(command, null);
			this.command = command;
			this.delay = delay;
		}

		/** Fire, as far as this test is concerned too late to be cancelled. */
		public void fire() {
			this.fired = true;
			this.command.run();
		}

		public boolean isArmed() {
			return !this.cancelled && !this.fired;
		}

		public Duration delay() {
			return this.delay;
		}

		/**
		 * How long after an instant it is to fire at the latest.
		 * @param since the instant, of the local monotonic clock
		 * @return the time, longer by what it took to arm it
		 */
		public Duration after(long since) {
			return this.delay.plusNanos(this.armedAt - since);
		}

		@Override
		public boolean cancel(boolean mayInterruptIfRunning) {
			this.cancelled = true;
			return true;
		}

	}

}
