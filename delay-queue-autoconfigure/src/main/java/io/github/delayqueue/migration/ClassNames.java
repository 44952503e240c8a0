package io.github.delayqueue.migration;

import java.util.regex.Pattern;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Takes the names of classes out of JSON that Redisson's codecs have written, by
 * Jackson's default typing: objects have a property {@code @class}; all else that is not
 * of a final class, collections above all, is an array of the name and the content.
 */
final class ClassNames {

	private static final String PROPERTY = "@class";

	private static final Pattern NAME = Pattern
		.compile("\\[+([ZBCSIJFD]|L[\\w$.]+;)|[a-zA-Z_$][\\w$]*(\\.[a-zA-Z_$][\\w$]*)+(<.*>)?");

	private ClassNames() {
	}

	static JsonNode remove(JsonNode node) {
		if (node instanceof ArrayNode array) {
			return isWrapper(array) ? unwrapped(array.get(1)) : elements(array);
		}
		return (node instanceof ObjectNode object) ? properties(object) : node;
	}

	private static boolean isWrapper(ArrayNode array) {
		return array.size() == 2 && array.get(0).isString() && NAME.matcher(array.get(0).stringValue()).matches();
	}

	/** An array inside of a wrapper is none itself. */
	private static JsonNode unwrapped(JsonNode content) {
		return (content instanceof ArrayNode array) ? elements(array) : remove(content);
	}

	private static ArrayNode elements(ArrayNode array) {
		ArrayNode plain = JsonNodeFactory.instance.arrayNode(array.size());
		array.forEach((element) -> plain.add(remove(element)));
		return plain;
	}

	private static ObjectNode properties(ObjectNode object) {
		ObjectNode plain = JsonNodeFactory.instance.objectNode();
		object.properties().forEach((property) -> {
			if (!property.getKey().equals(PROPERTY)) {
				plain.set(property.getKey(), remove(property.getValue()));
			}
		});
		return plain;
	}

}
