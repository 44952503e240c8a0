package io.github.delayqueue.test;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import org.springframework.aop.framework.AopInfrastructureBean;

import io.github.delayqueue.Names;

/**
 * The clock of a test: it stands still until the test turns it. Turning it runs the tasks
 * that become due, one after the other, by due time and priority. Each runs at its own
 * time, on the thread of the test. Tasks that handlers schedule within that time are run
 * as well.
 * <p>
 * It is the {@link Clock} of the delay queue, and the one that application beans are
 * given where they inject a {@code Clock}. When a test method begins it shows the time it
 * is, in whole milliseconds, unless {@code delay-queue.test.start-at} says otherwise.
 * Safe to read by any thread; one at a time may turn it.
 */
public final class DelayQueueTestClock extends Clock implements AopInfrastructureBean {

	private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59.999Z");

	private final AtomicReference<Instant> now;

	private final ZoneId zone;

	private final Supplier<Driver> driver;

	/** Told when it shows another time. */
	private final List<Runnable> watchers;

	DelayQueueTestClock(Instant now, Supplier<Driver> driver) {
		this(new AtomicReference<>(now), ZoneId.of("UTC"), driver, new CopyOnWriteArrayList<>());
	}

	private DelayQueueTestClock(AtomicReference<Instant> now, ZoneId zone, Supplier<Driver> driver,
			List<Runnable> watchers) {
		this.now = now;
		this.zone = zone;
		this.driver = driver;
		this.watchers = watchers;
	}

	/**
	 * Let time pass, and run what becomes due until then, also at that very instant.
	 * @param duration not negative
	 * @return what was delivered, in order: deliveries that failed included
	 * @throws IllegalStateException if called by a handler. If a handler returned a
	 * {@code CompletionStage} and nothing completes it. Or if there are too many
	 * deliveries, as in an endless loop
	 * @throws AssertionError the one that a handler failed with, at the time of that
	 * delivery
	 */
	public List<EndedDelivery> advance(Duration duration) {
		if (duration.isNegative()) {
			throw new IllegalArgumentException(
					"Time does not pass backward, but " + Names.printable(duration) + " was asked for");
		}
		if (duration.compareTo(Duration.between(instant(), LATEST)) > 0) {
			throw new IllegalArgumentException("Time ends with the year 9999, and it is " + instant() + ": "
					+ Names.printable(duration) + " is too long");
		}
		return advanceTo(instant().plus(duration));
	}

	/**
	 * Let time pass until an instant, as {@link #advance(Duration)} does.
	 * @param instant not before now
	 */
	public List<EndedDelivery> advanceTo(Instant instant) {
		if (instant.isBefore(instant())) {
			throw new IllegalArgumentException("It is " + instant() + " already, past " + instant);
		}
		return this.driver.get().runUntil(instant);
	}

	/** Run what is due now, without letting time pass. */
	public List<EndedDelivery> runDue() {
		return this.driver.get().runUntil(instant());
	}

	/**
	 * Set the clock, forward or backward, and run nothing. For the beginning of a test
	 * that needs a certain date. The recurring tasks that listeners have of their own,
	 * and that have not run in this test yet, begin anew at that date. All other tasks
	 * stay where they are, so that they may become overdue.
	 * @throws IllegalStateException if called by a handler
	 */
	public void setTo(Instant instant) {
		this.driver.get().setTo(instant);
	}

	/** Show another time, and do nothing else. */
	void show(Instant instant) {
		this.now.set(instant);
		this.watchers.forEach(Runnable::run);
	}

	/** Tell somebody when it shows another time, until the result is run. */
	Runnable watch(Runnable watcher) {
		this.watchers.add(watcher);
		return () -> this.watchers.remove(watcher);
	}

	@Override
	public Instant instant() {
		return this.now.get();
	}

	@Override
	public ZoneId getZone() {
		return this.zone;
	}

	/** The same clock in another zone: turning either turns both. */
	@Override
	public DelayQueueTestClock withZone(ZoneId zone) {
		return new DelayQueueTestClock(this.now, zone, this.driver, this.watchers);
	}

	@Override
	public String toString() {
		return "DelayQueueTestClock[" + instant() + "]";
	}

}
