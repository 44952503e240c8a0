package io.github.delayqueue.convert;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

import io.github.delayqueue.DeadReason;
import io.github.delayqueue.TaskFailure;

/**
 * Descriptions of failures as JSON:
 * {@code {"cause":…,"reason":…,"type":…,"message":…,"at":"<ISO 8601>","runAt":"<ISO
 * 8601>","attempt":…,"took":<ms>,"trace":…,"earlier":[…]}}, without what is {@code null}.
 * The cause comes first, where scripts look for it. Always writes, and always reads
 * something.
 */
final class FailureJson {

	/** Stores read no more of a failure. */
	static final int MAX_BYTES = 8000;

	private static final Set<String> NUMBERS = Set.of("attempt", "took");

	private static final JsonFactory PLAIN = new JsonFactory();

	private FailureJson() {
	}

	static byte[] write(TaskFailure failure) {
		byte[] whole = bytes(failure);
		return (whole.length <= MAX_BYTES) ? whole : bytes(failure.alone());
	}

	private static byte[] bytes(TaskFailure failure) {
		ByteArrayOutputStream out = new ByteArrayOutputStream(512);
		try (JsonGenerator json = PLAIN.createGenerator(ObjectWriteContext.empty(), out)) {
			json.writeStartObject();
			json.writeStringProperty("cause", failure.cause());
			writeFields(json, failure);
			json.writeEndObject();
		}
		return out.toByteArray();
	}

	private static void writeFields(JsonGenerator json, TaskFailure failure) {
		write(json, "reason", (failure.reason() != null) ? failure.reason().name() : null);
		write(json, "type", failure.type());
		write(json, "message", failure.message());
		write(json, "at", failure.at().toString());
		write(json, "runAt", (failure.runAt() != null) ? failure.runAt().toString() : null);
		if (failure.attempt() != null) {
			json.writeNumberProperty("attempt", failure.attempt());
		}
		if (failure.took() != null) {
			json.writeNumberProperty("took", failure.took().toMillis());
		}
		write(json, "trace", failure.trace());
		if (failure.earlier() != null) {
			json.writeArrayPropertyStart("earlier");
			for (TaskFailure each : failure.earlier()) {
				json.writeStartObject();
				writeFields(json, each);
				json.writeEndObject();
			}
			json.writeEndArray();
		}
	}

	private static void write(JsonGenerator json, String name, @Nullable String value) {
		if (value != null) {
			// There and back replaces unpaired surrogates, which could not be written
			byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
			json.writeStringProperty(name, new String(utf8, StandardCharsets.UTF_8));
		}
	}

	static TaskFailure read(byte[] bytes) {
		try (JsonParser json = PLAIN.createParser(ObjectReadContext.empty(), bytes)) {
			json.nextToken();
			TaskFailure failure = read(json);
			return (failure != null) ? failure : unreadable(bytes);
		}
		catch (JacksonException | DateTimeException ex) {
			return unreadable(bytes);
		}
	}

	/** Fields that are not known, or of another kind, are passed over. */
	private static @Nullable TaskFailure read(JsonParser json) {
		Map<String, String> fields = new HashMap<>();
		List<TaskFailure> earlier = new ArrayList<>();
		for (String name = json.nextName(); name != null; name = json.nextName()) {
			JsonToken token = json.nextToken();
			if (token == JsonToken.START_ARRAY && name.equals("earlier")) {
				readEarlier(json, earlier);
			}
			else if (token == (NUMBERS.contains(name) ? JsonToken.VALUE_NUMBER_INT : JsonToken.VALUE_STRING)) {
				fields.put(name, json.getString());
			}
			else {
				json.skipChildren();
			}
		}
		String at = fields.get("at");
		if (at == null) {
			return null;
		}
		Long attempt = number(fields.get("attempt"));
		Long took = number(fields.get("took"));
		return new TaskFailure(reason(fields.get("reason")), fields.get("type"), fields.get("message"),
				Instant.parse(at), instant(fields.get("runAt")), (attempt != null) ? Math.toIntExact(attempt) : null,
				(took != null) ? Duration.ofMillis(took) : null, fields.get("trace"),
				earlier.isEmpty() ? null : earlier);
	}

	private static void readEarlier(JsonParser json, List<TaskFailure> earlier) {
		for (JsonToken token = json.nextToken(); token != null
				&& token != JsonToken.END_ARRAY; token = json.nextToken()) {
			TaskFailure each = (token == JsonToken.START_OBJECT) ? read(json) : null;
			if (each != null && earlier.size() < TaskFailure.MAX_EARLIER) {
				earlier.add(each);
			}
			else if (each == null) {
				json.skipChildren();
			}
		}
	}

	private static @Nullable Instant instant(@Nullable String text) {
		return (text != null) ? Instant.parse(text) : null;
	}

	/** One that is far too large is not known. */
	private static @Nullable Long number(@Nullable String text) {
		return (text != null && text.matches("\\d{1,9}")) ? Long.valueOf(text) : null;
	}

	private static @Nullable DeadReason reason(@Nullable String name) {
		return Stream.of(DeadReason.values()).filter((reason) -> reason.name().equals(name)).findFirst().orElse(null);
	}

	private static TaskFailure unreadable(byte[] bytes) {
		String size = (bytes.length > 0) ? bytes.length + " bytes" : "empty, or too long";
		return new TaskFailure(null, null, "The stored failure cannot be read (" + size + ")", Instant.EPOCH);
	}

}
