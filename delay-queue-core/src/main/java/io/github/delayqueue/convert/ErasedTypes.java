package io.github.delayqueue.convert;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import org.jspecify.annotations.Nullable;

/**
 * Finds what is written without the id of its type because a payload's class does not say
 * what it holds: Jackson writes the elements of a {@code List<Animal>} that it only knows
 * as a {@code List} as if they were of no hierarchy, and cannot read them again.
 */
final class ErasedTypes {

	private final Function<Class<?>, JsonTypeInfo.@Nullable Value> typeInfo;

	private final ClassValue<Boolean> needsId = new ClassValue<>() {

		@Override
		protected Boolean computeValue(Class<?> type) {
			return isNeeded(type);
		}

	};

	ErasedTypes(Function<Class<?>, JsonTypeInfo.@Nullable Value> typeInfo) {
		this.typeInfo = typeInfo;
	}

	/**
	 * Look into a payload of which only the class is known, for an element whose id would
	 * be missing.
	 */
	void requireNone(@Nullable Object payload) {
		Class<?> found = find(payload);
		if (found != null) {
			throw new RefusedPayloadException("it does not say what it holds, so that no handler could tell a "
					+ found.getTypeName()
					+ " in it from other types: give its type, by TaskRequest's payload(value, new ParameterizedTypeReference<…>() {})");
		}
	}

	private @Nullable Class<?> find(@Nullable Object payload) {
		if (payload instanceof Collection<?> elements) {
			return findIn(elements);
		}
		if (payload instanceof Map<?, ?> map) {
			return findIn(map.values());
		}
		if (payload instanceof Optional<?> optional) {
			return optional.map(this::findElement).orElse(null);
		}
		return null;
	}

	private @Nullable Class<?> findIn(Iterable<?> elements) {
		for (Object element : elements) {
			Class<?> found = findElement(element);
			if (found != null) {
				return found;
			}
		}
		return null;
	}

	private @Nullable Class<?> findElement(@Nullable Object element) {
		return (element != null && this.needsId.get(element.getClass())) ? element.getClass() : find(element);
	}

	private boolean isNeeded(Class<?> type) {
		JsonTypeInfo.Value info = this.typeInfo.apply(type);
		if (info == null) {
			return false;
		}
		return info.getIdType() != JsonTypeInfo.Id.NONE && info.getIdType() != JsonTypeInfo.Id.DEDUCTION
				&& info.getInclusionType() != JsonTypeInfo.As.EXISTING_PROPERTY;
	}

}
