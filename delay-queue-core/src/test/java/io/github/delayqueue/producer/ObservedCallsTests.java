package io.github.delayqueue.producer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import io.github.delayqueue.ScheduleOutcome;
import io.github.delayqueue.event.ObservedSchedule;
import io.github.delayqueue.event.ObservedScope;
import io.github.delayqueue.event.TaskObserver;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of {@link ObservedCalls}: who waits for a future finds the observation.
 */
class ObservedCallsTests {

	private final CompletableFuture<ScheduleResult> answer = new CompletableFuture<>();

	private @Nullable CompletableFuture<ScheduleResult> future;

	/** Of each end: whether the result could be known before. */
	private final List<Boolean> known = new ArrayList<>();

	private void scheduleAsync() {
		TaskObserver observer = new TaskObserver() {

			@Override
			public ObservedSchedule schedule(@Nullable String queue, int tasks) {
				return new Observed();
			}

		};
		TaskRequest request = TaskRequest.queue("orders").id("task").payload("payload").delay(Duration.ZERO).build();
		this.future = new ObservedCalls(observer).scheduleAsync(request, (given) -> this.answer);
	}

	@Test
	void observationHasEndedWhenTheResultIsKnown() {
		scheduleAsync();
		assertThat(this.known).isEmpty();
		this.answer.complete(new ScheduleResult("orders", "task", ScheduleOutcome.CREATED));
		assertThat(this.known).containsExactly(false);
		assertThat(this.future).isCompleted();
	}

	@Test
	void observationHasEndedWhenTheFailureIsKnown() {
		scheduleAsync();
		IllegalStateException error = new IllegalStateException("for a test");
		this.answer.completeExceptionally(error);
		assertThat(this.known).containsExactly(false);
		assertThat(this.future).isCompletedExceptionally();
		this.future.whenComplete((result, thrown) -> assertThat(thrown).isSameAs(error)).exceptionally((ex) -> null);
	}

	private final class Observed implements ObservedSchedule {

		@Override
		public Map<String, String> headers(Map<String, String> headers, Duration delay) {
			return headers;
		}

		@Override
		public ObservedScope open() {
			return () -> {
			};
		}

		@Override
		public void end(@Nullable String taskId, @Nullable Throwable error) {
			ObservedCallsTests.this.known.add(ObservedCallsTests.this.future.isDone());
		}

	}

}
