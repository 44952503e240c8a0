package io.github.delayqueue.convert;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.json.JsonMapper;

import io.github.delayqueue.DelayQueueException;

/**
 * Writes envelopes. Payloads are the mapper's affair; all around them is always written
 * the same way, whatever features the mapper has.
 */
final class EnvelopeWriter {

	private static final JsonFactory PLAIN = new JsonFactory();

	private static final byte[] START = ascii("{\"v\":" + TaskCodec.VERSION);

	/** What only a version that knows recurring tasks may finish. */
	private static final byte[] RECURRING_START = ascii("{\"v\":" + TaskCodec.RECURRING_VERSION);

	private static final byte[] PAYLOAD = ascii(",\"p\":");

	private static final byte[] HEADERS = ascii(",\"h\":");

	private static final byte[] OPTIONS = ascii(",\"o\":");

	private final JsonMapper mapper;

	EnvelopeWriter(JsonMapper mapper) {
		this.mapper = mapper;
	}

	byte[] write(String queue, String taskId, boolean hasPayload, @Nullable Object payload, Map<String, String> headers,
			TaskOptions options, long maxPayloadBytes) {
		Part part = new Part(queue, taskId, maxPayloadBytes);
		LimitedBuffer out = new LimitedBuffer();
		out.write((options.recurrence() != null) ? RECURRING_START : START);
		if (hasPayload) {
			out.write(PAYLOAD);
			String what = "payload" + ((payload != null) ? " of type " + payload.getClass().getTypeName() : "");
			part.write(what, out, () -> this.mapper.writeValue(out, payload));
		}
		if (!headers.isEmpty()) {
			out.write(HEADERS);
			part.write("headers", out, () -> writeHeaders(out, headers));
		}
		if (!options.equals(TaskOptions.NONE)) {
			out.write(OPTIONS);
			writeOptions(out, options);
		}
		out.write('}');
		return out.toByteArray();
	}

	private static void writeHeaders(LimitedBuffer out, Map<String, String> headers) {
		try (JsonGenerator json = PLAIN.createGenerator(ObjectWriteContext.empty(), out)) {
			json.writeStartObject();
			headers.forEach(json::writeStringProperty);
			json.writeEndObject();
		}
	}

	private static void writeOptions(LimitedBuffer out, TaskOptions options) {
		try (JsonGenerator json = PLAIN.createGenerator(ObjectWriteContext.empty(), out)) {
			json.writeStartObject();
			if (options.ttr() != null) {
				json.writeNumberProperty("ttr", millis(options.ttr()));
			}
			if (options.maxAttempts() != null) {
				json.writeNumberProperty("maxAttempts", options.maxAttempts());
			}
			if (options.retryDelays() != null) {
				json.writeName("retryDelays");
				json.writeStartArray();
				options.retryDelays().forEach((delay) -> json.writeNumber(millis(delay)));
				json.writeEndArray();
			}
			if (options.expiresAfter() != null) {
				json.writeNumberProperty("expiresAfter", millis(options.expiresAfter()));
			}
			if (options.recurrence() != null) {
				RecurrenceJson.write(json, options.recurrence());
			}
			json.writeEndObject();
		}
	}

	/** Rounded up, and limited to what the format can hold. */
	private static long millis(Duration duration) {
		if (duration.getSeconds() >= Long.MAX_VALUE / 1000) {
			return Long.MAX_VALUE;
		}
		return duration.plusNanos(999_999).toMillis();
	}

	private static byte[] ascii(String text) {
		return text.getBytes(StandardCharsets.US_ASCII);
	}

	/**
	 * Writes a part of the envelope that comes from the application.
	 *
	 * @param queue the queue, for messages
	 * @param taskId the task, for messages
	 * @param maxBytes how large a part may be
	 */
	private record Part(String queue, String taskId, long maxBytes) {

		void write(String what, LimitedBuffer out, Runnable writer) {
			out.begin(this.maxBytes);
			try {
				writer.run();
			}
			catch (RuntimeException | StackOverflowError ex) {
				throw failure(what + " cannot be written as JSON: " + ReadableCause.describe(ex), ex);
			}
			long size = out.end();
			if (size > this.maxBytes) {
				throw failure(what + " takes " + size + " bytes as JSON, allowed are " + this.maxBytes
						+ " (delay-queue.producer.max-payload-size)", null);
			}
		}

		private DelayQueueException failure(String message, @Nullable Throwable cause) {
			return new DelayQueueException(this.queue, this.taskId,
					"Task '" + this.taskId + "' for queue '" + this.queue + "' is not scheduled: its " + message,
					cause);
		}

	}

}
