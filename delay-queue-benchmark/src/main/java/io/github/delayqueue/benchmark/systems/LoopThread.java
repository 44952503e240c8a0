package io.github.delayqueue.benchmark.systems;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import io.github.delayqueue.benchmark.QueueSystem;

/**
 * A thread that takes what is due again and again until nothing is, and then waits.
 */
final class LoopThread implements QueueSystem.Consumption {

	private final BooleanSupplier step;

	private final long pauseMillis;

	private final Runnable cleanUp;

	private final Thread thread;

	private final CountDownLatch stopped = new CountDownLatch(1);

	/**
	 * Start to loop.
	 * @param step takes and handles some tasks, and says whether to go on at once
	 * @param pauseMillis how long to wait otherwise
	 * @param cleanUp called once the loop has ended
	 */
	LoopThread(BooleanSupplier step, long pauseMillis, Runnable cleanUp) {
		this.step = step;
		this.pauseMillis = pauseMillis;
		this.cleanUp = cleanUp;
		this.thread = new Thread(this::loop, "consumer");
		this.thread.start();
	}

	private void loop() {
		try {
			boolean goOn = true;
			while (!this.stopped.await(goOn ? 0 : this.pauseMillis, TimeUnit.MILLISECONDS)) {
				goOn = this.step.getAsBoolean();
			}
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException("Nobody interrupts this thread", ex);
		}
	}

	@Override
	public void close() {
		this.stopped.countDown();
		try {
			this.thread.join();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		this.cleanUp.run();
	}

}
