package io.github.delayqueue.actuate;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import io.github.delayqueue.store.DelegatingTaskStore;
import io.github.delayqueue.store.memory.InMemoryTaskStore;
import io.github.delayqueue.testsupport.MutableClock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link RemoteListeners}. With real instances:
 * {@link InstancesIntegrationTests}.
 */
class RemoteListenersTests {

	private final MutableClock clock = new MutableClock(Instant.parse("2026-11-21T19:34:06Z"));

	private final AtomicInteger orders = new AtomicInteger();

	private final DelegatingTaskStore store = new DelegatingTaskStore(new InMemoryTaskStore(this.clock)) {

		@Override
		public void order(String instance, @Nullable String queue, String order) {
			RemoteListenersTests.this.orders.incrementAndGet();
		}

	};

	private final RemoteListeners others = new RemoteListeners(this.store, Duration.ofMinutes(5));

	/** Each that waits has a thread of the web server. */
	@Test
	void fewWaitForOtherInstancesAndTheNextIsRefusedWithoutAnOrder() {
		attend("consumers");
		ExecutorService threads = Executors.newCachedThreadPool();
		try {
			List<CompletableFuture<QueueDescriptor.Listener>> waiting = IntStream.range(0, Looks.MAX)
				.mapToObj((i) -> CompletableFuture.supplyAsync(this::stop, threads))
				.toList();
			await().until(() -> this.orders.get() == Looks.MAX);
			CompletableFuture<?> next = CompletableFuture
				.runAsync(() -> assertThatExceptionOfType(QueueRequestException.class).isThrownBy(this::stop)
					.withMessage(
							"4 requests are already waiting for answers of other instances on this instance, for 1 s. "
									+ "Ask again later, and less often")
					.returns(429, QueueRequestException::getStatus), threads);
			await().until(next::isDone);
			next.join();
			assertThat(this.orders).hasValue(Looks.MAX);
			this.clock.advance(Duration.ofSeconds(1));
			attend("stopped");
			await().until(() -> waiting.stream().allMatch(CompletableFuture::isDone));
			assertThat(waiting).allSatisfy((each) -> assertThat(each.join().running()).isFalse());
		}
		finally {
			threads.shutdownNow();
		}
	}

	private QueueDescriptor.Listener stop() {
		return this.others.turn("orders", false, "close", "other");
	}

	private void attend(String listeners) {
		this.store.attend("other", """
				{"host":"h","pid":1,"version":"1","startedAgo":0,"every":20000,"complete":true,"obeys":true,
				"%s":[{"listener":"close","queue":"orders","workers":1,"since":0}]}""".formatted(listeners));
	}

}
