package io.github.delayqueue.listener;

import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;

/**
 * The threads of an application, for a test in which handlers only seem to be slow: a
 * machine that stands still for a moment makes them release nothing, and whoever waits
 * for them waits longer.
 */
public class PatientThreads implements ContainerThreads {

	/** Soon enough for leases of half a minute. */
	private static final Duration TICK = Duration.ofSeconds(10);

	private static final int TIMES = 10;

	private final ContainerThreads threads;

	public PatientThreads(boolean virtualThreads) {
		this.threads = ListenerFixture.threads(virtualThreads);
	}

	@Override
	public Calls claims(String containerId, String partition) {
		return this.threads.claims(containerId, partition);
	}

	@Override
	public Calls extensions() {
		Calls extensions = this.threads.extensions();
		return new Calls() {

			@Override
			public Future<?> schedule(Runnable step, Duration delay) {
				return extensions.schedule(step, TICK);
			}

			@Override
			public boolean handOver(Runnable call, boolean suspect) {
				return extensions.handOver(call, suspect);
			}

		};
	}

	@Override
	public Calls settlements() {
		return this.threads.settlements();
	}

	@Override
	public Calls watch() {
		return this.threads.watch();
	}

	@Override
	public boolean beside(Runnable calls) {
		return this.threads.beside(calls);
	}

	@Override
	public Executor handlers() {
		return this.threads.handlers();
	}

	@Override
	public boolean await(BooleanSupplier condition, Duration time) {
		return this.threads.await(condition, time.multipliedBy(TIMES));
	}

	@Override
	public long nanoTime() {
		return this.threads.nanoTime();
	}

	@Override
	public Clock clock() {
		return this.threads.clock();
	}

	@Override
	public double random() {
		return this.threads.random();
	}

	@Override
	public void prestart() {
		this.threads.prestart();
	}

	@Override
	public void shutdown() {
		this.threads.shutdown();
	}

}
