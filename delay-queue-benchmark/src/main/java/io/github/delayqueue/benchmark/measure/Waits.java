package io.github.delayqueue.benchmark.measure;

import java.time.Duration;
import java.util.function.BooleanSupplier;

import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/**
 * Waits for what can be awaited, and pauses where the pause is what is measured.
 */
final class Waits {

	private Waits() {
	}

	/**
	 * Wait for a condition, on the calling thread.
	 * @param untilMillis until when at most, in milliseconds since the epoch
	 * @param intervalMillis how long to wait before the condition is looked at once more
	 * @param condition the condition, looked at at least once
	 * @return whether it came to be
	 */
	static boolean until(long untilMillis, long intervalMillis, BooleanSupplier condition) {
		if (condition.getAsBoolean()) {
			return true;
		}
		long rest = untilMillis - System.currentTimeMillis();
		if (rest <= intervalMillis) {
			pause(Math.max(0, rest));
			return condition.getAsBoolean();
		}
		try {
			Duration interval = Duration.ofMillis(intervalMillis);
			Awaitility.await()
				.pollInSameThread()
				// threads of the systems that are measured are none of ours
				.dontCatchUncaughtExceptions()
				.pollDelay(interval)
				.pollInterval(interval)
				.atMost(Duration.ofMillis(rest))
				.until(condition::getAsBoolean);
			return true;
		}
		catch (ConditionTimeoutException ex) {
			return false;
		}
	}

	/**
	 * Let time pass, because it has to: while somebody is watched, or works.
	 * @param millis how long
	 * @throws IllegalStateException if the thread is interrupted
	 */
	static void pause(long millis) {
		try {
			Thread.sleep(millis);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while time passes", ex);
		}
	}

}
