package io.github.delayqueue.listener;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * Threads of containers for a test that fires timers itself, and is the only thread.
 */
public class ManualThreads implements ContainerThreads {

	public final ManualTimer claims = new ManualTimer();

	public final ManualTimer extensions = new ManualTimer();

	public final ManualTimer watch = new ManualTimer();

	final Calls settlements;

	Executor handlers = Runnable::run;

	private final Predicate<Runnable> beside;

	public ManualThreads() {
		this(new ManualTimer(), (calls) -> false);
	}

	public ManualThreads(Calls settlements, Predicate<Runnable> beside) {
		this.settlements = settlements;
		this.beside = beside;
	}

	@Override
	public Calls claims(String containerId, String partition) {
		return this.claims;
	}

	@Override
	public Calls extensions() {
		return this.extensions;
	}

	@Override
	public Calls settlements() {
		return this.settlements;
	}

	@Override
	public Calls watch() {
		return this.watch;
	}

	@Override
	public boolean beside(Runnable calls) {
		return this.beside.test(calls);
	}

	@Override
	public Executor handlers() {
		return (worker) -> this.handlers.execute(worker);
	}

	@Override
	public boolean await(BooleanSupplier condition, Duration time) {
		return condition.getAsBoolean();
	}

	@Override
	public double random() {
		return 1;
	}

	@Override
	public void shutdown() {
	}

}
