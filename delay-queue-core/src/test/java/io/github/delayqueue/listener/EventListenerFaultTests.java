package io.github.delayqueue.listener;

import java.time.Clock;
import java.time.Duration;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.delayqueue.TaskFailure;
import io.github.delayqueue.event.DeliveryOutcome;
import io.github.delayqueue.event.TaskEventListener;
import io.github.delayqueue.fixtures.FaultyTaskStore;
import io.github.delayqueue.fixtures.RecordingEvents;
import io.github.delayqueue.fixtures.Step;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.memory.InMemoryTaskStore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Listeners for task events that throw: neither tasks nor other listeners notice.
 */
class EventListenerFaultTests {

	private static final String QUEUE = "orders";

	private final FaultyTaskStore store = new FaultyTaskStore(new InMemoryTaskStore(Clock.systemUTC()));

	private final RecordingEvents events = new RecordingEvents();

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void handlesAllTasksOnceWhateverTheListenersOfEventsThrow(boolean error) {
		try (ListenerFixture instance = new ListenerFixture(this.store, new Broken(error), this.events)) {
			for (int i = 0; i < 50; i++) {
				instance.schedule(QUEUE, "task-" + i, "payload", Duration.ZERO);
			}
			this.store.claim(QUEUE, ClaimRequest.of("crashed", 5, Duration.ofMillis(1)));
			instance.register(QUEUE, (task, context) -> TaskResult.done(),
					ListenerOptions.builder().concurrency(5).build());
			await().until(() -> this.store.stats(QUEUE).totals().completed() == 50);
			await().until(() -> this.events.ends().size() == 50);
			assertThat(this.events.starts()).hasSize(50);
			assertThat(this.events.leasesLost()).hasSize(5);
			instance.registry().get(QUEUE).stop();
			assertThat(instance.registry().get(QUEUE).status().active()).isZero();
		}
	}

	@Test
	void claimsAgainThoughAListenerThrowsWhenItIsToldOfAFailure() {
		try (ListenerFixture instance = new ListenerFixture(this.store, new Broken(true), this.events)) {
			this.store.fail(Step.CLAIM);
			instance.register(QUEUE, (task, context) -> TaskResult.done(), ListenerOptions.defaults());
			await().until(() -> this.events.pollErrors().size() >= 2);
			this.store.heal();
			instance.schedule(QUEUE, "task", "payload", Duration.ZERO);
			await().until(() -> this.events.outcomes().contains(DeliveryOutcome.SUCCESS));
		}
	}

	private record Broken(boolean error) implements TaskEventListener {

		@Override
		public void onStart(String queue, String taskId, Duration lateness) {
			fail();
		}

		@Override
		public void onEnd(String queue, String taskId, DeliveryOutcome outcome, Duration took,
				@Nullable TaskFailure failure) {
			fail();
		}

		@Override
		public void onLeaseLost(String queue, String taskId, int leasesLost) {
			fail();
		}

		@Override
		public void onPollError(String queue, Throwable error) {
			fail();
		}

		private void fail() {
			if (this.error) {
				throw new NoClassDefFoundError("for a test");
			}
			throw new IllegalStateException("for a test");
		}

	}

}
