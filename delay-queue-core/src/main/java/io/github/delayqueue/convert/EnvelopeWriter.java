package io.github.delayqueue.convert;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.json.JsonFactory;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.Recurrence;
import io.github.delayqueue.Recurrence.OnMissed;

/**
 * Writes envelopes. Payloads are the mapper's affair; all around them is always written
 * the same way, whatever features the mapper has. What no handler could read is refused.
 */
record EnvelopeWriter(PayloadMapper mapper, JsonFactory factory) {

	private static final byte[] START = ascii("{\"v\":" + Envelope.VERSION);

	/** What only a version that knows recurring tasks may finish. */
	static final byte[] RECURRING_START = ascii("{\"v\":" + Envelope.RECURRING_VERSION);

	private static final byte[] PAYLOAD = ascii(",\"p\":");

	private static final byte[] HEADERS = ascii(",\"h\":");

	private static final byte[] OPTIONS = ascii(",\"o\":");

	byte[] write(String queue, String taskId, @Nullable Payload payload, Map<String, String> headers,
			TaskOptions options, long maxPayloadBytes) {
		Part part = new Part(this.mapper, queue, taskId, maxPayloadBytes);
		LimitedBuffer out = new LimitedBuffer();
		out.write((options.recurrence() != null) ? RECURRING_START : START);
		String what = describe(payload);
		if (payload != null) {
			out.write(PAYLOAD);
			part.write(what, out, () -> this.mapper.write(out, payload));
		}
		if (!headers.isEmpty()) {
			out.write(HEADERS);
			part.write("headers", out, () -> out.write(PlainJson.write(headers)));
		}
		if (!options.equals(TaskOptions.NONE)) {
			out.write(OPTIONS);
			out.write(json(options));
		}
		out.write('}');
		byte[] envelope = out.toByteArray();
		requireReadable(part, what, envelope);
		return envelope;
	}

	/** A payload that has been written before. */
	byte[] write(JsonSlice payload, Map<String, String> headers) {
		LimitedBuffer out = new LimitedBuffer();
		out.write(START);
		out.write(PAYLOAD);
		out.write(payload.bytes(), payload.offset(), payload.length());
		out.write(HEADERS);
		out.write(PlainJson.write(headers));
		out.write('}');
		return out.toByteArray();
	}

	private static String describe(@Nullable Payload payload) {
		Object value = (payload != null) ? payload.value() : null;
		return "payload" + ((value != null) ? " of type " + value.getClass().getTypeName() : "");
	}

	/**
	 * Jackson writes more than it reads, and can be told to write what is no plain JSON.
	 * Read as a whole, as the reader does.
	 */
	private void requireReadable(Part part, String what, byte[] envelope) {
		try (JsonParser json = this.factory.createParser(ObjectReadContext.empty(), envelope)) {
			while (json.nextToken() != null) {
				json.finishToken();
			}
		}
		catch (StreamConstraintsException ex) {
			// says which limit, and quotes nothing
			throw part.failure(what + " could not be read by any handler: " + ex.getOriginalMessage(), ex);
		}
		catch (JacksonException ex) {
			throw part.failure(what + " could not be read by any handler: it is no plain JSON ("
					+ ReadableCause.describe(ex) + ")", ex);
		}
	}

	private static byte[] json(TaskOptions options) {
		Map<String, @Nullable Object> json = new LinkedHashMap<>();
		json.put("ttr", millis(options.leaseDuration()));
		json.put("maxAttempts", options.maxAttempts());
		json.put("retryDelays", (options.retryDelays() != null)
				? options.retryDelays().stream().map(EnvelopeWriter::millis).toList() : null);
		json.put("expiresAfter", millis(options.expiresAfter()));
		Recurrence recurrence = options.recurrence();
		if (recurrence != null && recurrence.period() != null) {
			json.put("every", recurrence.period().toMillis());
			json.put("from", (recurrence.first() != null) ? recurrence.first().toEpochMilli() : null);
		}
		else if (recurrence != null) {
			json.put("cron", recurrence.cron());
			json.put("zone", String.valueOf(recurrence.zone()));
		}
		if (recurrence != null && recurrence.onMissed() != OnMissed.ONCE) {
			json.put("onMissed", recurrence.onMissed().name());
		}
		json.values().removeIf(Objects::isNull);
		return PlainJson.write(json);
	}

	/** Rounded up, and limited to what the format can hold. */
	private static @Nullable Long millis(@Nullable Duration duration) {
		if (duration == null) {
			return null;
		}
		return (duration.getSeconds() >= Long.MAX_VALUE / 1000) ? Long.MAX_VALUE
				: (Long) duration.plusNanos(999_999).toMillis();
	}

	private static byte[] ascii(String text) {
		return text.getBytes(StandardCharsets.US_ASCII);
	}

	/** Writes something, as a payload is written. */
	private interface PartWriter {

		void write() throws IOException;

	}

	/**
	 * Writes a part of the envelope that comes from the application, up to a size; queue
	 * and task are for messages.
	 */
	private record Part(PayloadMapper mapper, String queue, String taskId, long maxBytes) {

		void write(String what, LimitedBuffer out, PartWriter writer) {
			out.begin(this.maxBytes);
			try {
				writer.write();
			}
			catch (IOException | RuntimeException | StackOverflowError ex) {
				throw failure(what + " cannot be written as JSON: " + this.mapper.describe(ex), ex);
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
