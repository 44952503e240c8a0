package io.github.delayqueue.listener;

import java.net.URL;
import java.net.URLClassLoader;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

import io.github.delayqueue.options.QueueOptions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of {@link HandlerCall}.
 */
class HandlerCallTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(1);

	private final Gate gate = new Gate();

	private final long start = System.nanoTime();

	private final HandlerCall call = new HandlerCall(List.of(), QueueOptions.builder().handlerTimeout(TIMEOUT).build(),
			() -> this.start);

	@AfterEach
	void open() {
		this.gate.open();
	}

	@Test
	void handlerThatTakesNoNoticeIsFoundStuckOnce() {
		CompletableFuture<Void> thread = run((deliveries) -> {
			this.gate.passUninterrupted();
			return CompletableFuture.completedFuture(List.of());
		});
		await().until(() -> this.gate.entered() == 1);
		this.call.endIfOverdue(at(TIMEOUT.minusNanos(1)));
		assertThat(this.call.isFoundStuck(at(Duration.ofHours(1)))).as("its time is not over").isFalse();
		this.call.endIfOverdue(at(TIMEOUT));
		assertThat(this.call.isFoundStuck(at(TIMEOUT.plus(HandlerCall.NOTICE).minusNanos(1)))).isFalse();
		assertThat(this.call.isStuck()).isFalse();
		assertThat(this.call.isFoundStuck(at(TIMEOUT.plus(HandlerCall.NOTICE)))).isTrue();
		assertThat(this.call.isStuck()).isTrue();
		assertThat(this.call.isFoundStuck(at(Duration.ofHours(1)))).isFalse();
		this.gate.open();
		await().until(thread::isDone);
		assertThat(this.call.isStuck()).isFalse();
	}

	@Test
	void handlerThatEndsWhenItIsInterruptedIsNotFoundStuck() {
		CompletableFuture<Void> thread = run((deliveries) -> {
			this.gate.pass();
			return CompletableFuture.completedFuture(List.of());
		});
		await().until(() -> this.gate.entered() == 1);
		this.call.endIfOverdue(at(TIMEOUT));
		await().until(thread::isDone);
		assertThat(this.call.isFoundStuck(at(Duration.ofHours(1)))).isFalse();
	}

	/** Whoever interrupts it may come when it has just ended. */
	@Test
	void interruptOfAHandlerThatEndsReachesNothingElseOnItsThread() {
		AtomicReference<HandlerCall> current = new AtomicReference<>();
		AtomicBoolean over = new AtomicBoolean();
		AtomicInteger hits = new AtomicInteger();
		CompletableFuture<Void> other = CompletableFuture.runAsync(() -> {
			while (!over.get()) {
				HandlerCall call = current.get();
				if (call != null) {
					call.interrupt();
					hits.incrementAndGet();
				}
			}
		});
		int found = 0;
		for (int i = 0; i < 200_000 || hits.get() == 0; i++) {
			HandlerCall call = new HandlerCall(List.of(), QueueOptions.DEFAULTS, () -> this.start);
			current.set(call);
			call.run((deliveries) -> CompletableFuture.completedFuture(List.of()), List.of());
			found += Thread.interrupted() ? 1 : 0;
		}
		over.set(true);
		await().until(other::isDone);
		assertThat(found).isZero();
		assertThat(hits).hasPositiveValue();
	}

	/** Of this thread, as the test kit calls them. */
	@Test
	void handlerLeavesNothingOnItsThread() {
		ClassLoader own = Thread.currentThread().getContextClassLoader();
		MDC.put("test", "of the caller");
		try {
			this.call.run((deliveries) -> {
				MDC.put("order", "17");
				MDC.put("test", "of the handler");
				Thread.currentThread().setContextClassLoader(new URLClassLoader(new URL[0], own));
				throw new IllegalStateException("after that");
			}, List.of());
			assertThat(MDC.getCopyOfContextMap()).isEqualTo(Map.of("test", "of the caller"));
			assertThat(Thread.currentThread().getContextClassLoader()).isSameAs(own);
		}
		finally {
			MDC.clear();
			Thread.currentThread().setContextClassLoader(own);
		}
	}

	private CompletableFuture<Void> run(DeliveryHandler handler) {
		return CompletableFuture.runAsync(() -> this.call.run(handler, List.of()));
	}

	private long at(Duration later) {
		return this.start + later.toNanos();
	}

}
