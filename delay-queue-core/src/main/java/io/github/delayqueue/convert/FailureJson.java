package io.github.delayqueue.convert;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
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
 * Descriptions of failures as JSON: {@code {"reason":…,"type":…,"message":…,"at":"<ISO
 * 8601>","runAt":"<ISO 8601>"}}, without what is {@code null}. Always writes, and always
 * reads something.
 */
final class FailureJson {

	private static final JsonFactory PLAIN = new JsonFactory();

	private FailureJson() {
	}

	static byte[] write(TaskFailure failure) {
		ByteArrayOutputStream out = new ByteArrayOutputStream(256);
		try (JsonGenerator json = PLAIN.createGenerator(ObjectWriteContext.empty(), out)) {
			json.writeStartObject();
			write(json, "reason", (failure.reason() != null) ? failure.reason().name() : null);
			write(json, "type", failure.type());
			write(json, "message", failure.message());
			write(json, "at", failure.at().toString());
			write(json, "runAt", (failure.runAt() != null) ? failure.runAt().toString() : null);
			json.writeEndObject();
		}
		return out.toByteArray();
	}

	private static void write(JsonGenerator json, String name, @Nullable String value) {
		if (value != null) {
			// There and back replaces unpaired surrogates, which could not be written
			byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
			json.writeStringProperty(name, new String(utf8, StandardCharsets.UTF_8));
		}
	}

	static TaskFailure read(byte[] bytes) {
		try {
			Map<String, String> fields = readFields(bytes);
			String at = fields.get("at");
			String runAt = fields.get("runAt");
			if (at != null) {
				return new TaskFailure(reason(fields.get("reason")), fields.get("type"), fields.get("message"),
						Instant.parse(at), (runAt != null) ? Instant.parse(runAt) : null);
			}
			return unreadable(bytes);
		}
		catch (JacksonException | DateTimeException ex) {
			return unreadable(bytes);
		}
	}

	private static Map<String, String> readFields(byte[] bytes) {
		Map<String, String> fields = new HashMap<>();
		try (JsonParser json = PLAIN.createParser(ObjectReadContext.empty(), bytes)) {
			json.nextToken();
			for (String name = json.nextName(); name != null; name = json.nextName()) {
				if (json.nextToken() == JsonToken.VALUE_STRING) {
					fields.put(name, json.getString());
				}
				else {
					json.skipChildren();
				}
			}
		}
		return fields;
	}

	private static @Nullable DeadReason reason(@Nullable String name) {
		return Stream.of(DeadReason.values()).filter((reason) -> reason.name().equals(name)).findFirst().orElse(null);
	}

	private static TaskFailure unreadable(byte[] bytes) {
		String size = (bytes.length > 0) ? bytes.length + " bytes" : "empty, or too long";
		return new TaskFailure(null, null, "The stored failure cannot be read (" + size + ")", Instant.EPOCH);
	}

}
