package io.github.delayqueue.annotation;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.validation.beanvalidation.LocalValidatorFactoryBean;

import io.github.delayqueue.DelayedTask;
import io.github.delayqueue.listener.DelayQueueListenerEndpoint;
import io.github.delayqueue.listener.Delivery;
import io.github.delayqueue.listener.InvalidListenerException;
import io.github.delayqueue.listener.TaskContext;
import io.github.delayqueue.listener.TaskResult;
import io.github.delayqueue.options.QueueOptions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Methods that handle what is due together.
 */
class BatchListenerTests {

	private static final TaskResult DONE = TaskResult.done();

	private static final TaskResult RETRY = TaskResult.retry();

	@Test
	void listsAreInTheOrderOfTheTasks() throws Exception {
		try (ListenerTestContext context = ListenerTestContext.of(Lists.class)) {
			DelayQueueListenerEndpoint endpoint = context.endpoint("all");
			assertThat(endpoint.payloadType()).isEqualTo(String.class);
			assertThat(endpoint.options().own().batchSize()).isEqualTo(10);
			Delivery<?> first = Deliveries.of("a");
			Delivery<?> second = Deliveries.of("b");
			assertThat(Deliveries.handleAll(endpoint, first, second)).containsExactly(DONE, DONE);
			assertThat(context.bean(Lists.class).calls).containsExactly(List.of(first.context(), second.context()),
					List.of("a", "b"), List.of(first.task(), second.task()));
		}
	}

	@Test
	void listWithoutBatchSizeIsThePayload() throws Exception {
		try (ListenerTestContext context = ListenerTestContext.of(Lists.class)) {
			DelayQueueListenerEndpoint endpoint = context.endpoint("payload");
			assertThat(endpoint.payloadType()).hasToString("java.util.List<java.lang.String>");
			assertThat(endpoint.options().own().batchSize()).isEqualTo(1);
			assertThat(Deliveries.handle(endpoint, List.of("a", "b"))).isEqualTo(DONE);
			assertThat(context.bean(Lists.class).calls).containsExactly(List.of("a", "b"));
		}
	}

	@Test
	void payloadWithBatchSizeOfOneIsNoBatch() throws Exception {
		try (ListenerTestContext context = ListenerTestContext.of(Lists.class)) {
			DelayQueueListenerEndpoint endpoint = context.endpoint("single");
			assertThat(Deliveries.handle(endpoint, "a")).isEqualTo(DONE);
			assertThat(context.bean(Lists.class).calls).containsExactly("a");
			assertThatThrownBy(() -> Deliveries.handleAll(endpoint, Deliveries.of("a"), Deliveries.of("b")))
				.isInstanceOf(IllegalArgumentException.class);
		}
	}

	@Test
	void listOfTasksIsBatchOfTheSizeThatPropertiesSay() throws Exception {
		try (ListenerTestContext context = ListenerTestContext.of(Lists.class)) {
			DelayQueueListenerEndpoint endpoint = context.endpoint("tasks");
			assertThat(endpoint.payloadType()).hasToString("java.util.Map<java.lang.String, java.lang.Integer>");
			QueueOptions properties = QueueOptions.builder().batchSize(7).build();
			assertThat(endpoint.options().own().withDefaults(properties).batchSize()).isEqualTo(7);
			assertThat(Deliveries.handleAll(endpoint, Deliveries.of(Map.of()), Deliveries.of(Map.of())))
				.containsExactly(DONE, DONE);
		}
	}

	@Test
	void oneValueIsForAll() throws Exception {
		try (ListenerTestContext context = ListenerTestContext.of(Outcomes.class)) {
			assertThat(handle(context, "flag")).containsExactly(RETRY, RETRY);
			assertThat(handle(context, "stageOfFlag")).containsExactly(RETRY, RETRY);
			assertThat(handle(context, "result")).containsExactly(TaskResult.deadLetter("why"),
					TaskResult.deadLetter("why"));
			assertThat(handle(context, "stageOfNothing")).containsExactly(DONE, DONE);
		}
	}

	@Test
	void listOfResultsIsOneForEach() throws Exception {
		try (ListenerTestContext context = ListenerTestContext.of(Outcomes.class)) {
			assertThat(handle(context, "results")).containsExactly(DONE, RETRY);
			assertThat(handle(context, "stageOfResults")).containsExactly(DONE, RETRY);
		}
	}

	@Test
	void wrongNumberOfResultsIsFailureOfAll() throws Exception {
		try (ListenerTestContext context = ListenerTestContext.of(Outcomes.class)) {
			assertThat(handle(context, "tooFew")).hasSize(2)
				.allSatisfy((result) -> assertFailed(result, "returned 1 results for 2 tasks"));
		}
	}

	@Test
	void tasksThatAreNotValidAreDeadLetteredAndTheOthersHandled() throws Exception {
		try (ListenerTestContext context = ListenerTestContext.of(LocalValidatorFactoryBean.class, Validated.class)) {
			TaskResult deadLettered = TaskResult.deadLetter("Payload is not valid: number (NotBlank)");
			Delivery<?> invalid = Deliveries.of(new Order(" "));
			assertThat(Deliveries.handleAll(context.endpoint(), invalid, Deliveries.of(new Order("a")), invalid,
					Deliveries.of(new Order("b"))))
				.containsExactly(deadLettered, DONE, deadLettered, RETRY);
			assertThat(context.bean(Validated.class).handled).containsExactly(new Order("a"), new Order("b"));
		}
	}

