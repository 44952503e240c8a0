package io.github.delayqueue.listener;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Delayed;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Keeps what is scheduled for a test to run, whether or not it has been cancelled: a
 * timer that has begun to fire cannot be cancelled any more.
 */
final class ManualTimer extends ScheduledThreadPoolExecutor {

	private final List<Timer> timers = new ArrayList<>();

	private boolean rejecting;

	ManualTimer() {
		super(0);
	}

	@Override
	public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
		if (this.rejecting) {
			throw new RejectedExecutionException("for a test");
		}
		Timer timer = new Timer(command, Duration.ofNanos(unit.toNanos(delay)));
		this.timers.add(timer);
		return timer;
	}

	void reject(boolean rejecting) {
		this.rejecting = rejecting;
	}

	/** All timers there have ever been. */
	List<Timer> timers() {
		return this.timers;
	}

	Timer last() {
		return this.timers.get(this.timers.size() - 1);
	}

	/** How many timers are neither cancelled nor fired. */
	long armed() {
		return this.timers.stream().filter((timer) -> !timer.cancelled && !timer.fired).count();
	}

	/** Timers that are armed and were to fire at once. */
	List<Timer> due() {
		return this.timers.stream()
			.filter((timer) -> !timer.cancelled && !timer.fired && timer.delay.toNanos() <= 0)
			.toList();
	}

	static final class Timer extends FutureTask<Void> implements ScheduledFuture<Void> {

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
		void fire() {
			this.fired = true;
			this.command.run();
		}

		Duration delay() {
			return this.delay;
		}

		/**
		 * How long after an instant it is to fire at the latest.
		 * @param since the instant, of the local monotonic clock
		 * @return the time, longer by what it took to arm it
		 */
		Duration after(long since) {
			return this.delay.plusNanos(this.armedAt - since);
		}

		@Override
		public boolean cancel(boolean mayInterruptIfRunning) {
			this.cancelled = true;
			return true;
		}

		@Override
		public long getDelay(TimeUnit unit) {
			return unit.convert(this.delay);
		}

		@Override
		public int compareTo(Delayed other) {
			return Long.compare(getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
		}

	}

}
