package io.github.delayqueue.simulation;

import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;

import io.github.delayqueue.listener.ContainerThreads;

/**
 * Threads and clocks of the containers of one process.
 */
final class SimulatedThreads implements ContainerThreads {

	/** What it takes a thread to begin, at most. */
	private static final int SLOW_NANOS = 300_000;

	private static final Duration LOOK_EVERY = Duration.ofMillis(5);

	/** One in so many calls beside others finds no thread. */
	private static final int NO_THREAD_EVERY = 8;

	private final Instance instance;

	private final Timeline timeline;

	private final Calls calls = new Calls() {

		@Override
		public Future<?> schedule(Runnable step, Duration delay) {
			return SimulatedThreads.this.timeline.after(slow(delay), SimulatedThreads.this.instance, step);
		}

		@Override
		public boolean handOver(Runnable call, boolean suspect) {
			SimulatedThreads.this.timeline.start(slow(Duration.ZERO), SimulatedThreads.this.instance, call);
			return true;
		}

	};

	SimulatedThreads(Instance instance) {
		this.instance = instance;
		this.timeline = instance.timeline();
	}

	private Duration slow(Duration delay) {
		return (delay.isNegative() ? Duration.ZERO : delay).plusNanos(this.instance.random().nextInt(SLOW_NANOS));
	}

	@Override
	public Calls claims(String containerId, String partition) {
		return this.calls;
	}

	@Override
	public Calls extensions() {
		return this.calls;
	}

	@Override
	public Calls settlements() {
		return this.calls;
	}

	@Override
	public Calls watch() {
		return this.calls;
	}

	@Override
	public boolean beside(Runnable calls) {
		if (this.instance.random().nextInt(NO_THREAD_EVERY) == 0) {
			return false;
		}
		return this.calls.handOver(calls, false);
	}

	@Override
	public Executor handlers() {
		return (worker) -> this.calls.handOver(worker, false);
	}

	@Override
	public boolean await(BooleanSupplier condition, Duration time) {
		long end = this.timeline.now() + time.toNanos();
		while (!condition.getAsBoolean()) {
			if (this.timeline.now() >= end) {
				return false;
			}
			this.timeline.sleep(LOOK_EVERY);
		}
		return true;
	}

	@Override
	public long nanoTime() {
		return this.instance.nanoTime();
	}

	@Override
	public Clock clock() {
		return this.instance.clock();
	}

	@Override
	public double random() {
		return this.instance.random().nextDouble();
	}

	@Override
	public void shutdown() {
		// the process ends next
	}

}
