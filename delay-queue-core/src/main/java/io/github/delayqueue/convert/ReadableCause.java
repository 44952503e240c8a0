package io.github.delayqueue.convert;

import java.lang.reflect.AccessibleObject;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.exc.InvalidDefinitionException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.PropertyBindingException;

import io.github.delayqueue.convert.ClassNamesRefused.ClassNameException;

/**
 * Says what went wrong between JSON and objects without quoting either: kind of the
 * error, place, and expected type. The messages of Jackson quote values, those of
 * constructors and converters may.
 */
final class ReadableCause {

	private static final int MAX_NAME_LENGTH = 64;

	private ReadableCause() {
	}

	static String describe(Throwable error) {
		for (Throwable cause = error; cause != null; cause = cause.getCause()) {
			if (cause instanceof ClassNameException) {
				return String.valueOf(cause.getMessage());
			}
		}
		StringBuilder text = new StringBuilder(error.getClass().getSimpleName());
		if (error instanceof JacksonException jackson) {
			appendPlace(text, jackson);
		}
		if (error instanceof MismatchedInputException mismatch && mismatch.getTargetType() != null) {
			text.append(", expected is ").append(mismatch.getTargetType().getTypeName());
		}
		if (error instanceof InvalidDefinitionException definition && definition.getType() != null) {
			text.append(", there is no way to handle a ").append(definition.getType().getRawClass().getTypeName());
		}
		if (error.getCause() != null && error.getCause() != error) {
			text.append(", caused by ").append(error.getCause().getClass().getName());
		}
		return text.toString();
	}

	private static void appendPlace(StringBuilder text, JacksonException error) {
		String path = path(error.getPath(), error instanceof PropertyBindingException);
		TokenStreamLocation location = error.getLocation();
		if (!path.isEmpty()) {
			text.append(" at ").append(path);
		}
		else if (location != null && location.getLineNr() > 0) {
			text.append(" at line ").append(location.getLineNr()).append(", column ").append(location.getColumnNr());
		}
	}

	private static String path(List<JacksonException.Reference> references, boolean lastIsUnknown) {
		StringBuilder path = new StringBuilder();
		for (int i = 0; i < references.size(); i++) {
			JacksonException.Reference reference = references.get(i);
			String name = reference.getPropertyName();
			if (name == null) {
				path.append('[').append(reference.getIndex()).append(']');
			}
			else if (hasKeys(reference.from()) || (lastIsUnknown && i == references.size() - 1)) {
				path.append("[*]");
			}
			else {
				path.append(path.isEmpty() ? "" : ".").append(printable(name));
			}
		}
		return path.toString();
	}

	/**
	 * Keys are data, unlike the names of properties: those of a map, and those that a
	 * class takes beside its properties.
	 */
	private static boolean hasKeys(Object from) {
		Class<?> type = (from instanceof Class<?> itself) ? itself : from.getClass();
		return Map.class.isAssignableFrom(type) || takesAny(type);
	}

	private static boolean takesAny(Class<?> type) {
		for (Class<?> declaring = type; declaring != null; declaring = declaring.getSuperclass()) {
			Stream<AccessibleObject> members = Stream.of(declaring.getDeclaredMethods(), declaring.getDeclaredFields())
				.flatMap(Stream::of);
			if (members.anyMatch((member) -> member.isAnnotationPresent(JsonAnySetter.class))
					|| Stream.of(declaring.getDeclaredConstructors())
						.flatMap((constructor) -> Stream.of(constructor.getParameters()))
						.anyMatch((parameter) -> parameter.isAnnotationPresent(JsonAnySetter.class))) {
				return true;
			}
		}
		return false;
	}

	private static String printable(String name) {
		String text = name.replaceAll("\\p{Cntrl}", "?");
		return (text.length() > MAX_NAME_LENGTH) ? text.substring(0, MAX_NAME_LENGTH) + "…" : text;
	}

}
