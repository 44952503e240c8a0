package io.github.delayqueue.test;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import io.github.delayqueue.producer.DelayQueueOperations;

/**
 * What questions about a test's queues are answered with. Compares payloads as what they
 * are stored as: so it makes no difference whether a class has an {@code equals}, nor
 * which generic type a handler reads it as.
 */
record TestAccess(DelayQueueTestClock clock, DelayQueueOperations operations, TestListenerContainerRegistry registry,
		Deliveries deliveries, JsonMapper mapper) {

	String json(@Nullable Object payload) {
		return this.mapper.writeValueAsString(payload);
	}

	/** The order of fields makes no difference. */
	boolean isSameJson(@Nullable String one, @Nullable String other) {
		return read(one).equals(read(other));
	}

	private JsonNode read(@Nullable String json) {
		if (json == null) {
			return this.mapper.nullNode();
		}
		try {
			return this.mapper.readTree(json);
		}
		catch (JacksonException ex) {
			return this.mapper.getNodeFactory().stringNode(json);
		}
	}

}
