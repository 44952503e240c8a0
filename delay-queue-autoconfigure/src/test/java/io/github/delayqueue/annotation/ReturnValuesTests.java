package io.github.delayqueue.annotation;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.listener.DelayQueueListenerEndpoint;
import io.github.delayqueue.listener.TaskResult;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
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
	void nullInPlaceOfResultIsFailureWithSentence() throws Exception {
		for (String queue : new String[] { "nullFlag", "nullResult", "nullStage", "stageOfNull" }) {
			assertThat(result(queue, "")).isInstanceOfSatisfying(TaskResult.Failed.class,
					(failed) -> assertThat(failed.cause()).isInstanceOf(DelayQueueException.class)
						.hasMessage("@DelayQueueListener method " + Nulls.class.getName() + "." + queue
								+ "() returned null: it has to say what became of each task"));
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
	void throwableThatIsNeitherExceptionNorErrorIsTheCause() {
		Throwable thrown = new Throwable("d");
		assertThatExceptionOfType(Exception.class).isThrownBy(() -> resultOf(Throwing.class, "throwing", thrown))
			.withCause(thrown);
	}

	@Test
	void stageThatFailsIsFailureWithTheRealCause() throws Exception {
		IOException cause = new IOException("a");
		assertThat(resultOf(Throwing.class, "failing", cause)).isEqualTo(TaskResult.failed(cause));
		assertThat(resultOf(Throwing.class, "failingDependent", cause)).isEqualTo(TaskResult.failed(cause));
	}

	@Test
	void taskIsHeldUntilStageCompletes() throws Exception {
		try (ListenerTestContext context = ListenerTestContext.of(Pending.class)) {
			var result = context.endpoint().handler().handle(List.of(Deliveries.of("payload"))).toCompletableFuture();
			assertThat(result).isNotDone();
			context.bean(Pending.class).future.complete(false);
			assertThat(result).isCompletedWithValue(List.of(TaskResult.retry()));
		}
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

	static class Pending {

		private final CompletableFuture<Boolean> future = new CompletableFuture<>();

		@DelayQueueListener("orders")
		CompletableFuture<Boolean> handle(String payload) {
			return this.future;
		}

	}

}
