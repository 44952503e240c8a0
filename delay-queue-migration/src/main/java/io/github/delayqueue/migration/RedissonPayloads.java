package io.github.delayqueue.migration;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

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

	private static final String CLASS_PROPERTY = "@class";

	private static final Pattern CLASS_NAME = Pattern
		.compile("\\[+([ZBCSIJFD]|L[\\w$.]+;)|[a-zA-Z_$][\\w$]*(\\.[a-zA-Z_$][\\w$]*)+(<.*>)?");

	/** What Java itself has and Jackson writes as text, a {@code UUID} for instance. */
	private static final Pattern CLASS_NAME_OF_JAVA = Pattern.compile("(java|sun)\\..*");

	private RedissonPayloads() {
	}

	/** Returns the text that {@code StringCodec} has written. */
	public static PayloadReader<String> text() {
		return (value) -> StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(value)).toString();
	}

	/**
	 * Returns the JSON that {@code JsonJacksonCodec} or {@code JsonJackson3Codec} have
	 * written, without the names of classes. An array of two texts, the first of which
	 * looks like the name of a class that is not one of Java's
	 * ({@code ["order.created","order.paid"]}), is unreadable: these codecs write a
	 * {@code String[]} and a name with a value alike. Let your codec read such values.
	 */
	public static PayloadReader<JsonNode> json() {
		return (value) -> withoutClassNames(tree(value));
	}

	/**
	 * As {@link #json()}, as a type. Properties that it does not have are passed over.
	 */
	public static <T> PayloadReader<T> json(Class<T> type) {
		return (value) -> MAPPER.treeToValue(withoutClassNames(tree(value)), type);
	}

	/**
	 * Returns the JSON that {@code TypedJsonJacksonCodec} or
	 * {@code TypedJsonJackson3Codec} have written.
	 */
	public static PayloadReader<JsonNode> typedJson() {
		return RedissonPayloads::tree;
	}

	/**
	 * As {@link #typedJson()}, as a type. Properties that it does not have are passed
	 * over.
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

	/**
	 * Takes the names of classes out that Jackson's default typing has written: objects
	 * have a property {@code @class}; all else that is not of a final class, collections
	 * above all, is an array of the name and the content. Arrays of a final class have no
	 * name, so two strings may be a name and a content, or a {@code String[]}: where it
	 * cannot be told, the value is refused. Where there is no name for certain, what
	 * looks like one is a value.
	 */
	private static JsonNode withoutClassNames(JsonNode node) {
		return hasNames(node) ? removed(node) : node;
	}

	private static boolean hasNames(JsonNode node) {
		return (node instanceof ObjectNode object && object.has(CLASS_PROPERTY))
				|| (node instanceof ArrayNode array && isPair(array) && !array.get(1).isString())
				|| node.valueStream().anyMatch(RedissonPayloads::hasNames);
	}

	private static JsonNode removed(JsonNode node) {
		if (node instanceof ObjectNode object) {
			ObjectNode plain = JsonNodeFactory.instance.objectNode();
			object.forEachEntry((name, value) -> {
				if (!name.equals(CLASS_PROPERTY)) {
					plain.set(name, removed(value));
				}
			});
			return plain;
		}
		if (!(node instanceof ArrayNode array)) {
			return node;
		}
		if (!isWrapper(array)) {
			return elements(array);
		}
		// an array inside of a wrapper is none itself
		return (array.get(1) instanceof ArrayNode content) ? elements(content) : removed(array.get(1));
	}

	/** No content is null: that has no type. */
	private static boolean isPair(ArrayNode array) {
		return array.size() == 2 && array.get(0).isString() && !array.get(1).isNull()
				&& CLASS_NAME.matcher(array.get(0).stringValue()).matches();
	}

	private static boolean isWrapper(ArrayNode array) {
		boolean pair = isPair(array);
		if (pair && array.get(1).isString() && !CLASS_NAME_OF_JAVA.matcher(array.get(0).stringValue()).matches()) {
			throw new DelayQueueException(null, null,
					"It has an array of two texts, the first of which is the name of a "
							+ "class or looks like one: it has to be read by its codec");
		}
		return pair;
	}

	private static ArrayNode elements(ArrayNode array) {
		ArrayNode plain = JsonNodeFactory.instance.arrayNode(array.size());
		array.forEach((element) -> plain.add(removed(element)));
		return plain;
	}

}
