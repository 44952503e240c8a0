package io.github.delayqueue.annotation;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import reactor.adapter.JdkFlowAdapter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.listener.DelayQueueListenerEndpoint;
import io.github.delayqueue.listener.TaskResult;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * What becomes of what methods that handle one task at a time return and throw.
 */
class ReturnValuesTests {

	@Test
	void nothingIsDone() throws Exception {
		assertThat(result("nothing", "")).isEqualTo(TaskResult.done());
		assertThat(result("boxedNothing", "")).isEqualTo(TaskResult.done());
		assertThat(result("stageOfNothing", "")).isEqualTo(TaskResult.done());
	}

	@Test
	void trueIsDoneAndFalseIsRetry() throws Exception {
		for (String queue : new String[] { "flag", "boxedFlag", "stageOfFlag" }) {
			assertThat(result(queue, "true")).isEqualTo(TaskResult.done());
			assertThat(result(queue, "false")).isEqualTo(TaskResult.retry());
		}
	}

	@Test
	void resultIsItself() throws Exception {
		TaskResult later = TaskResult.retryAfter(Duration.ofMinutes(1));
		for (String queue : new String[] { "result", "subtypeOfResult", "stageOfResult" }) {
			assertThat(result(queue, "")).isEqualTo(later);
		}
	}

	@Test
	void publishersAreSubscribedToAndMeanWhatTheyEmit() throws Exception {
		assertThat(resultOf(Reactive.class, "monoOfNothing", "")).isEqualTo(TaskResult.done());
		assertThat(resultOf(Reactive.class, "monoOfFlag", "true")).isEqualTo(TaskResult.done());
		assertThat(resultOf(Reactive.class, "monoOfFlag", "false")).isEqualTo(TaskResult.retry());
		assertThat(resultOf(Reactive.class, "monoOfResult", "")).isEqualTo(TaskResult.deadLetter("unwanted"));
		assertThat(resultOf(Reactive.class, "fluxOfNothing", "")).isEqualTo(TaskResult.done());
		assertThat(resultOf(Reactive.class, "publisher", "")).isEqualTo(TaskResult.done());
		assertThat(resultOf(Reactive.class, "flow", "")).isEqualTo(TaskResult.done());
	}

	@Test
	void publisherThatFailsIsFailureWithItsCauseAndOneThatIsEmptySaysNothing() throws Exception {
		IOException cause = new IOException("a");
		assertThat(resultOf(Reactive.class, "failing", cause)).isEqualTo(TaskResult.failed(cause));
		for (String queue : new String[] { "empty", "nullMono" }) {
			assertThat(resultOf(Reactive.class, queue, "")).isInstanceOfSatisfying(TaskResult.Failed.class,
					(failed) -> assertThat(failed.cause()).hasMessageContaining("() returned null"));
		}
	}

	@Test
	void taskIsHeldUntilPublisherCompletes() throws Exception {
		try (ListenerTestContext context = ListenerTestContext.of(PendingFlux.class)) {
			var result = context.endpoint().handler().handle(List.of(Deliveries.of("payload"))).toCompletableFuture();
			assertThat(context.bean(PendingFlux.class).sink.currentSubscriberCount()).isOne();
			assertThat(result).isNotDone();
			context.bean(PendingFlux.class).sink.tryEmitComplete();
			assertThat(result).isCompletedWithValue(List.of(TaskResult.done()));
		}
	}

	@Test
	void batchMayEmitAResultForEachTask() throws Exception {
		try (ListenerTestContext context = ListenerTestContext.of(ReactiveBatch.class)) {
			for (String queue : new String[] { "flux", "monoOfList" }) {
				assertThat(context.endpoint(queue)
					.handler()
					.handle(List.of(Deliveries.of("true"), Deliveries.of("false")))
					.toCompletableFuture()).isCompletedWithValue(List.of(TaskResult.done(), TaskResult.retry()));
			}
		}
	}

	@Test
	void nullInPlaceOfResultIsFailureWithSentence() throws Exception {
		for (String queue : new String[] { "nullFlag", "nullResult", "nullStage", "stageOfNull" }) {
			assertThat(result(queue, "")).isInstanceOfSatisfying(TaskResult.Failed.class,
					(failed) -> assertThat(failed.cause()).isInstanceOf(DelayQueueException.class)
						.hasMessage("@DelayQueueListener method " + Nulls.class.getName() + "." + queue
								+ "() returned null: it must return a result for each task"));
		}
	}

	@Test
	void exceptionsAreThrownAsTheMethodThrewThem() {
		for (Throwable thrown : new Throwable[] { new IOException("a"), new IllegalStateException("b"),
				new AssertionError("c") }) {
			assertThatThrownBy(() -> resultOf(Throwing.class, "throwing", thrown)).isSameAs(thrown);
		}
	}

	@Test
	void stageThatFailsIsFailureWithTheRealCause() throws Exception {
		IOException cause = new IOException("a");
		assertThat(resultOf(Throwing.class, "failing", cause)).isEqualTo(TaskResult.failed(cause));
		assertThat(resultOf(Throwing.class, "failingDependent", cause)).isEqualTo(TaskResult.failed(cause));
	}

