package io.github.delayqueue.test;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Compares payloads as what they are stored as: so it makes no difference whether a class
 * has an {@code equals}, nor which generic type a handler reads it as.
 */
final class PayloadJson {

	private final JsonMapper mapper;

	PayloadJson(JsonMapper mapper) {
		this.mapper = mapper;
	}

	/**
	 * What a payload is stored as.
	 * @param payload the payload, {@code null} for none
	 * @return its JSON
	 */
	String write(@Nullable Object payload) {
		return this.mapper.writeValueAsString(payload);
	}

	/**
	 * Whether two texts are the same JSON.
	 * @param one a text, {@code null} for none
	 * @param other another one
	 * @return whether they are; the order of fields makes no difference
	 */
	boolean isSame(@Nullable String one, @Nullable String other) {
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
