package io.github.delayqueue.convert;

import java.nio.charset.StandardCharsets;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * The stored content of a task. Public for those who deliver and look up tasks.
 * Immutable.
 *
 * @param payload where the payload is, {@code null} if there is none
 * @param headers the headers, possibly empty, not modifiable
 * @param options the settings of the task itself, {@link TaskOptions#NONE} if nothing
 */
public record Envelope(@Nullable JsonSlice payload, Map<String, String> headers, TaskOptions options) {

	static final String VERSION = "1";

	/**
	 * Of recurring tasks: an instance that knows only version 1 would complete them. The
	 * format is the same.
	 */
	static final String RECURRING_VERSION = "2";

	public Envelope {
		headers = Map.copyOf(headers);
	}

	/** The payload as it was written, to the digit; {@code null} if there is none. */
	public @Nullable String payloadJson() {
		JsonSlice slice = this.payload;
		return (slice != null) ? new String(slice.bytes(), slice.offset(), slice.length(), StandardCharsets.UTF_8)
				: null;
	}

}