	private static TaskResult result(String queue, Object payload) throws Exception {
		Class<?> listener = queue.toLowerCase(Locale.ROOT).contains("null") ? Nulls.class : Returning.class;
		return resultOf(listener, queue, payload);
	}

	private static TaskResult resultOf(Class<?> listener, String queue, Object payload) throws Exception {
		try (ListenerTestContext context = ListenerTestContext.of(listener)) {
			DelayQueueListenerEndpoint endpoint = context.endpoint(queue);
			return Deliveries.handle(endpoint, payload);
		}
	}

	static class Reactive {

		@DelayQueueListener("monoOfNothing")
		Mono<Void> monoOfNothing(String payload) {
			return Mono.empty();
		}

		@DelayQueueListener("monoOfFlag")
		Mono<Boolean> monoOfFlag(String payload) {
			return Mono.fromSupplier(() -> Boolean.valueOf(payload)).subscribeOn(Schedulers.parallel());
		}

		@DelayQueueListener("monoOfResult")
		Mono<? extends TaskResult> monoOfResult(String payload) {
			return Mono.just(TaskResult.deadLetter("unwanted"));
		}

		@DelayQueueListener("fluxOfNothing")
		Flux<Void> fluxOfNothing(String payload) {
			return Flux.empty();
		}

		@DelayQueueListener("publisher")
		Publisher<Void> publisher(String payload) {
			return Mono.empty();
		}

		@DelayQueueListener("flow")
		Flow.Publisher<Void> flow(String payload) {
			return JdkFlowAdapter.publisherToFlowPublisher(Mono.empty());
		}

		@DelayQueueListener("failing")
		Mono<Void> failing(Throwable payload) {
			return Mono.error(payload);
		}

		@DelayQueueListener("empty")
		Mono<Boolean> empty() {
			return Mono.empty();
		}

		@DelayQueueListener("nullMono")
		@Nullable Mono<Void> nullMono() {
			return null;
		}

	}

	static class PendingFlux {

		private final Sinks.Many<Void> sink = Sinks.many().unicast().onBackpressureBuffer();

		@DelayQueueListener("pending")
		Flux<Void> handle(String payload) {
			return this.sink.asFlux();
		}

	}

	static class ReactiveBatch {

		@DelayQueueListener(queue = "flux", batchSize = "2")
		Flux<TaskResult> flux(List<String> payloads) {
			return Flux.fromIterable(payloads).map(ReactiveBatch::result);
		}

		@DelayQueueListener(queue = "monoOfList", batchSize = "2")
		Mono<List<TaskResult>> monoOfList(List<String> payloads) {
			return flux(payloads).collectList();
		}

		private static TaskResult result(String payload) {
			return payload.equals("true") ? TaskResult.done() : TaskResult.retry();
		}

	}

	static class Returning {

		private static final TaskResult LATER = TaskResult.retryAfter(Duration.ofMinutes(1));

		@DelayQueueListener("nothing")
		void nothing(String payload) {
		}

		@DelayQueueListener("boxedNothing")
		@Nullable Void boxedNothing(String payload) {
			return null;
		}

		@DelayQueueListener("stageOfNothing")
		CompletableFuture<@Nullable Void> stageOfNothing(String payload) {
			return CompletableFuture.completedFuture(null);
		}

		@DelayQueueListener("flag")
		boolean flag(String payload) {
			return Boolean.parseBoolean(payload);
		}

		@DelayQueueListener("boxedFlag")
		Boolean boxedFlag(String payload) {
			return Boolean.valueOf(payload);
		}

		@DelayQueueListener("stageOfFlag")
		CompletionStage<Boolean> stageOfFlag(String payload) {
			return CompletableFuture.supplyAsync(() -> Boolean.valueOf(payload));
		}

		@DelayQueueListener("result")
		TaskResult result(String payload) {
			return LATER;
		}

		@DelayQueueListener("subtypeOfResult")
		TaskResult.RetryAfter subtypeOfResult(String payload) {
			return (TaskResult.RetryAfter) LATER;
		}

		@DelayQueueListener("stageOfResult")
		CompletableFuture<? extends TaskResult> stageOfResult(String payload) {
			return CompletableFuture.completedFuture(LATER);
		}

	}

	static class Nulls {

		@DelayQueueListener("nullFlag")
		@Nullable Boolean nullFlag() {
			return null;
		}

		@DelayQueueListener("nullResult")
		@Nullable TaskResult nullResult() {
			return null;
		}

		@DelayQueueListener("nullStage")
		@Nullable CompletableFuture<Void> nullStage() {
			return null;
		}

		@DelayQueueListener("stageOfNull")
		CompletableFuture<@Nullable TaskResult> stageOfNull() {
			return CompletableFuture.completedFuture(null);
		}

	}

	static class Throwing {

		@DelayQueueListener("throwing")
		void throwing(Throwable payload) throws Throwable {
			throw payload;
		}

		@DelayQueueListener("failing")
		CompletableFuture<Void> failing(Throwable payload) {
			return CompletableFuture.failedFuture(payload);
		}

		@DelayQueueListener("failingDependent")
		CompletableFuture<Void> failingDependent(Throwable payload) {
			return failing(payload).thenApply((nothing) -> nothing).thenApply((nothing) -> nothing);
		}

	}

}
