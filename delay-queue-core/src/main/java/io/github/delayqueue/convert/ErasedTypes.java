package io.github.delayqueue.convert;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.SerializationConfig;
import tools.jackson.databind.introspect.AnnotatedClass;
import tools.jackson.databind.json.JsonMapper;

/**
 * Finds what is written without the id of its type because a payload's class does not say
 * what it holds: Jackson writes the elements of a {@code List<Animal>} that it only knows
 * as a {@code List} as if they were of no hierarchy, and cannot read them again.
 */
final class ErasedTypes {

	private final SerializationConfig config;

	private final ClassValue<Boolean> needsId = new ClassValue<>() {

		@Override
		protected Boolean computeValue(Class<?> type) {
			return isNeeded(type);
		}

	};

	ErasedTypes(JsonMapper mapper) {
		this.config = mapper.serializationConfig();
	}

	/**
	 * Look into a payload of which only the class is known, for an element whose id would
	 * be missing; answers its class.
	 */
	@Nullable Class<?> find(@Nullable Object payload) {
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
		AnnotatedClass annotated = this.config.classIntrospectorInstance()
			.introspectClassAnnotations(this.config.constructType(type));
		JsonTypeInfo.Value info = this.config.getAnnotationIntrospector()
			.findPolymorphicTypeInfo(this.config, annotated);
		if (info == null) {
			return false;
		}
		return info.getIdType() != JsonTypeInfo.Id.NONE && info.getIdType() != JsonTypeInfo.Id.DEDUCTION
				&& info.getInclusionType() != JsonTypeInfo.As.EXISTING_PROPERTY;
	}

}
