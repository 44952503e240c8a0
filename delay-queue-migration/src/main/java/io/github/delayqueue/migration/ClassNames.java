package io.github.delayqueue.migration;

import java.util.regex.Pattern;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import io.github.delayqueue.DelayQueueException;

/**
 * Takes the names of classes out of JSON that Redisson's codecs have written, by
 * Jackson's default typing: objects have a property {@code @class}; all else that is not
 * of a final class, collections above all, is an array of the name and the content.
 * <p>
 * Arrays of a final class have no name, so two strings may be a name and a content, or a
 * {@code String[]}. Where it cannot be told, the value is refused.
 */
final class ClassNames {

	private static final String PROPERTY = "@class";

	private static final Pattern NAME = Pattern
		.compile("\\[+([ZBCSIJFD]|L[\\w$.]+;)|[a-zA-Z_$][\\w$]*(\\.[a-zA-Z_$][\\w$]*)+(<.*>)?");

	/** What Java itself has and Jackson writes as text, a {@code UUID} for instance. */
	private static final Pattern NAME_OF_JAVA = Pattern.compile("(java|sun)\\..*");

	private ClassNames() {
	}

	/** Where there is none for certain, what looks like a name is a value. */
	static JsonNode remove(JsonNode node) {
		return hasNames(node) ? removed(node) : node;
	}

	private static boolean hasNames(JsonNode node) {
		return (node instanceof ObjectNode object && object.has(PROPERTY))
				|| (node instanceof ArrayNode array && isPair(array) && !array.get(1).isString())
				|| node.valueStream().anyMatch(ClassNames::hasNames);
	}

	private static JsonNode removed(JsonNode node) {
		if (node instanceof ObjectNode object) {
			ObjectNode plain = JsonNodeFactory.instance.objectNode();
			object.forEachEntry((name, value) -> {
				if (!name.equals(PROPERTY)) {
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
				&& NAME.matcher(array.get(0).stringValue()).matches();
	}

	private static boolean isWrapper(ArrayNode array) {
		boolean pair = isPair(array);
		if (pair && array.get(1).isString() && !NAME_OF_JAVA.matcher(array.get(0).stringValue()).matches()) {
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
