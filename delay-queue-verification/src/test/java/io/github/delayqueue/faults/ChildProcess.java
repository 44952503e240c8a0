package io.github.delayqueue.faults;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * What consumers and producers have in common: they end when their parent is gone, and
 * write down when they could not run for a while.
 */
final class ChildProcess {

	private static final long TICK_MILLIS = 100;

	/** From here on a pause may cost leases. */
	static final long STALL_MILLIS = 700;

	private ChildProcess() {
	}

	static void watch(HistoryLog log) {
		long parent = ProcessHandle.current().parent().map(ProcessHandle::pid).orElse(0L);
		Thread thread = new Thread(() -> {
			long before = System.nanoTime();
			while (ProcessHandle.current().parent().map(ProcessHandle::pid).orElse(0L) == parent) {
				LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(TICK_MILLIS));
				long now = System.nanoTime();
				long missed = TimeUnit.NANOSECONDS.toMillis(now - before) - TICK_MILLIS;
				if (missed > STALL_MILLIS) {
					log.write("stalled", missed);
				}
				before = now;
			}
			Runtime.getRuntime().halt(1);
		}, "watch");
		thread.setDaemon(true);
		thread.setPriority(Thread.MAX_PRIORITY);
		thread.start();
	}

}
