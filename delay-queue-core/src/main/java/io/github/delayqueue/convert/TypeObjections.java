package io.github.delayqueue.convert;

import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/**
 * Why no payload could ever be read as a type, found once for each type. Reasons are of
 * types alone, and quote nothing. Thread-safe.
 */
final class TypeObjections {

	private static final String NONE = "";

	private final Map<Type, String> wholes = new ConcurrentHashMap<>();

	private final Map<Type, String> declared = new ConcurrentHashMap<>();

	private final Map<Class<?>, String> classes = new ConcurrentHashMap<>();

	private final Map<Class<?>, Boolean> hidden = new ConcurrentHashMap<>();

	private final Look look;

	TypeObjections(Look look) {
		this.look = look;
	}

	/** The reason, of the type or of a part of it; {@code null} if there is none. */
	@Nullable String whole(Type type) {
		return known(this.wholes, type, (added) -> this.look.objection(added, true));
	}

	/**
	 * Refuse what could never be read as the type that it is written as. A property is no
	 * reason: it may be {@code null}.
	 */
	void requireReadable(Payload payload) {
		Type type = payload.type();
		Object value = payload.value();
		if (type == null && value == null) {
			return;
		}
		String objection = (type != null) ? known(this.declared, type, (added) -> this.look.objection(added, false))
				: known(this.classes, value.getClass(), this::ofClass);
		if (objection != null) {
			throw new RefusedPayloadException("it could never be read again, because " + objection);
		}
	}

	/** Whether nothing may be written of an object that has state. */
	boolean hidesState(@Nullable Object value) {
		if (value == null) {
			return false;
		}
		Boolean known = this.hidden.get(value.getClass());
		return (known != null) ? known : this.hidden.computeIfAbsent(value.getClass(),
				(added) -> hasState(added) && this.look.hidesState(added));
	}

	/** Refuse JSON that has nothing of an object with state. */
	static byte[] requireState(Object value, byte[] json) {
		if (json.length == 2 && json[0] == '{') {
			throw new RefusedPayloadException("nothing of it would be stored, because Jackson finds no property in "
					+ value.getClass().getTypeName() + ": give it getters, or @JsonProperty");
		}
		return json;
	}

	/** Of a class that is no bean another type is read, and so is a proxy. */
	private @Nullable String ofClass(Class<?> type) {
		boolean named = !type.isAnonymousClass() && !type.isHidden() && !Proxy.isProxyClass(type)
				&& !type.getName().contains("$$");
		return (named && this.look.isBean(type)) ? this.look.objection(type, false) : null;
	}

	private static <T extends Type> @Nullable String known(Map<T, String> known, T type,
			Function<T, @Nullable String> added) {
		String objection = known.get(type);
		if (objection == null) {
			String found = added.apply(type);
			objection = (found != null) ? found : NONE;
			known.put(type, objection);
		}
		return objection.isEmpty() ? null : objection;
	}

	/** What Java itself has says how it is written. */
	private static boolean hasState(Class<?> type) {
		for (Class<?> declaring = type; declaring != null
				&& declaring.getClassLoader() != null; declaring = declaring.getSuperclass()) {
			if (Arrays.stream(declaring.getDeclaredFields())
				.anyMatch((field) -> !field.isSynthetic()
						&& (field.getModifiers() & (Modifier.STATIC | Modifier.TRANSIENT)) == 0)) {
				return true;
			}
		}
		return false;
	}

	static String noCreator(Class<?> type) {
		return type.getTypeName() + " has no creator: give it a constructor without parameters, or annotate a "
				+ "constructor or a factory method with @JsonCreator, or name its builder by @JsonDeserialize";
	}

	static String isAbstract(Class<?> type) {
		return type.getTypeName() + " is abstract and nothing says which subtype to create: "
				+ "annotate it with @JsonTypeInfo(use = Id.NAME) and @JsonSubTypes, or use a concrete type";
	}

	/** How a version of Jackson sees types. */
	interface Look {

		/**
		 * Why nothing could be read as a type.
		 * @param deep whether the properties of beans are looked at as well
		 */
		@Nullable String objection(Type type, boolean deep);

		/**
		 * Whether objects of a class are written as JSON objects, by their properties.
		 */
		boolean isBean(Class<?> type);

		/** Whether no property of a class is found. */
		boolean hidesState(Class<?> type);

	}

}
