package io.github.delayqueue.convert;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

import io.github.delayqueue.Recurrence;
import io.github.delayqueue.Recurrence.OnMissed;

/**
 * Reads envelopes. First finds where each part begins and ends; what is in it is looked
 * at only once the version is known.
 */
record EnvelopeReader(JsonFactory factory) {

	/** Milliseconds until the end of the year 9999. */
	private static final long LATEST = 253_402_300_799_999L;

	/** Of later versions: what is none would be released for ever. */
	private static final Pattern POSSIBLE_VERSION = Pattern.compile("[1-9]\\d{0,5}");

	Envelope read(byte[] bytes) {
		JsonSlice onlyPayload = PlainEnvelope.payload(bytes);
		if (onlyPayload != null) {
			return new Envelope(onlyPayload, Map.of(), TaskOptions.NONE);
		}
		try {
			Map<String, JsonSlice> parts = new HashMap<>();
			String version = split(bytes, parts);
			if (!Envelope.VERSION.equals(version) && !Envelope.RECURRING_VERSION.equals(version)) {
				throw (version != null) ? new UnsupportedEnvelopeException(version)
						: unreadable("has no version \"v\"");
			}
			return new Envelope(parts.get("p"), headers(object(parts, "h")), options(object(parts, "o")));
		}
		catch (JacksonException ex) {
			throw unreadable("is not JSON: " + PlainJson.describe(ex));
		}
	}

	/** Finds the parts, and answers the version, {@code null} if there is none. */
	private @Nullable String split(byte[] bytes, Map<String, JsonSlice> parts) {
		String version = null;
		try (JsonParser json = this.factory.createParser(ObjectReadContext.empty(), bytes)) {
			expect(json.nextToken() == JsonToken.START_OBJECT, "is not a JSON object");
			for (String name = json.nextName(); name != null; name = json.nextName()) {
				JsonToken token = json.nextToken();
				switch (name) {
					case "v" -> {
						expect(token == JsonToken.VALUE_NUMBER_INT, "has a version \"v\" that is not an integer");
						version = json.getString();
						expect(POSSIBLE_VERSION.matcher(version).matches(), "has a version \"v\" that is not possible");
					}
					case "p", "h", "o" -> parts.put(name, slice(json, bytes));
					default -> json.skipChildren();
				}
			}
			expect(json.currentToken() == JsonToken.END_OBJECT && json.nextToken() == null,
					"is followed by something else");
		}
		return version;
	}

	private static JsonSlice slice(JsonParser json, byte[] bytes) {
		long start = json.currentTokenLocation().getByteOffset();
		json.skipChildren();
		// A string is read only as far as needed until it is asked for
		json.finishToken();
		long end = json.currentLocation().getByteOffset();
		expect(start >= 0 && end > start, "is not encoded in UTF-8");
		return new JsonSlice(bytes, (int) start, (int) (end - start));
	}

	private Map<?, ?> object(Map<String, JsonSlice> parts, String part) {
		JsonSlice slice = parts.get(part);
		Object json = (slice != null) ? PlainJson.read(this.factory, slice) : null;
		expect(json == null || json instanceof Map, "has a part \"" + part + "\" that is not an object");
		return (json instanceof Map<?, ?> object) ? object : Map.of();
	}

	private static Map<String, String> headers(Map<?, ?> json) {
		Map<String, String> headers = new LinkedHashMap<>();
		json.forEach((name, value) -> {
			expect(value instanceof String, "has a header that is not a string");
			headers.put((String) name, (String) value);
		});
		return headers;
	}

	private static TaskOptions options(Map<?, ?> json) {
		Long maxAttempts = integer(json, "maxAttempts", 1, Integer.MAX_VALUE);
		return new TaskOptions(millis(json, "ttr", 1, Long.MAX_VALUE),
				(maxAttempts != null) ? maxAttempts.intValue() : null, delays(json, "retryDelays"),
				millis(json, "expiresAfter", 1, Long.MAX_VALUE), recurrence(json));
	}

	private static @Nullable Recurrence recurrence(Map<?, ?> json) {
		Duration every = millis(json, "every", 0, LATEST);
		String cron = text(json, "cron");
		String zone = text(json, "zone");
		String onMissed = text(json, "onMissed");
		// without it, steps are counted from when each run was due
		Long from = integer(json, "from", 0, LATEST);
		expect(every == null || cron == null,
				"has a recurrence that cannot be read: it has both \"every\" and \"cron\"");
		if (every == null && cron == null) {
			return null;
		}
		try {
			Recurrence recurrence = (every != null) ? Recurrence.every(every)
					: Recurrence.cron(cron, (zone != null) ? zone : "UTC");
			return ((from != null) ? recurrence.from(Instant.ofEpochMilli(from)) : recurrence)
				.onMissed((onMissed != null) ? OnMissed.valueOf(onMissed) : OnMissed.ONCE);
		}
		catch (IllegalArgumentException ex) {
			throw unreadable("has a recurrence that cannot be read: " + ex.getMessage());
		}
	}

	private static @Nullable List<Duration> delays(Map<?, ?> json, String name) {
		Object value = json.get(name);
		if (value == null) {
			return null;
		}
		expect(value instanceof List, "has an option \"" + name + "\" that is not an array");
		List<?> delays = (List<?>) value;
		expect(delays.size() <= TaskOptions.MAX_RETRY_DELAYS,
				"has more than " + TaskOptions.MAX_RETRY_DELAYS + " \"" + name + "\"");
		return delays.stream().map((delay) -> Duration.ofMillis(integer(delay, name, 0, Long.MAX_VALUE))).toList();
	}

	private static @Nullable String text(Map<?, ?> json, String name) {
		Object value = json.get(name);
		expect(value == null || value instanceof String, "has an option \"" + name + "\" that is not a string");
		return (String) value;
	}

	private static @Nullable Duration millis(Map<?, ?> json, String name, long min, long max) {
		Long millis = integer(json, name, min, max);
		return (millis != null) ? Duration.ofMillis(millis) : null;
	}

	private static @Nullable Long integer(Map<?, ?> json, String name, long min, long max) {
		Object value = json.get(name);
		return (value != null) ? (Long) integer(value, name, min, max) : null;
	}

	private static long integer(@Nullable Object value, String name, long min, long max) {
		if (value instanceof Long number && number >= min && number <= max) {
			return number;
		}
		throw unreadable("has an option \"" + name + "\" that is not an integer from " + min + " to " + max);
	}

	private static void expect(boolean condition, String otherwise) {
		if (!condition) {
			throw unreadable(otherwise);
		}
	}

	private static UnreadableTaskException unreadable(String what) {
		return new UnreadableTaskException(null, null, "Envelope " + what);
	}

}
