package io.github.delayqueue.convert;

import java.nio.charset.StandardCharsets;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * The stored content of a task: payload, headers and options. Public for those who
 * deliver and look up tasks. Immutable.
 */
public final class Envelope {

	static final String VERSION = "1";

	/**
	 * Of recurring tasks: an instance that knows only version 1 would complete them. The
	 * format is the same.
	 */
	static final String RECURRING_VERSION = "2";

	private final @Nullable JsonSlice payload;

	private final Map<String, String> headers;

	private final TaskOptions options;

	Envelope(@Nullable JsonSlice payload, Map<String, String> headers, TaskOptions options) {
		this.payload = payload;
		this.headers = Map.copyOf(headers);
		this.options = options;
	}

	/** The payload as it was written, to the digit; {@code null} if there is none. */
	public @Nullable String payloadJson() {
		JsonSlice slice = this.payload;
		return (slice != null) ? new String(slice.bytes(), slice.offset(), slice.length(), StandardCharsets.UTF_8)
				: null;
	}

	/** The headers, possibly empty, not modifiable. */
	public Map<String, String> headers() {
		return this.headers;
	}

	/** The settings of the task itself, {@link TaskOptions#NONE} if nothing. */
	public TaskOptions options() {
		return this.options;
	}

	@Nullable JsonSlice payload() {
		return this.payload;
	}

}
