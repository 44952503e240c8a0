package io.github.delayqueue.jackson;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Constructor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import org.jspecify.annotations.Nullable;

/**
 * Says what went wrong between JSON and objects, without the messages of Jackson and of
 * constructors, which may quote values.
 */
final class ReadableCause {

	private static final int MAX_NAME_LENGTH = 64;

	private final Throwable error;

	private final StringBuilder path = new StringBuilder();

	private int lastStep;

	private String location = "";

	private String types = "";

	ReadableCause(Throwable error) {
		this.error = error;
	}

	/** A step on the way to the place, by name or else by index. */
	void addStep(Object from, @Nullable String name, int index) {
		this.lastStep = this.path.length();
		if (name == null) {
			this.path.append('[').append(index).append(']');
		}
		else if (hasKeys(from)) {
			this.path.append("[*]");
		}
		else {
			this.path.append(this.path.isEmpty() ? "" : ".").append(printable(name));
		}
	}

	/** Of a name that no class has, and that is data therefore. */
	void hideLastStep() {
		if (!this.path.isEmpty()) {
			this.path.replace(this.lastStep, this.path.length(), "[*]");
		}
	}

	void setLocation(int line, int column) {
		this.location = (line > 0) ? " at line " + line + ", column " + column : "";
	}

	void setExpected(@Nullable Class<?> type) {
		this.types += (type != null) ? ", expected " + type.getTypeName() : "";
	}

	void setUnhandled(Class<?> type) {
		this.types += ", there is no way to handle a " + type.getTypeName();
	}

	@Override
	public String toString() {
		for (Throwable cause = this.error; cause != null; cause = cause.getCause()) {
			if (cause instanceof RefusedPayloadException) {
				return String.valueOf(cause.getMessage());
			}
		}
		Throwable cause = this.error.getCause();
		return this.error.getClass().getSimpleName() + (this.path.isEmpty() ? this.location : " at " + this.path)
				+ this.types
				+ ((cause != null && cause != this.error) ? ", caused by " + cause.getClass().getName() : "");
	}

	/** Keys are data, unlike the names of properties. */
	private static boolean hasKeys(Object from) {
		Class<?> type = (from instanceof Class<?> itself) ? itself : from.getClass();
		return Map.class.isAssignableFrom(type) || takesAny(type);
	}

	private static boolean takesAny(Class<?> type) {
		List<AnnotatedElement> members = new ArrayList<>();
		for (Class<?> declaring = type; declaring != null; declaring = declaring.getSuperclass()) {
			members.addAll(List.of(declaring.getDeclaredMethods()));
			members.addAll(List.of(declaring.getDeclaredFields()));
			for (Constructor<?> constructor : declaring.getDeclaredConstructors()) {
				members.addAll(List.of(constructor.getParameters()));
			}
		}
		return members.stream().anyMatch((member) -> member.isAnnotationPresent(JsonAnySetter.class));
	}

	private static String printable(String name) {
		String text = name.replaceAll("\\p{Cntrl}", "?");
		return (text.length() > MAX_NAME_LENGTH) ? text.substring(0, MAX_NAME_LENGTH) + "…" : text;
	}

}
