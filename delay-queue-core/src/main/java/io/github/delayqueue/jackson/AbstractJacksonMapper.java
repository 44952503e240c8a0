package io.github.delayqueue.jackson;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotationUtils;

import io.github.delayqueue.convert.Payload;
import io.github.delayqueue.convert.PayloadMapper;

/**
 * What both versions of Jackson have in common: writes payloads, unless no handler could
 * ever read them. Why a type cannot be read is found once for each type: Jackson says it,
 * when it is to read what has no content. Reasons are of types alone, and quote nothing.
 * Thread-safe.
 *
 * @param <R> what reads JSON as one type
 */
abstract class AbstractJacksonMapper<R> implements PayloadMapper {

	private static final String NONE = "";

	/** So deep into collections of collections. */
	private static final int MAX_DEPTH = 8;

	/** As many as there are types of handlers, of payloads, and asked for in code. */
	private final Map<Type, R> readers = new ConcurrentHashMap<>();

	private final Map<Type, String> declared = new ConcurrentHashMap<>();

	/** The reason, of a payload of which only the class is known. */
	private final ClassValue<@Nullable String> ofClass = perClass(this::ofClass);

	/** Whether nothing may be written of objects of a class, which have state. */
	private final ClassValue<Boolean> statesHidden = perClass((type) -> hasState(type) && hidesState(type));

	/** Whether elements of a class are written with an id of their type. */
	private final ClassValue<Boolean> needsId = perClass((type) -> {
		JsonTypeInfo info = AnnotationUtils.findAnnotation(type, JsonTypeInfo.class);
		return info != null && info.use() != JsonTypeInfo.Id.NONE && info.use() != JsonTypeInfo.Id.DEDUCTION
				&& info.include() != JsonTypeInfo.As.EXISTING_PROPERTY;
	});

	private static <T extends @Nullable Object> ClassValue<T> perClass(Function<Class<?>, T> find) {
		return new ClassValue<>() {

			@Override
			protected T computeValue(Class<?> type) {
				return find.apply(type);
			}

		};
	}

	abstract R newReader(Type type);

	/** As a type or its own. Says whether it certainly is plain JSON. */
	abstract boolean write(OutputStream out, @Nullable Object value, @Nullable Type type) throws IOException;

	/** Of an error of reading, why nothing could be read as that type. */
	abstract @Nullable String objection(Throwable error);

	/** Whether objects of a class are written as JSON objects, by their properties. */
	abstract boolean isBean(Class<?> type);

	/** Whether no property of a class is found. */
	abstract boolean hidesState(Class<?> type);

	R reader(Type type) {
		R known = this.readers.get(type);
		return (known != null) ? known : this.readers.computeIfAbsent(type, this::newReader);
	}

	@Override
	public void write(OutputStream out, Payload payload) throws IOException {
		writePlain(out, payload);
	}

	@Override
	public boolean writePlain(OutputStream out, Payload payload) throws IOException {
		Type type = payload.type();
		Object value = payload.value();
		String objection = (type != null) ? objection(type)
				: (value != null) ? this.ofClass.get(value.getClass()) : null;
		if (objection != null) {
			throw new RefusedPayloadException("it could never be read again, because " + objection);
		}
		boolean plain;
		if (value != null && this.statesHidden.get(value.getClass())) {
			ByteArrayOutputStream json = new ByteArrayOutputStream();
			plain = write(json, value, type);
			out.write(requireState(value, json.toByteArray()));
		}
		else {
			plain = write(out, value, type);
		}
		if (type == null) {
			// what could be written does not contain itself
			requireNoneErased(value);
		}
		return plain;
	}

	@Override
	public @Nullable String objection(Type type) {
		String objection = this.declared.get(type);
		if (objection == null) {
			String found = objection(type, sample(ResolvableType.forType(type), MAX_DEPTH));
			objection = (found != null) ? found : NONE;
			this.declared.put(type, objection);
		}
		return objection.isEmpty() ? null : objection;
	}

	/** Why nothing could be read as a type, of which this is JSON, almost empty. */
	private @Nullable String objection(Type type, String sample) {
		byte[] json = sample.getBytes(StandardCharsets.UTF_8);
		try {
			read(json, 0, json.length, type);
			return null;
		}
		catch (RefusedPayloadException ex) {
			return ex.getMessage();
		}
		catch (IOException | RuntimeException | LinkageError ex) {
			// what has content may be read
			return objection(ex);
		}
	}

	/** JSON of a type: an object without properties, or a collection of one. */
	private static String sample(ResolvableType type, int depth) {
		if (depth > 0 && type.isArray()) {
			return "[" + sample(type.getComponentType(), depth - 1) + "]";
		}
		if (depth > 0 && Collection.class.isAssignableFrom(type.toClass())) {
			return "[" + sample(type.asCollection().getGeneric(), depth - 1) + "]";
		}
		if (depth > 0 && Map.class.isAssignableFrom(type.toClass())) {
			return "{\"\":" + sample(type.asMap().getGeneric(1), depth - 1) + "}";
		}
		return (depth > 0 && type.toClass() == Optional.class) ? sample(type.getGeneric(), depth - 1) : "{}";
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
		return (named && isBean(type)) ? objection(type) : null;
	}

	/** What Java itself has says how it is written. */
	private static boolean hasState(Class<?> type) {
		for (Class<?> declaring = type; declaring != null
				&& declaring.getClassLoader() != null; declaring = declaring.getSuperclass()) {
			for (Field field : declaring.getDeclaredFields()) {
				if (!field.isSynthetic() && (field.getModifiers() & (Modifier.STATIC | Modifier.TRANSIENT)) == 0) {
					return true;
				}
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
		Collection<?> elements = (payload instanceof Collection<?> collection) ? collection
				: (payload instanceof Map<?, ?> map) ? map.values()
						: (payload instanceof Optional<?> optional && optional.isPresent()) ? List.of(optional.get())
								: List.of();
		for (Object element : elements) {
			if (element != null && this.needsId.get(element.getClass())) {
				throw new RefusedPayloadException("it does not say what it holds, so that no handler could tell a "
						+ element.getClass().getTypeName()
						+ " in it from other types: give its type, by TaskRequest's payload(value, new ParameterizedTypeReference<…>() {})");
			}
			requireNoneErased(element);
		}
	}

	/** Whether an error says of a bean that nothing can be read as it. */
	boolean lacksCreator(String error, Class<?> type) {
		return error.contains("no delegate- or property-based Creator") && isBean(type);
	}

}
