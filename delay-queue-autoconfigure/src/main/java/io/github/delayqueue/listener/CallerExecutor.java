package io.github.delayqueue.listener;

import java.util.concurrent.Delayed;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Runs what is to be run now on the thread of the caller, and only what is to be run
 * later on one of its own.
 */
final class CallerExecutor extends ScheduledThreadPoolExecutor {

	CallerExecutor(String namePrefix) {
		super(1, ContainerThreads.daemons(namePrefix));
	}

	@Override
	public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
		if (delay > 0) {
			return super.schedule(command, delay, unit);
		}
		Now now = new Now(command);
		now.run();
		return now;
	}

	private static final class Now extends FutureTask<Void> implements ScheduledFuture<Void> {

		Now(Runnable command) {
			super(command, null);
		}

		@Override
		public long getDelay(TimeUnit unit) {
			return 0;
		}

		@Override
		public int compareTo(Delayed other) {
			return Long.compare(0, other.getDelay(TimeUnit.NANOSECONDS));
		}

	}

}
