package io.github.delayqueue.migration;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import io.github.delayqueue.DelayQueueException;

/**
 * Readers for values that codecs of Redisson have written. None of them creates a class
 * that the value names. For other codecs, Kryo for instance, a {@link PayloadReader} of
 * your own can call the codec. For users.
 */
public final class RedissonPayloads {

	private static final JsonMapper MAPPER = JsonMapper.builder()
		.disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
		.enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
		.enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
		.build();

	private RedissonPayloads() {
	}

	/**
	 * What {@code StringCodec} has written.
	 * @return a reader that answers the text
	 */
	public static PayloadReader<String> text() {
		return (value) -> StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(value)).toString();
	}

	/**
	 * What {@code JsonJacksonCodec} or {@code JsonJackson3Codec} have written. An array
	 * of two texts, the first of which looks like the name of a class that is not one of
	 * Java's ({@code ["order.created","order.paid"]}), is unreadable: these codecs write
	 * a {@code String[]} and a name with a value alike. Let your codec read such values.
	 * @return a reader that answers the JSON without the names of classes
	 */
	public static PayloadReader<JsonNode> json() {
		return (value) -> ClassNames.remove(tree(value));
	}

	/**
	 * As {@link #json()}, as a type. Properties that it does not have are passed over.
	 * @param <T> type of the payload
	 * @param type what to read it as
	 * @return a reader that answers an object of that type
	 */
	public static <T> PayloadReader<T> json(Class<T> type) {
		return (value) -> MAPPER.treeToValue(ClassNames.remove(tree(value)), type);
	}

	/**
	 * What {@code TypedJsonJacksonCodec} or {@code TypedJsonJackson3Codec} have written.
	 * @return a reader that answers the JSON as it is
	 */
	public static PayloadReader<JsonNode> typedJson() {
		return RedissonPayloads::tree;
	}

	/**
	 * As {@link #typedJson()}, as a type. Properties that it does not have are passed
	 * over.
	 * @param <T> type of the payload
	 * @param type what to read it as
	 * @return a reader that answers an object of that type
	 */
	public static <T> PayloadReader<T> typedJson(Class<T> type) {
		return (value) -> MAPPER.treeToValue(tree(value), type);
	}

	private static JsonNode tree(byte[] value) {
		JsonNode tree = MAPPER.readTree(value);
		if (tree.isMissingNode()) {
			throw new DelayQueueException(null, null, "The value is empty, and no JSON");
		}
		return tree;
	}

}
