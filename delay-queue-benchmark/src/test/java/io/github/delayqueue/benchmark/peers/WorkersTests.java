package io.github.delayqueue.benchmark.peers;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import org.awaitility.Awaitility;
import org.hamcrest.Matchers;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class WorkersTests {

	@Test
	void stepsAreRepeatedAlsoAfterFailures() {
		AtomicInteger steps = new AtomicInteger();
		try (Workers workers = new Workers(() -> {
		})) {
			workers.add("test", () -> {
				if (steps.incrementAndGet() == 1) {
					throw new IllegalStateException("first step");
				}
				return Duration.ZERO;
			});
			Awaitility.await().untilAtomic(steps, Matchers.greaterThan(3));
		}
	}

	@Test
	void closingInterruptsAndWaitsBeforeTheResourceIsClosed() throws Exception {
		CountDownLatch waiting = new CountDownLatch(1);
		AtomicBoolean ended = new AtomicBoolean();
		AtomicBoolean endedFirst = new AtomicBoolean();
		Workers workers = new Workers(() -> endedFirst.set(ended.get()));
		workers.add("test", () -> {
			try {
				waiting.countDown();
				new CountDownLatch(1).await();
				return Duration.ZERO;
			}
			finally {
				ended.set(true);
			}
		});
		assertThat(waiting.await(60, TimeUnit.SECONDS)).isTrue();
		workers.close();
		assertThat(endedFirst).isTrue();
	}

}
