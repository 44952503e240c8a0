package io.github.delayqueue.convert;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

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
 * something. Public for those who keep what became of tasks.
 */
public final class FailureJson {

	/** Stores read no more of a failure. */
	static final int MAX_BYTES = 8000;

	private static final byte[] RUN_START = "{\"ranAt\":".getBytes(StandardCharsets.UTF_8);

	private FailureJson() {
	}

	/**
	 * Write the description of a failure, as JSON in UTF-8 of at most 8,000 bytes.
	 * @param run the last run of a recurring task that went well, {@code null} if none is
	 * known
	 */
	public static byte[] writeFailure(TaskFailure failure, @Nullable CompletedRun run) {
		byte[] whole = bytes(failure, run);
		return (whole.length <= MAX_BYTES) ? whole : bytes(failure.alone(), run);
	}

	private static byte[] bytes(TaskFailure failure, @Nullable CompletedRun run) {
		Map<String, Object> json = new LinkedHashMap<>();
		json.put("cause", failure.cause());
		json.putAll(json(failure));
		if (run != null) {
			json.putAll(json(run));
		}
		return PlainJson.write(json);
	}

	/**
	 * Write what stands in place of a failure since a recurring task was handled. Earlier
	 * versions take it for a failure.
	 */
	public static byte[] writeLastRun(CompletedRun run) {
		Map<String, Object> json = json(run);
		json.put("message", "None: its last run went well");
		json.put("at", run.endedAt());
		return PlainJson.write(json);
	}

	private static Map<String, Object> json(CompletedRun run) {
		Map<String, Object> json = new LinkedHashMap<>();
		json.put("ranAt", run.endedAt());
		json.put("ranTook", run.took().toMillis());
		return json;
	}

	private static Map<String, Object> json(TaskFailure failure) {
		Map<String, @Nullable Object> json = new LinkedHashMap<>();
		json.put("reason", (failure.reason() != null) ? failure.reason().storedName() : null);
		json.put("type", writable(failure.type()));
		json.put("message", writable(failure.message()));
		json.put("at", failure.at());
		json.put("runAt", failure.runAt());
		json.put("attempt", failure.attempt());
		json.put("took", (failure.took() != null) ? failure.took().toMillis() : null);
		json.put("trace", writable(failure.trace()));
		json.put("earlier",
				(failure.earlier() != null) ? failure.earlier().stream().map(FailureJson::json).toList() : null);
		json.values().removeIf(Objects::isNull);
		return json;
	}

	/** There and back replaces unpaired surrogates, which could not be written. */
	private static @Nullable String writable(@Nullable String text) {
		return (text != null) ? new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8) : null;
	}

	/**
	 * Read what {@link #writeFailure} wrote, or what stands in its place: a failure that
	 * says so if it cannot be read.
	 * @return the failure, {@code null} if {@link #writeLastRun} wrote it
	 */
	public static @Nullable TaskFailure readFailure(byte[] bytes) {
		return (Arrays.mismatch(bytes, RUN_START) == RUN_START.length) ? null : read(bytes);
	}

	static TaskFailure read(byte[] bytes) {
		TaskFailure failure = failure(fields(bytes));
		if (failure != null) {
			return failure;
		}
		String size = (bytes.length > 0) ? bytes.length + " bytes" : "empty, or too long";
		return new TaskFailure(null, null, "The stored failure cannot be read (" + size + ")", Instant.EPOCH);
	}

	/**
	 * Read the last run of a recurring task that went well.
	 * @return the run, {@code null} if none is known, or it cannot be read
	 */
	public static @Nullable CompletedRun readLastRun(byte[] bytes) {
		Map<?, ?> fields = fields(bytes);
		Instant endedAt = instant(fields, "ranAt");
		Duration took = millis(fields, "ranTook");
		return (endedAt != null && took != null) ? new CompletedRun(endedAt, took) : null;
	}

	private static Map<?, ?> fields(byte[] bytes) {
		try {
			return (PlainJson.read(bytes) instanceof Map<?, ?> object) ? object : Map.of();
		}
		catch (JacksonException ex) {
			return Map.of();
		}
	}

	/** Fields that are not known, or of another kind, are passed over. */
	private static @Nullable TaskFailure failure(Map<?, ?> fields) {
		Instant at = instant(fields, "at");
		if (at == null) {
			return null;
		}
		List<TaskFailure> earlier = new ArrayList<>();
		for (Object each : (fields.get("earlier") instanceof List<?> list) ? list : List.of()) {
			TaskFailure failure = (each instanceof Map<?, ?> object) ? failure(object) : null;
			if (failure != null && earlier.size() < TaskFailure.MAX_EARLIER) {
				earlier.add(failure);
			}
		}
		Long attempt = number(fields, "attempt");
		return new TaskFailure(reason(text(fields, "reason")), text(fields, "type"), text(fields, "message"), at,
				instant(fields, "runAt"), (attempt != null) ? Math.toIntExact(attempt) : null, millis(fields, "took"),
				text(fields, "trace"), earlier.isEmpty() ? null : earlier);
	}

	private static @Nullable String text(Map<?, ?> fields, String name) {
		return (fields.get(name) instanceof String text) ? text : null;
	}

	private static @Nullable Instant instant(Map<?, ?> fields, String name) {
		String text = text(fields, name);
		try {
			return (text != null) ? Instant.parse(text) : null;
		}
		catch (DateTimeException ex) {
			return null;
		}
	}

	/** One that is far too large is not known. */
	private static @Nullable Long number(Map<?, ?> fields, String name) {
		return (fields.get(name) instanceof Long number && number >= 0 && number < 1_000_000_000) ? number : null;
	}

	private static @Nullable Duration millis(Map<?, ?> fields, String name) {
		Long millis = number(fields, name);
		return (millis != null) ? Duration.ofMillis(millis) : null;
	}

	private static @Nullable DeadReason reason(@Nullable String name) {
		return Stream.of(DeadReason.values())
			.filter((reason) -> reason.storedName().equals(name))
			.findFirst()
			.orElse(null);
	}

}
