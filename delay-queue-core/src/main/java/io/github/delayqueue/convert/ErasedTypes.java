package io.github.delayqueue.convert;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

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
			JsonTypeInfo.Value info = ErasedTypes.this.typeInfo.apply(type);
			return info != null && info.getIdType() != JsonTypeInfo.Id.NONE
					&& info.getIdType() != JsonTypeInfo.Id.DEDUCTION
					&& info.getInclusionType() != JsonTypeInfo.As.EXISTING_PROPERTY;
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

}
