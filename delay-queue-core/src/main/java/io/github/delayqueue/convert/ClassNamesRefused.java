package io.github.delayqueue.convert;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.NopAnnotationIntrospector;

/**
 * Refuses types that are annotated to write class names into JSON and to read them from
 * there: nothing in the store may choose a class. Refused when such a payload is written,
 * not only when it is read.
 */
final class ClassNamesRefused extends NopAnnotationIntrospector {

	private static final long serialVersionUID = 1L;

	@Override
	public JsonTypeInfo.@Nullable Value findPolymorphicTypeInfo(MapperConfig<?> config, Annotated annotated) {
		JsonTypeInfo info = annotated.getAnnotation(JsonTypeInfo.class);
		if (info != null && (info.use() == JsonTypeInfo.Id.CLASS || info.use() == JsonTypeInfo.Id.MINIMAL_CLASS)) {
			throw new ClassNameException(annotated.getName());
		}
		return null;
	}

	/**
	 * Says what is refused, in words that contain nothing of a payload.
	 */
	static final class ClassNameException extends RuntimeException {

		private static final long serialVersionUID = 1L;

		ClassNameException(String name) {
			super("@JsonTypeInfo of " + name + " lets the JSON choose a class, which is refused:"
					+ " use JsonTypeInfo.Id.NAME and list the subtypes");
		}

	}

}
