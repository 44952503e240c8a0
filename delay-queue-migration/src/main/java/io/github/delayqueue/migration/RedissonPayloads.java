package io.github.delayqueue.migration;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import org.jspecify.annotations.Nullable;
import org.springframework.core.SpringVersion;
import org.springframework.util.ClassUtils;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.jackson.Jackson2PayloadMapper;
import io.github.delayqueue.jackson.JacksonPayloadMapper;
import io.github.delayqueue.convert.PayloadMapper;
import io.github.delayqueue.convert.PlainJson;

/**
 * Readers for values that codecs of Redisson have written. None of them creates a class
 * that the value names. For other codecs, Kryo for instance, a {@link PayloadReader} of
 * your own can call the codec. For users.
 */
public final class RedissonPayloads {

	private static final String JACKSON_2 = "com.fasterxml.jackson.databind.";

	/** With Spring 6, Jackson 3 is there for another library. */
	private static final boolean BY_JACKSON_2 = isPresent(JACKSON_2 + "ObjectMapper")
			&& (String.valueOf(SpringVersion.getVersion()).startsWith("6.")
					|| !isPresent("tools.jackson.databind.json.JsonMapper"));

	private static final String CLASS_PROPERTY = "@class";

	private static final Pattern CLASS_NAME = Pattern
		.compile("\\[+([ZBCSIJFD]|L[\\w$.]+;)|[a-zA-Z_$][\\w$]*(\\.[a-zA-Z_$][\\w$]*)+(<.*>)?");

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
	 * With Jackson 2, ask for its own {@code JsonNode} by {@link #json(Class)}:
	 * {@code json(com.fasterxml.jackson.databind.JsonNode.class)}.
	 */
	public static PayloadReader<JsonNode> json() {
		return json(JsonNode.class);
	}

	/**
	 * As {@link #json()}, as a type. Properties that it does not have are passed over.
	 */
	public static <T> PayloadReader<T> json(Class<T> type) {
		return (value) -> {
			Object json = PlainJson.read(value);
			return read(hasNames(json) ? PlainJson.write(removed(json)) : value, type);
		};
	}

	/**
	 * Returns the JSON that {@code TypedJsonJacksonCodec} or
	 * {@code TypedJsonJackson3Codec} have written. With Jackson 2, ask for its own
	 * {@code JsonNode} by {@link #typedJson(Class)}.
	 */
	public static PayloadReader<JsonNode> typedJson() {
		return typedJson(JsonNode.class);
	}

	/**
	 * As {@link #typedJson()}, as a type. Properties that it does not have are passed
	 * over.
	 */
	public static <T> PayloadReader<T> typedJson(Class<T> type) {
		return (value) -> read(value, type);
	}

	private static <T> @Nullable T read(byte[] json, Class<T> type) throws IOException {
		String name = type.getName();
		boolean byJackson2 = BY_JACKSON_2 ? !name.startsWith("tools.jackson.") : name.startsWith(JACKSON_2);
		@SuppressWarnings("unchecked")
		T value = (T) (byJackson2 ? ByJackson2.MAPPER : ByJackson.MAPPER).read(json, 0, json.length, type);
		return value;
	}

	private static boolean isPresent(String name) {
		return ClassUtils.isPresent(name, RedissonPayloads.class.getClassLoader());
	}

	/** Whether it has any name of a class for certain. */
	private static boolean hasNames(@Nullable Object json) {
		if (json instanceof Map<?, ?> object) {
			return object.containsKey(CLASS_PROPERTY) || object.values().stream().anyMatch(RedissonPayloads::hasNames);
		}
		return json instanceof List<?> array && ((isPair(array) && !(array.get(1) instanceof String))
				|| array.stream().anyMatch(RedissonPayloads::hasNames));
	}

	/**
	 * Takes the names of classes out that Jackson's default typing has written: objects
	 * have a property {@code @class}; all else that is not of a final class, collections
	 * above all, is an array of the name and the content. Arrays of a final class have no
	 * name, so two strings may be a name and a content, or a {@code String[]}: where it
	 * cannot be told, the value is refused. Where there is no name for certain, what
	 * looks like one is a value.
	 */
	private static @Nullable Object removed(@Nullable Object json) {
		if (json instanceof Map<?, ?> object) {
			Map<Object, @Nullable Object> plain = new LinkedHashMap<>();
			object.forEach((name, value) -> {
				if (!CLASS_PROPERTY.equals(name)) {
					plain.put(name, removed(value));
				}
			});
			return plain;
		}
		if (!(json instanceof List<?> array)) {
			return json;
		}
		if (!isWrapper(array)) {
			return elements(array);
		}
		// an array inside of a wrapper is none itself
		return (array.get(1) instanceof List<?> content) ? elements(content) : removed(array.get(1));
	}

	/** No content is null: that has no type. */
	private static boolean isPair(List<?> array) {
		return array.size() == 2 && array.get(0) instanceof String name && array.get(1) != null
				&& CLASS_NAME.matcher(name).matches();
	}

	private static boolean isWrapper(List<?> array) {
		boolean pair = isPair(array);
		// Jackson writes some of what Java itself has as text, a UUID for instance
		if (pair && array.get(0) instanceof String name && array.get(1) instanceof String && !name.startsWith("java.")
				&& !name.startsWith("sun.")) {
			throw new DelayQueueException(null, null,
					"It has an array of two texts, the first of which is the name of a "
							+ "class or looks like one: it has to be read by its codec");
		}
		return pair;
	}

	private static List<@Nullable Object> elements(List<?> array) {
		return array.stream().<@Nullable Object>map(RedissonPayloads::removed).toList();
	}

	/** Apart, because an application may have Jackson 2 only. */
	private static final class ByJackson {

		static final PayloadMapper MAPPER = new JacksonPayloadMapper(JsonMapper.builder()
			.disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
			.enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
			.enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
			.build());

	}

	private static final class ByJackson2 {

		static final PayloadMapper MAPPER = new Jackson2PayloadMapper(
				com.fasterxml.jackson.databind.json.JsonMapper.builder()
					.findAndAddModules()
					.disable(com.fasterxml.jackson.databind.DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
					.enable(com.fasterxml.jackson.databind.DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
					.enable(com.fasterxml.jackson.databind.DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
					.disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
					.build());

	}

}
