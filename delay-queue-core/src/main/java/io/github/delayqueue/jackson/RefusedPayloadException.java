package io.github.delayqueue.jackson;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import org.jspecify.annotations.Nullable;

/** Says what is refused, in words that contain nothing of a payload. */
final class RefusedPayloadException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	RefusedPayloadException(String message) {
		super(message);
	}

	/** Nothing in the store may choose a class. */
	static void requireNoClassNames(@Nullable JsonTypeInfo info, String annotated) {
		if (info != null && (info.use() == JsonTypeInfo.Id.CLASS || info.use() == JsonTypeInfo.Id.MINIMAL_CLASS)) {
			throw new RefusedPayloadException("@JsonTypeInfo of " + annotated
					+ " lets the JSON choose a class, which is refused: use JsonTypeInfo.Id.NAME and list the subtypes");
		}
	}

}
