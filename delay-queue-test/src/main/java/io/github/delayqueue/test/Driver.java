package io.github.delayqueue.test;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

import org.springframework.aop.framework.AopInfrastructureBean;

import io.github.delayqueue.Names;
import io.github.delayqueue.test.TestListenerContainerRegistry.Step;

/** Turns the clock to the next instant with something to do, does it, and goes on. */
record Driver(DelayQueueTestClock clock, TestListenerContainerRegistry registry, DeliveryRecorder deliveries,
		DelayQueueTestProperties properties, AtomicBoolean driving) implements AopInfrastructureBean {

	/** Looking in vain so often, without a delivery in between, leads nowhere. */
	private static final int MAX_EMPTY_STEPS = 100_000;

	private static final Duration LEAST_WAIT = Duration.ofMillis(1);

	List<EndedDelivery> runUntil(Instant end) {
		begin();
		try {
			int before = this.deliveries.count();
			run(end);
			this.clock.show(end);
			return this.deliveries.since(before);
		}
		finally {
			this.driving.set(false);
		}
	}

	void setTo(Instant instant) {
		begin();
		try {
			this.clock.show(instant);
			this.registry.renewOwnTasks((queue, taskId) -> !this.deliveries.has(queue, taskId));
		}
		finally {
			this.driving.set(false);
		}
	}

	private void begin() {
		if (!this.driving.compareAndSet(false, true)) {
			throw new IllegalStateException("The clock is being turned already: a handler, or what it calls, cannot "
					+ "turn it, and neither can two threads at a time");
		}
	}

	private void run(Instant end) {
		Instant begin = this.clock.instant();
		int delivered = 0;
		int empty = 0;
		while (true) {
			requireNotInterrupted(begin, end);
			int before = this.deliveries.count();
			Step step = this.registry.step();
			this.deliveries.since(before).stream().filter(EndedDelivery::isFailure).forEach(this::failIfAsked);
			if (step.tasks() > 0) {
				delivered += step.tasks();
				empty = 0;
				requireEnd(delivered > this.properties.maxDeliveries(), begin, end);
				continue;
			}
			requireEnd(++empty > MAX_EMPTY_STEPS, begin, end);
			if (step.next() == null) {
				return;
			}
			// what is due and was not given to anybody
			Instant next = this.clock.instant().plus(step.next().isZero() ? LEAST_WAIT : step.next());
			if (next.isAfter(end)) {
				return;
			}
			this.clock.show(next);
		}
	}

	/** As by JUnit's {@code @Timeout}, which does so once: nobody else would notice. */
	private void requireNotInterrupted(Instant begin, Instant end) {
		if (Thread.currentThread().isInterrupted()) {
			throw new IllegalStateException("The test was interrupted while its clock was turned by "
					+ Names.printable(Duration.between(begin, end)) + ". It is " + this.clock.instant()
					+ ", and the last delivery was " + this.deliveries.last());
		}
	}

	private void requireEnd(boolean tooMany, Instant begin, Instant end) {
		if (tooMany) {
			List<EndedDelivery> all = this.deliveries.ended();
			List<EndedDelivery> last = all.subList(Math.max(0, all.size() - 3), all.size());
			throw new IllegalStateException(
					"More than " + this.properties.maxDeliveries() + " deliveries while the clock was turned by "
							+ Names.printable(Duration.between(begin, end)) + ", and it is only " + this.clock.instant()
							+ ": does a handler schedule its own task again, without a delay? The last: " + last
							+ ". delay-queue.test.max-deliveries allows more");
		}
	}

	/** A handler that asserts something asks for it, too. */
	private void failIfAsked(EndedDelivery delivery) {
		for (Throwable cause = delivery.cause(); cause != null; cause = cause.getCause()) {
			if (cause instanceof AssertionError assertion) {
				throw assertion;
			}
		}
		if (this.properties.failOnFailure()) {
			throw new AssertionError("A handler failed (delay-queue.test.fail-on-failure): " + delivery,
					delivery.cause());
		}
	}

}
