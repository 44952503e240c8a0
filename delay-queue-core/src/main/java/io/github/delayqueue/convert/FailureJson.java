package io.github.delayqueue.convert;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

import io.github.delayqueue.CompletedRun;
import io.github.delayqueue.DeadReason;
import io.github.delayqueue.TaskFailure;

/**
 * Descriptions of failures as JSON:
 * {@code {"cause":…,"reason":…,"type":…,"message":…,"at":"<ISO 8601>","runAt":"<ISO
 * 8601>","attempt":…,"took":<ms>,"trace":…,"earlier":[…],"ranAt":"<ISO
 * 8601>","ranTook":<ms>}}, without what is {@code null}. The cause comes first, where
 * scripts look for it. The last two are of the last run of a recurring task that went
 * well; if it has not failed since, they come first. Always writes, and always reads
 * something.
 */
final class FailureJson {

	/** Stores read no more of a failure. */
	static final int MAX_BYTES = 8000;

	private static final Set<String> NUMBERS = Set.of("attempt", "took", "ranTook");

	private static final byte[] RUN_START = "{\"ranAt\":".getBytes(StandardCharsets.UTF_8);

	private static final JsonFactory PLAIN = new JsonFactory();

	private FailureJson() {
	}

	static byte[] write(TaskFailure failure, @Nullable CompletedRun run) {
		byte[] whole = bytes(failure, run);
		return (whole.length <= MAX_BYTES) ? whole : bytes(failure.alone(), run);
	}

	private static byte[] bytes(TaskFailure failure, @Nullable CompletedRun run) {
		return bytes((json) -> {
			json.writeStringProperty("cause", failure.cause());
			writeFields(json, failure);
			if (run != null) {
				writeRun(json, run);
			}
		});
	}

	/** Earlier versions take it for a failure. */
	static byte[] write(CompletedRun run) {
		return bytes((json) -> {
			writeRun(json, run);
			write(json, "message", "None: its last run went well");
			write(json, "at", run.endedAt().toString());
		});
	}

	private static byte[] bytes(Consumer<JsonGenerator> fields) {
		ByteArrayOutputStream out = new ByteArrayOutputStream(512);
		try (JsonGenerator json = PLAIN.createGenerator(ObjectWriteContext.empty(), out)) {
			json.writeStartObject();
			fields.accept(json);
			json.writeEndObject();
		}
		return out.toByteArray();
	}

	private static void writeRun(JsonGenerator json, CompletedRun run) {
		write(json, "ranAt", run.endedAt().toString());
		json.writeNumberProperty("ranTook", run.took().toMillis());
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

	static boolean isRun(byte[] bytes) {
		return Arrays.mismatch(bytes, RUN_START) == RUN_START.length;
	}

	static TaskFailure read(byte[] bytes) {
		try {
			List<TaskFailure> earlier = new ArrayList<>();
			TaskFailure failure = failure(fields(bytes, earlier), earlier);
			return (failure != null) ? failure : unreadable(bytes);
		}
		catch (JacksonException | DateTimeException ex) {
			return unreadable(bytes);
		}
	}

	/** One that cannot be read is not known. */
	static @Nullable CompletedRun readRun(byte[] bytes) {
		try {
			Map<String, String> fields = fields(bytes, new ArrayList<>());
			Instant endedAt = instant(fields.get("ranAt"));
			Long took = number(fields.get("ranTook"));
			return (endedAt != null && took != null) ? new CompletedRun(endedAt, Duration.ofMillis(took)) : null;
		}
		catch (JacksonException | DateTimeException ex) {
			return null;
		}
	}

	private static Map<String, String> fields(byte[] bytes, List<TaskFailure> earlier) {
		try (JsonParser json = PLAIN.createParser(ObjectReadContext.empty(), bytes)) {
			json.nextToken();
			return fields(json, earlier);
		}
	}

	/** Fields that are not known, or of another kind, are passed over. */
	private static Map<String, String> fields(JsonParser json, List<TaskFailure> earlier) {
		Map<String, String> fields = new HashMap<>();
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
		return fields;
	}

	private static @Nullable TaskFailure failure(Map<String, String> fields, List<TaskFailure> earlier) {
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
			List<TaskFailure> none = new ArrayList<>();
			TaskFailure each = (token == JsonToken.START_OBJECT) ? failure(fields(json, none), none) : null;
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
