package io.github.delayqueue.console;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import io.github.delayqueue.testsupport.Patience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link Looks}.
 */
class LooksTests {

	private final Looks looks = new Looks(Patience.LIMIT);

	private final CountDownLatch gate = new CountDownLatch(1);

	private final AtomicInteger looked = new AtomicInteger();

	@Test
	void eightWaitAndOthersAreRefusedAtOnce() {
		List<Thread> looking = start(Looks.MAX);
		await(looking, Thread.State.WAITING);
		List<Thread> waiting = start(8);
		await(waiting, Thread.State.TIMED_WAITING);
		assertThatExceptionOfType(QueueRequestException.class).isThrownBy(() -> this.looks.take(() -> "too many"))
			.withMessageContaining("12 requests are already waiting for Redis")
			.satisfies((ex) -> assertThat(ex.getStatus()).isEqualTo(429));
		this.gate.countDown();
		Stream.of(looking, waiting)
			.flatMap(List::stream)
			.forEach((thread) -> await(List.of(thread), Thread.State.TERMINATED));
		assertThat(this.looked).hasValue(12);
		assertThat(this.looks.<String>take(() -> "again")).isEqualTo("again");
	}

	@Test
	void placeOfALookThatFailsIsFree() {
		for (int i = 0; i < 20; i++) {
			assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> this.looks.take(() -> {
				throw new IllegalStateException("no");
			}));
		}
	}

	private List<Thread> start(int threads) {
		List<Thread> started = Stream.generate(() -> new Thread(() -> this.looks.take(this::look)))
			.limit(threads)
			.toList();
		started.forEach((thread) -> {
			thread.setDaemon(true);
			thread.start();
		});
		return started;
	}

	private int look() {
		try {
			this.gate.await();
			return this.looked.incrementAndGet();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static void await(List<Thread> threads, Thread.State state) {
		Awaitility.await().until(() -> threads.stream().allMatch((thread) -> thread.getState() == state));
	}

}
