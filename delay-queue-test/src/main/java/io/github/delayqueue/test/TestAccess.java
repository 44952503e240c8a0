package io.github.delayqueue.test;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

import io.github.delayqueue.convert.Payload;
import io.github.delayqueue.convert.PlainJson;
import io.github.delayqueue.convert.TaskCodec;
import io.github.delayqueue.convert.TaskOptions;
import io.github.delayqueue.producer.DelayQueueOperations;

/**
 * Compares payloads as what they are stored as: neither {@code equals} nor the generic
 * type of a handler makes a difference.
 */
record TestAccess(DelayQueueTestClock clock, DelayQueueOperations operations, TestListenerContainerRegistry registry,
		DeliveryRecorder deliveries, TaskCodec codec) {

	@Nullable String json(@Nullable Object payload) {
		// as of no known type: what a list holds may be of any
		byte[] envelope = this.codec.writeEnvelope("test", "test", new Payload(payload, Object.class), Map.of(),
				TaskOptions.NONE, Integer.MAX_VALUE);
		return this.codec.readEnvelope(envelope).payloadJson();
	}

	/** The order of fields makes no difference, nor do zeros at the end of a number. */
	boolean isSameJson(@Nullable String one, @Nullable String other) {
		return Objects.equals(read(one), read(other));
	}

	private static @Nullable Object read(@Nullable String json) {
		if (json == null) {
			return null;
		}
		try {
			return comparable(PlainJson.read(json.getBytes(StandardCharsets.UTF_8)));
		}
		catch (JacksonException ex) {
			return json;
		}
	}

	private static @Nullable Object comparable(@Nullable Object value) {
		if (value instanceof Map<?, ?> map) {
			Map<Object, @Nullable Object> comparable = new LinkedHashMap<>();
			map.forEach((name, content) -> comparable.put(name, comparable(content)));
			return comparable;
		}
		if (value instanceof List<?> list) {
			return list.stream().map(TestAccess::comparable).toList();
		}
		return (value instanceof BigDecimal number) ? number.stripTrailingZeros() : value;
	}

}
