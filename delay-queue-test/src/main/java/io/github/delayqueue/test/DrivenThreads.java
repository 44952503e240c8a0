package io.github.delayqueue.test;

import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

import io.github.delayqueue.listener.ContainerThreads;

/**
 * Lets containers claim only when they are told to, and handle and settle on the thread
 * that tells them, by the clock of the test. Only what belongs to real time has it: a
 * handler whose time is over is interrupted by a thread that is there for that.
 */
final class DrivenThreads implements ContainerThreads {

	private final Clock clock;

	/** What waits to be told, by container and partition. */
	private final Map<List<String>, List<Runnable>> claims = new ConcurrentHashMap<>();

	private final ScheduledThreadPoolExecutor timers = new ScheduledThreadPoolExecutor(1, threadFactory());

	DrivenThreads(Clock clock) {
		this.clock = clock;
	}

	private static CustomizableThreadFactory threadFactory() {
		CustomizableThreadFactory threadFactory = new CustomizableThreadFactory("delay-queue-test-");
		threadFactory.setDaemon(true);
		return threadFactory;
	}

	/** A call is made on the thread that it comes on. */
	@FunctionalInterface
	private interface CallsHere extends Calls {

		@Override
		default boolean handOver(Runnable call, boolean suspect) {
			return false;
		}

	}

	/** Do what waits to be done for a container's claims, however long it would wait. */
	void tell(String containerId, String partition) {
		List.copyOf(waiting(containerId, partition)).forEach(Runnable::run);
	}

	private List<Runnable> waiting(String containerId, String partition) {
		return this.claims.computeIfAbsent(List.of(containerId, partition), (key) -> new CopyOnWriteArrayList<>());
	}

	@Override
	public Calls claims(String containerId, String partition) {
		List<Runnable> waiting = waiting(containerId, partition);
		return (CallsHere) (step, delay) -> {
			FutureTask<Void> timer = new FutureTask<>(step, null) {

				@Override
				protected void done() {
					waiting.remove(this);
				}

			};
			waiting.add(timer);
			return timer;
		};
	}

	/** In real time, for handlers whose time is over. */
	@Override
	public Calls extensions() {
		return (CallsHere) (step, delay) -> this.timers.schedule(step, delay.toNanos(), TimeUnit.NANOSECONDS);
	}

	/** Now, and again in real time what has to wait. */
	@Override
	public Calls settlements() {
		return (CallsHere) (step, delay) -> {
			if (!delay.isZero()) {
				return this.timers.schedule(step, delay.toNanos(), TimeUnit.NANOSECONDS);
			}
			step.run();
			return CompletableFuture.completedFuture(null);
		};
	}

	/** Never: nobody else looks at a test, and it looks at nobody. */
	@Override
	public Calls watch() {
		return (CallsHere) (step, delay) -> CompletableFuture.completedFuture(null);
	}

	@Override
	public boolean beside(Runnable calls) {
		calls.run();
		return true;
	}

	@Override
	public Executor handlers() {
		return Runnable::run;
	}

	/** Stands still while a handler runs. Differences are exact, whatever the date. */
	@Override
	public long nanoTime() {
		Instant now = this.clock.instant();
		return now.getEpochSecond() * TimeUnit.SECONDS.toNanos(1) + now.getNano();
	}

	@Override
	public long handlerNanoTime() {
		return System.nanoTime();
	}

	@Override
	public Clock clock() {
		return this.clock;
	}

	@Override
	public double random() {
		return 0;
	}

	@Override
	public void shutdown() {
		this.timers.shutdownNow();
	}

}
