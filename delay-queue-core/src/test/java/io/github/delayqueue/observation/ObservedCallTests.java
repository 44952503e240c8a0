package io.github.delayqueue.observation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.StaticListableBeanFactory;

import io.github.delayqueue.ScheduleOutcome;
import io.github.delayqueue.producer.ScheduleResult;
import io.github.delayqueue.producer.TaskRequest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of {@link ObservedCall}: who waits for a future finds the observation.
 */
class ObservedCallTests implements ObservationHandler<Observation.Context> {

	private final CompletableFuture<ScheduleResult> answer = new CompletableFuture<>();

	private @Nullable CompletableFuture<ScheduleResult> future;

	/** Of each end: whether the result could be known before. */
	private final List<Boolean> known = new ArrayList<>();

	private void scheduleAsync() {
		ObservationRegistry registry = ObservationRegistry.create();
		registry.observationConfig().observationHandler(this);
		DelayQueueObservations observations = new DelayQueueObservations(
				new StaticListableBeanFactory(Map.of("registry", registry)), Duration.ofMinutes(1));
		TaskRequest request = TaskRequest.queue("orders").id("task").payload("payload").delay(Duration.ZERO).build();
		this.future = observations.scheduleAsync(request, (given) -> this.answer);
	}

	@Override
	public boolean supportsContext(Observation.Context context) {
		return true;
	}

	@Override
	public void onStop(Observation.Context context) {
		this.known.add(this.future.isDone());
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

}
