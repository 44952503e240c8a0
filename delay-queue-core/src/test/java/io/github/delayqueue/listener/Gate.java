package io.github.delayqueue.listener;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.delayqueue.testsupport.Patience;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Where handlers wait until a test lets them go on.
 */
public final class Gate {

	private final CountDownLatch open = new CountDownLatch(1);

	private final AtomicInteger entered = new AtomicInteger();

	private final AtomicInteger inside = new AtomicInteger();

	/**
	 * Wait until the gate is open.
	 * @return done
	 * @throws InterruptedException if interrupted
	 */
	public TaskResult pass() throws InterruptedException {
		this.entered.incrementAndGet();
		this.inside.incrementAndGet();
		try {
			if (!this.open.await(2 * Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)) {
				throw new IllegalStateException("Nobody has opened the gate");
			}
		}
		finally {
			this.inside.decrementAndGet();
		}
		return TaskResult.done();
	}

	/** Wait until the gate is open, whatever interrupts it. */
	public void passUninterrupted() {
		this.entered.incrementAndGet();
		while (this.open.getCount() > 0) {
			try {
				this.open.await();
			}
			catch (InterruptedException ex) {
				// a handler that takes no notice
			}
		}
	}

	public void open() {
		this.open.countDown();
	}

	/** How often it has been entered. */
	public int entered() {
		return this.entered.get();
	}

	/** How many wait now. */
	public int waiting() {
		return this.inside.get();
	}

	/** Wait until somebody lets a step of a store go on. */
	public static void waitFor(CountDownLatch latch) {
		try {
			assertThat(latch.await(1, TimeUnit.MINUTES)).isTrue();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

}
