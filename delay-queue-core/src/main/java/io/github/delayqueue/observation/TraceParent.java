package io.github.delayqueue.observation;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * The header {@code traceparent} of W3C's Trace Context.
 *
 * @param traceId 32 hexadecimal digits
 * @param spanId 16 hexadecimal digits
 * @param sampled whether the trace is recorded
 */
record TraceParent(String traceId, String spanId, boolean sampled) {

	static final String HEADER = "traceparent";

	/** Later versions may have more behind the flags. */
	private static final Pattern FORMAT = Pattern
		.compile("(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?");

	/**
	 * Read the header.
	 * @return what it says, {@code null} if it is missing or does not follow the standard
	 */
	static @Nullable TraceParent parse(@Nullable String value) {
		Matcher matcher = FORMAT.matcher((value != null) ? value : "");
		if (!matcher.matches()) {
			return null;
		}
		boolean sampled = (Integer.parseInt(matcher.group(3), 16) & 1) == 1;
		return new TraceParent(matcher.group(1), matcher.group(2), sampled);
	}

}