	@Test
	void exceptionIsNoFailureOfTasksThatAreNotValid() throws Exception {
		try (ListenerTestContext context = ListenerTestContext.of(LocalValidatorFactoryBean.class, Validated.class)) {
			List<TaskResult> results = Deliveries.handleAll(context.endpoint(), Deliveries.of(new Order("")),
					Deliveries.of(new Order("throw")));
			assertThat(results.get(0)).isInstanceOf(TaskResult.DeadLetter.class);
			assertThat(results.get(1)).isEqualTo(TaskResult.failed(Outcomes.FAILURE));
		}
	}

	@Test
	void parameterThatIsNoListIsRefused() {
		InvalidListenerException failure = ListenerTestContext.failureOf(NoList.class);
		assertThat(failure).hasMessage("@DelayQueueListener method " + NoList.class.getName()
				+ ".handle(String) is a batch listener, but its parameter 'java.lang.String payload' is for one task");
		assertThat(failure.getAction()).isEqualTo("Take List<T>, List<DelayedTask<T>>, which has the headers, "
				+ "and List<TaskContext>, or remove the attribute 'batchSize' and the lists.");
	}

	@Test
	void parameterForOneTaskIsRefused() {
		InvalidListenerException failure = ListenerTestContext.failureOf(ContextOfOneTask.class);
		assertThat(failure).hasMessageContaining(
				"is a batch listener, but its parameter '" + TaskContext.class.getName() + " context' is for one task");
		assertThat(failure.getAction()).contains("List<TaskContext>");
	}

	private static List<TaskResult> handle(ListenerTestContext context, String queue) throws Exception {
		return Deliveries.handleAll(context.endpoint(queue), Deliveries.of("a"), Deliveries.of("b"));
	}

	private static void assertFailed(TaskResult result, String problem) {
		assertThat(result).isInstanceOfSatisfying(TaskResult.Failed.class,
				(failed) -> assertThat(failed.cause()).hasMessageContaining(Outcomes.class.getName())
					.hasMessageContaining(problem));
	}

	record Order(@NotBlank String number) {

	}

	static class Lists {

		private final List<Object> calls = new ArrayList<>();

		@DelayQueueListener(queue = "all", batchSize = "10")
		void all(List<TaskContext> contexts, List<String> payloads, Collection<DelayedTask<String>> tasks) {
			this.calls.addAll(List.of(contexts, payloads, tasks));
		}

		@DelayQueueListener("payload")
		void payload(List<String> payload) {
			this.calls.add(payload);
		}

		@DelayQueueListener(queue = "single", batchSize = "1")
		void single(String payload) {
			this.calls.add(payload);
		}

		@DelayQueueListener("tasks")
		void tasks(List<? extends DelayedTask<Map<String, Integer>>> tasks) {
			this.calls.add(tasks);
		}

	}

	static class Outcomes {

		static final IllegalStateException FAILURE = new IllegalStateException("failed");

		@DelayQueueListener(queue = "flag", batchSize = "2")
		boolean flag(List<String> payloads) {
			return false;
		}

		@DelayQueueListener(queue = "stageOfFlag", batchSize = "2")
		CompletableFuture<Boolean> stageOfFlag(List<String> payloads) {
			return CompletableFuture.completedFuture(false);
		}

		@DelayQueueListener(queue = "result", batchSize = "2")
		TaskResult result(List<String> payloads) {
			return TaskResult.deadLetter("why");
		}

		@DelayQueueListener(queue = "stageOfNothing", batchSize = "2")
		CompletableFuture<@Nullable Void> stageOfNothing(List<String> payloads) {
			return CompletableFuture.completedFuture(null);
		}

		@DelayQueueListener(queue = "results", batchSize = "2")
		List<TaskResult> results(List<String> payloads) {
			return List.of(DONE, RETRY);
		}

		@DelayQueueListener(queue = "stageOfResults", batchSize = "2")
		CompletableFuture<List<? extends TaskResult>> stageOfResults(List<String> payloads) {
			return CompletableFuture.completedFuture(List.of(DONE, RETRY));
		}

		@DelayQueueListener(queue = "tooFew", batchSize = "2")
		List<TaskResult> tooFew(List<String> payloads) {
			return List.of(DONE);
		}

	}

	static class Validated {

		private final List<Order> handled = new ArrayList<>();

		@DelayQueueListener(queue = "orders", batchSize = "10")
		List<TaskResult> handle(@Valid List<Order> orders) {
			this.handled.addAll(orders);
			return orders.stream().map((order) -> switch (order.number()) {
				case "a" -> DONE;
				case "throw" -> throw Outcomes.FAILURE;
				default -> RETRY;
			}).toList();
		}

	}

	static class NoList {

		@DelayQueueListener(queue = "orders", batchSize = "2")
		void handle(String payload) {
		}

	}

	static class ContextOfOneTask {

		@DelayQueueListener(queue = "orders", batchSize = "2")
		void handle(List<String> payloads, TaskContext context) {
		}

	}

}
