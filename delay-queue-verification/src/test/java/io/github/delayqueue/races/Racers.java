package io.github.delayqueue.races;

/**
 * Threads that do something at the same time.
 */
public final class Racers {

	private Racers() {
	}

	/** Let each have a thread, and wait for all. */
	public static void race(Runnable... racers) {
		Thread[] threads = new Thread[racers.length];
		Throwable[] errors = new Throwable[racers.length];
		for (int i = 0; i < racers.length; i++) {
			int number = i;
			threads[i] = new Thread(() -> {
				try {
					racers[number].run();
				}
				catch (Throwable ex) {
					errors[number] = ex;
				}
			});
		}
		for (Thread thread : threads) {
			thread.start();
		}
		for (int i = 0; i < racers.length; i++) {
			join(threads[i]);
			if (errors[i] != null) {
				throw new AssertionError("A thread has failed: " + errors[i], errors[i]);
			}
		}
	}

	private static void join(Thread thread) {
		try {
			thread.join();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * What has to be true when all have ended. Says so at once if it is not: the checker
	 * runs it all again before it does, to show the order.
	 * @param otherwise a rule, a colon and what is wrong
	 */
	public static void require(boolean condition, String otherwise) {
		if (!condition) {
			System.out.println(otherwise);
			throw new AssertionError(otherwise);
		}
	}

}
