package io.github.delayqueue.convert;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;

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
final class EnvelopeReader {

	/** Milliseconds until the end of the year 9999. */
	private static final long LATEST = 253_402_300_799_999L;

	/** Of later versions: what is none would be handed back for ever. */
	private static final Pattern POSSIBLE_VERSION = Pattern.compile("[1-9]\\d{0,5}");

	private final JsonFactory factory;

	EnvelopeReader(JsonFactory factory) {
		this.factory = factory;
	}

	Envelope read(byte[] bytes) {
		JsonSlice onlyPayload = PlainEnvelope.payload(bytes);
		if (onlyPayload != null) {
			return new Envelope(onlyPayload, Map.of(), TaskOptions.NONE);
		}
		try {
			Parts parts = split(bytes);
			if (!Envelope.VERSION.equals(parts.version) && !Envelope.RECURRING_VERSION.equals(parts.version)) {
				throw (parts.version != null) ? new UnsupportedEnvelopeException(parts.version)
						: unreadable("has no version \"v\"");
			}
			return new Envelope(parts.payload, readHeaders(parts.headers), readOptions(parts.options));
		}
		catch (JacksonException ex) {
			throw unreadable("is not JSON: " + ReadableCause.describe(ex));
		}
	}

	private Parts split(byte[] bytes) {
		Parts parts = new Parts();
		try (JsonParser json = this.factory.createParser(ObjectReadContext.empty(), bytes)) {
			expect(json.nextToken() == JsonToken.START_OBJECT, "is not a JSON object");
			for (String name = json.nextName(); name != null; name = json.nextName()) {
				JsonToken token = json.nextToken();
				switch (name) {
					case "v" -> {
						expect(token == JsonToken.VALUE_NUMBER_INT, "has a version \"v\" that is not an integer");
						parts.version = json.getString();
						expect(POSSIBLE_VERSION.matcher(parts.version).matches(),
								"has a version \"v\" that is not possible");
					}
					case "p" -> parts.payload = slice(json, bytes);
					case "h" -> parts.headers = slice(json, bytes);
					case "o" -> parts.options = slice(json, bytes);
					default -> json.skipChildren();
				}
			}
			expect(json.currentToken() == JsonToken.END_OBJECT && json.nextToken() == null,
					"is followed by something else");
		}
		return parts;
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

	private Map<String, String> readHeaders(@Nullable JsonSlice slice) {
		Map<String, String> headers = new LinkedHashMap<>();
		forEachField(slice, "h", (name, json) -> {
			expect(json.currentToken() == JsonToken.VALUE_STRING, "has a header that is not a string");
			headers.put(name, json.getString());
		});
		return headers;
	}

	private TaskOptions readOptions(@Nullable JsonSlice slice) {
		Options options = new Options();
		forEachField(slice, "o", (name, json) -> {
			if (json.currentToken() == JsonToken.VALUE_NULL) {
				return;
			}
			switch (name) {
				case "ttr" -> options.ttr = Duration.ofMillis(integer(json, name, 1, Long.MAX_VALUE));
				case "maxAttempts" -> options.maxAttempts = (int) integer(json, name, 1, Integer.MAX_VALUE);
				case "retryDelays" -> options.retryDelays = delays(json, name);
				case "expiresAfter" -> options.expiresAfter = Duration.ofMillis(integer(json, name, 1, Long.MAX_VALUE));
				case "every" -> options.every = Duration.ofMillis(integer(json, name, 0, LATEST));
				case "from" -> options.from = Instant.ofEpochMilli(integer(json, name, 0, LATEST));
				case "cron" -> options.cron = text(json, name);
				case "zone" -> options.zone = text(json, name);
				case "onMissed" -> options.onMissed = text(json, name);
				default -> json.skipChildren();
			}
		});
		return new TaskOptions(options.ttr, options.maxAttempts, options.retryDelays, options.expiresAfter,
				recurrence(options));
	}

	private static @Nullable Recurrence recurrence(Options options) {
		try {
			return options.recurrence();
		}
		catch (IllegalArgumentException ex) {
			throw unreadable("has a recurrence that cannot be read: " + ex.getMessage());
		}
	}

	private static List<Duration> delays(JsonParser json, String name) {
		expect(json.currentToken() == JsonToken.START_ARRAY, "has an option \"" + name + "\" that is not an array");
		List<Duration> delays = new ArrayList<>();
		while (json.nextToken() != JsonToken.END_ARRAY) {
			expect(delays.size() < TaskOptions.MAX_RETRY_DELAYS,
					"has more than " + TaskOptions.MAX_RETRY_DELAYS + " \"" + name + "\"");
			delays.add(Duration.ofMillis(integer(json, name, 0, Long.MAX_VALUE)));
		}
		return delays;
	}

	private static String text(JsonParser json, String name) {
		expect(json.currentToken() == JsonToken.VALUE_STRING, "has an option \"" + name + "\" that is not a string");
		return json.getString();
	}

	private static long integer(JsonParser json, String name, long min, long max) {
		boolean readable = json.currentToken() == JsonToken.VALUE_NUMBER_INT
				&& json.getNumberType() != JsonParser.NumberType.BIG_INTEGER;
		expect(readable && json.getLongValue() >= min && json.getLongValue() <= max,
				"has an option \"" + name + "\" that is not an integer from " + min + " to " + max);
		return json.getLongValue();
	}

	private void forEachField(@Nullable JsonSlice slice, String part, BiConsumer<String, JsonParser> reader) {
		if (slice == null) {
			return;
		}
		try (JsonParser json = this.factory.createParser(ObjectReadContext.empty(), slice.bytes(), slice.offset(),
				slice.length())) {
			JsonToken token = json.nextToken();
			if (token == JsonToken.VALUE_NULL) {
				return;
			}
			expect(token == JsonToken.START_OBJECT, "has a part \"" + part + "\" that is not an object");
			for (String name = json.nextName(); name != null; name = json.nextName()) {
				json.nextToken();
				// it stands on the value
				reader.accept(name, json);
			}
		}
	}

	private static void expect(boolean condition, String otherwise) {
		if (!condition) {
			throw unreadable(otherwise);
		}
	}

	private static UnreadableTaskException unreadable(String what) {
		return new UnreadableTaskException(null, null, "Envelope " + what);
	}

	private static final class Parts {

		private @Nullable String version;

		private @Nullable JsonSlice payload;

		private @Nullable JsonSlice headers;

		private @Nullable JsonSlice options;

	}

	private static final class Options {

		private @Nullable Duration ttr;

		private @Nullable Integer maxAttempts;

		private @Nullable List<Duration> retryDelays;

		private @Nullable Duration expiresAfter;

		private @Nullable Duration every;

		/** Without it, steps are counted from when each run was due. */
		private @Nullable Instant from;

		private @Nullable String cron;

		private String zone = "UTC";

		private String onMissed = OnMissed.ONCE.name();

		@Nullable Recurrence recurrence() {
			if (this.every != null && this.cron != null) {
				throw new IllegalArgumentException("it has both \"every\" and \"cron\"");
			}
			if (this.every == null && this.cron == null) {
				return null;
			}
			Recurrence recurrence = (this.every != null) ? Recurrence.every(this.every)
					: Recurrence.cron(this.cron, this.zone);
			return ((this.from != null) ? recurrence.from(this.from) : recurrence).onMissed(onMissed());
		}

		private OnMissed onMissed() {
			return Stream.of(OnMissed.values())
				.filter((onMissed) -> onMissed.name().equals(this.onMissed))
				.findFirst()
				.orElseThrow(() -> new IllegalArgumentException("\"onMissed\" is neither ONCE nor SKIP"));
		}

	}

}
