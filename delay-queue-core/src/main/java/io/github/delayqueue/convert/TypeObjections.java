package io.github.delayqueue.convert;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import org.jspecify.annotations.Nullable;

/**
 * Writes payloads, unless no handler could ever read them. Why a type cannot be read is
 * found once for each type. Reasons are of types alone, and quote nothing. Thread-safe.
 */
final class TypeObjections {

	private static final String NONE = "";

	private final Map<Type, String> wholes = new ConcurrentHashMap<>();

	private final Map<Type, String> declared = new ConcurrentHashMap<>();

	private final Map<Class<?>, String> classes = new ConcurrentHashMap<>();

	private final Map<Class<?>, Boolean> hidden = new ConcurrentHashMap<>();

	/** Whether elements of a class are written with an id of their type. */
	private final ClassValue<Boolean> needsId = new ClassValue<>() {

		@Override
		protected Boolean computeValue(Class<?> type) {
			JsonTypeInfo.Value info = TypeObjections.this.look.typeInfo(type);
			return info != null && info.getIdType() != JsonTypeInfo.Id.NONE
					&& info.getIdType() != JsonTypeInfo.Id.DEDUCTION
					&& info.getInclusionType() != JsonTypeInfo.As.EXISTING_PROPERTY;
		}

	};

	private final Look look;

	TypeObjections(Look look) {
		this.look = look;
	}

	/** The reason, of the type or of a part of it; {@code null} if there is none. */
	@Nullable String whole(Type type) {
		return known(this.wholes, type, (added) -> this.look.objection(added, true));
	}

	/** Write a payload as JSON, unless it could not be read again. */
	void write(OutputStream out, Payload payload) throws IOException {
		requireReadable(payload);
		Object value = payload.value();
		if (value != null && hidesState(value)) {
			ByteArrayOutputStream json = new ByteArrayOutputStream();
			this.look.write(json, value, payload.type());
			out.write(requireState(value, json.toByteArray()));
		}
		else {
			this.look.write(out, value, payload.type());
		}
		if (payload.type() == null) {
			// what could be written does not contain itself
			requireNoneErased(value);
		}
	}

	/**
	 * Refuse what could never be read as the type that it is written as. A property is no
	 * reason: it may be {@code null}.
	 */
	private void requireReadable(Payload payload) {
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
	private boolean hidesState(Object value) {
		Boolean known = this.hidden.get(value.getClass());
		return (known != null) ? known : this.hidden.computeIfAbsent(value.getClass(),
				(added) -> hasState(added) && this.look.hidesState(added));
	}

	/** Refuse JSON that has nothing of an object with state. */
	private static byte[] requireState(Object value, byte[] json) {
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

	/**
	 * Look into a payload of which only the class is known, for an element whose id would
	 * be missing. Jackson writes the elements of a {@code List} as if they were of no
	 * hierarchy, and cannot read them again.
	 */
	private void requireNoneErased(@Nullable Object payload) {
		Class<?> found = find(payload);
		if (found != null) {
			throw new RefusedPayloadException("it does not say what it holds, so that no handler could tell a "
					+ found.getTypeName()
					+ " in it from other types: give its type, by TaskRequest's payload(value, new ParameterizedTypeReference<…>() {})");
		}
	}

	private @Nullable Class<?> find(@Nullable Object payload) {
		Stream<?> elements = (payload instanceof Collection<?> collection) ? collection.stream()
				: (payload instanceof Map<?, ?> map) ? map.values().stream()
						: (payload instanceof Optional<?> optional) ? optional.stream() : Stream.empty();
		return elements.<Class<?>>flatMap((element) -> Stream.ofNullable(findElement(element)))
			.findFirst()
			.orElse(null);
	}

	private @Nullable Class<?> findElement(@Nullable Object element) {
		return (element != null && this.needsId.get(element.getClass())) ? element.getClass() : find(element);
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
		 * Write a value as JSON.
		 * @param type the type that it is written as, {@code null} for its own
		 */
		void write(OutputStream out, @Nullable Object value, @Nullable Type type) throws IOException;

		/** How a class is annotated to name its subtypes. */
		JsonTypeInfo.@Nullable Value typeInfo(Class<?> type);

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
