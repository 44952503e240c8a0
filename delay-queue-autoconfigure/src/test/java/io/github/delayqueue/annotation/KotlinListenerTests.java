package io.github.delayqueue.annotation;

import java.util.List;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import io.github.delayqueue.listener.DelayQueueListenerEndpoint;
import io.github.delayqueue.listener.InvalidListenerException;
import io.github.delayqueue.listener.TaskResult;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Listeners written in Kotlin.
 */
class KotlinListenerTests {

	private final JsonMapper mapper = JsonMapper.builder().build();

	@Test
	void dataClassIsReadAndHandled() throws Exception {
		try (ListenerTestContext context = ListenerTestContext.of(KotlinListeners.class)) {
			assertThat(handle(context, "order", "{\"number\":\"a\",\"items\":[],\"note\":null}"))
				.isEqualTo(TaskResult.done());
			assertThat(handle(context, "task", "{\"number\":\"b\",\"items\":[],\"note\":\"c\"}"))
				.isEqualTo(TaskResult.done());
			assertThat(context.bean(KotlinListeners.class).getHandled())
				.containsExactly(new KotlinOrder("a", List.of(), null), new KotlinOrder("b", List.of(), "c"));
		}
	}

	@Test
	void nullableTypeTakesNullAndOtherTypesDoNot() throws Exception {
		try (ListenerTestContext context = ListenerTestContext.of(KotlinListeners.class)) {
			assertThat(handle(context, "nullable", "null")).isEqualTo(TaskResult.done());
			assertThat(handle(context, "order", "null")).isEqualTo(TaskResult.bury("Payload is null"));
			assertThat(context.bean(KotlinListeners.class).getHandled()).hasSize(1).containsOnlyNulls();
		}
	}

	@Test
	void resultsAreMapped() throws Exception {
		String order = "{\"number\":\"a\",\"items\":[]}";
		try (ListenerTestContext context = ListenerTestContext.of(KotlinListeners.class)) {
			assertThat(handle(context, "result", order)).isEqualTo(TaskResult.bury("of a"));
			assertThat(handle(context, "unit", order)).isEqualTo(TaskResult.done());
		}
	}

	@Test
	void listOfOpenClassIsBatch() throws Exception {
		try (ListenerTestContext context = ListenerTestContext.of(KotlinListeners.class)) {
			DelayQueueListenerEndpoint endpoint = context.endpoint("batch");
			assertThat(endpoint.payloadType()).isEqualTo(KotlinItem.class);
			assertThat(Deliveries.handleAll(endpoint, Deliveries.of(new KotlinItem("a")),
					Deliveries.of(new KotlinItem("b"))))
				.containsExactly(TaskResult.bury("a"), TaskResult.bury("b"));
		}
	}

	@Test
	void suspendFunctionIsRefused() {
		InvalidListenerException failure = ListenerTestContext.failureOf(KotlinSuspendListener.class);
		assertThat(failure).hasMessage("@DelayQueueListener method " + KotlinSuspendListener.class.getName()
				+ ".close(KotlinOrder, Continuation) is a Kotlin suspend function, which is not supported");
		assertThat(failure.getAction()).contains("Remove 'suspend'").contains("CompletableFuture");
	}

	private TaskResult handle(ListenerTestContext context, String queue, String json) throws Exception {
		DelayQueueListenerEndpoint endpoint = context.endpoint(queue);
		Object payload = this.mapper.readValue(json, this.mapper.constructType(endpoint.payloadType()));
		return Deliveries.handle(endpoint, payload);
	}

}
