package io.github.delayqueue.annotation;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.messaging.Message;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.messaging.handler.annotation.Headers;
import org.springframework.messaging.handler.annotation.Payload;
import org.springframework.scheduling.annotation.Async;

import io.github.delayqueue.DelayedTask;
import io.github.delayqueue.listener.InvalidListenerException;
import io.github.delayqueue.listener.TaskResult;
import io.github.delayqueue.producer.ClaimedTask;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Methods that cannot be listeners are refused with their name and a remedy.
 */
class InvalidSignaturesTests {

	@Test
	void severalPayloadsAreRefused() {
		assertRefused(SeveralPayloads.class, "String, Integer, String",
				"has more than one parameter for the payload, one of them 'java.lang.Integer second'",
				"annotate those for headers with @Header");
	}

	@Test
	void payloadAndTaskOfDifferentTypesAreRefused() {
		assertRefused(DifferentPayloads.class, "String, DelayedTask",
				"takes the payload as java.lang.String and as java.lang.Integer",
				"Let T of DelayedTask<T> be the type of the payload parameter, or remove one of them.");
	}

	@Test
	void variableNumberOfArgumentsIsRefused() {
		assertRefused(Varargs.class, "String[]", "has a variable number of arguments", "as one parameter");
	}

	@Test
	void typesThatAreNoPayloadsAreRefused() {
		String problem = "which a listener cannot get";
		assertRefused(MessageParameter.class, "Message", problem, "DelayedTask<T> for id and headers");
		assertRefused(ClaimedTaskParameter.class, "ClaimedTask", problem, "DelayedTask<T> for id and headers");
	}

	@Test
	void typeVariableIsRefused() {
		assertRefused(TypeVariables.class, "List",
				"takes the payload as a type that is not known at run time: [java.util.List<T>]",
				"Replace the type variable by a type");
	}

	@Test
	void expressionOfPayloadIsRefused() {
		assertRefused(PayloadExpression.class, "String", "has a @Payload with an expression, which is not supported",
				"Remove the expression");
	}

	@Test
	void headersThatAreNoMapAreRefused() {
		assertRefused(HeadersNoMap.class, "String",
				"has a @Headers parameter 'java.lang.String headers' that is no Map", "Map<String, String>");
	}

	@Test
	void headerThatNoTextCanBeConvertedToIsRefused() {
		assertRefused(HeaderWithoutConversion.class, "Runnable",
				"has a @Header parameter 'java.lang.Runnable action', to which text cannot be converted",
				"Declare it as String");
	}

	@Test
	void otherReturnTypesAreRefused() {
		String remedy = "Return void, boolean or TaskResult, or a CompletionStage or Mono of that (CompletableFuture<Void>, Mono<Void>).";
		assertRefused(ReturnsText.class, "", "returns java.lang.String, which does not say how its task ended", remedy);
		assertRefused(ReturnsStageOfText.class, "", "returns java.util.concurrent.CompletableFuture<java.lang.String>, "
				+ "which does not say how its task ended", remedy);
	}

	@Test
	void reactiveReturnTypesThatSayNothingAreRefused() {
		for (Class<?> type : List.of(MonoOfText.class, RawMono.class, FluxOfResults.class)) {
			assertRefused(type, "", "which does not say how its task ended", "Mono<Void>");
		}
		assertRefused(BatchOfFlags.class, "List", "which does not say how its task ended",
				"List<TaskResult>, or a CompletionStage or Mono of that");
	}

	@Test
	void asyncMethodWithoutFutureIsRefused() {
		String problem = "is @Async and would count as done before it has run";
		assertRefused(AsyncMethod.class, "", problem, "Return CompletableFuture<Void>, or remove @Async");
	}

	@Test
	void oneListenerThatCannotWorkKeepsTheOthersFromBeingRegistered() {
		RecordingRegistry registry = new RecordingRegistry();
		InvalidListenerException failure = catchThrowableOfType(InvalidListenerException.class,
				() -> ListenerTestContext.of(Map.of(), (context) -> {
					context.registerBean("other", RecordingRegistry.class, () -> registry,
							(definition) -> definition.setPrimary(true));
					context.register(Fine.class, Varargs.class);
				}).close());
		assertThat(failure).hasMessageContaining(Varargs.class.getName());
		assertThat(registry.endpoints()).isEmpty();
	}

	private static void assertRefused(Class<?> listener, String parameters, String problem, String remedy) {
		InvalidListenerException failure = ListenerTestContext.failureOf(listener);
		assertThat(failure)
			.hasMessageStartingWith("@DelayQueueListener method " + listener.getName() + ".handle(" + parameters + ") ")
			.hasMessageEndingWith(problem);
		assertThat(failure.getAction()).contains(remedy);
	}

	static class Fine {

		@DelayQueueListener("fine")
		void handle(String payload) {
		}

	}

	static class SeveralPayloads {

		@DelayQueueListener("orders")
		void handle(String first, Integer second, @Header String tenant) {
		}

	}

	static class DifferentPayloads {

		@DelayQueueListener("orders")
		void handle(String payload, DelayedTask<Integer> task) {
		}

	}

	static class Varargs {

		@DelayQueueListener("orders")
		void handle(String... payloads) {
		}

	}

	static class MessageParameter {

		@DelayQueueListener("orders")
		void handle(Message<String> message) {
		}

	}

	static class ClaimedTaskParameter {

		@DelayQueueListener("orders")
		void handle(ClaimedTask task) {
		}

	}

	static class TypeVariables {

		@DelayQueueListener("orders")
		<T> void handle(List<T> payload) {
		}

	}

	static class PayloadExpression {

		@DelayQueueListener("orders")
		void handle(@Payload("number") String number) {
		}

	}

	static class HeadersNoMap {

		@DelayQueueListener("orders")
		void handle(@Headers String headers) {
		}

	}

	static class HeaderWithoutConversion {

		@DelayQueueListener("orders")
		void handle(@Header Runnable action) {
		}

	}

	static class ReturnsText {

		@DelayQueueListener("orders")
		String handle() {
			return "";
		}

	}

	static class ReturnsStageOfText {

		@DelayQueueListener("orders")
		CompletableFuture<String> handle() {
			return new CompletableFuture<>();
		}

	}

	static class MonoOfText {

		@DelayQueueListener("orders")
		Mono<String> handle() {
			return Mono.just("");
		}

	}

	static class RawMono {

		@DelayQueueListener("orders")
		@SuppressWarnings("rawtypes")
		Mono handle() {
			return Mono.empty();
		}

	}

	static class FluxOfResults {

		@DelayQueueListener("orders")
		Flux<TaskResult> handle() {
			return Flux.empty();
		}

	}

	static class BatchOfFlags {

		@DelayQueueListener(queue = "orders", batchSize = "2")
		Flux<Boolean> handle(List<String> payloads) {
			return Flux.empty();
		}

	}

	static class AsyncMethod {

		@Async
		@DelayQueueListener("orders")
		void handle() {
		}

	}

}
