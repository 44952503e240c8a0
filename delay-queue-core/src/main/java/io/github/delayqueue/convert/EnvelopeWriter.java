package io.github.delayqueue.convert;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.LongStream;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.json.JsonFactory;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.Recurrence;
import io.github.delayqueue.Recurrence.OnMissed;

/**
 * Writes envelopes. Payloads are the mapper's affair; all around them is always written
 * the same way, whatever features the mapper has. What no handler could read is refused.
 */
record EnvelopeWriter(PayloadMapper mapper, JsonFactory factory, int shortest) {

	private static final byte[] START = ascii("{\"v\":" + Envelope.VERSION);

	/** What only a version that knows recurring tasks may finish. */
	static final byte[] RECURRING_START = ascii("{\"v\":" + Envelope.RECURRING_VERSION);

	private static final byte[] PAYLOAD = ascii(",\"p\":");

	private static final byte[] HEADERS = ascii(",\"h\":");

	private static final byte[] OPTIONS = ascii(",\"o\":");

	EnvelopeWriter(PayloadMapper mapper, JsonFactory factory) {
		this(mapper, factory, shortest(factory.streamReadConstraints()));
	}

	/** No part of an envelope of so many bytes can be beyond a limit. */
	private static int shortest(StreamReadConstraints limits) {
		return (int) LongStream
			.of(2L * limits.getMaxNestingDepth(), limits.getMaxNumberLength(), limits.getMaxNameLength(),
					limits.getMaxStringLength(), limits.getMaxTokenCount(), limits.getMaxDocumentLength())
			.filter((limit) -> limit >= 0)
			.min()
			.orElse(0);
	}

	byte[] write(String queue, String taskId, @Nullable Payload payload, Map<String, String> headers,
			TaskOptions options, long maxPayloadBytes) {
		LimitedBuffer out = new LimitedBuffer();
		out.writeBytes((options.recurrence() != null) ? RECURRING_START : START);
		boolean plain = true;
		if (payload != null) {
			out.writeBytes(PAYLOAD);
			plain = write(out, queue, taskId, payload, headers, maxPayloadBytes);
		}
		if (!headers.isEmpty()) {
			out.writeBytes(HEADERS);
			write(out, queue, taskId, null, headers, maxPayloadBytes);
		}
		if (!options.isNone()) {
			out.writeBytes(OPTIONS);
			out.writeBytes(json(options));
		}
		out.write('}');
		byte[] envelope = out.toByteArray();
		if (!plain || envelope.length > this.shortest) {
			requireReadable(queue, taskId, payload, envelope);
		}
		return envelope;
	}

	/**
	 * Write the payload, or without one the headers.
	 * @return whether it certainly is plain JSON
	 */
	private boolean write(LimitedBuffer out, String queue, String taskId, @Nullable Payload payload,
			Map<String, String> headers, long maxBytes) {
		out.begin(maxBytes);
		boolean plain = payload == null;
		try {
			if (payload == null) {
				out.writeBytes(PlainJson.write(headers));
			}
			else {
				plain = this.mapper.writePlain(out, payload);
			}
		}
		catch (IOException | RuntimeException | StackOverflowError ex) {
			throw refused(queue, taskId, payload, "cannot be written as JSON: " + this.mapper.describe(ex), ex);
		}
		long size = out.end();
		if (size > maxBytes) {
			throw refused(queue, taskId, payload, "takes " + size + " bytes as JSON, allowed are " + maxBytes
					+ " (delay-queue.producer.max-payload-size)", null);
		}
		return plain;
	}

	/** A payload that has been written before. */
	byte[] write(JsonSlice payload, Map<String, String> headers) {
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		out.writeBytes(START);
		out.writeBytes(PAYLOAD);
		out.write(payload.bytes(), payload.offset(), payload.length());
		out.writeBytes(HEADERS);
		out.writeBytes(PlainJson.write(headers));
		out.write('}');
		return out.toByteArray();
	}

	/**
	 * Jackson writes more than it reads, and can be told to write what is no plain JSON.
	 * Read as a whole, as the reader does.
	 */
	private void requireReadable(String queue, String taskId, @Nullable Payload payload, byte[] envelope) {
		try (JsonParser json = this.factory.createParser(ObjectReadContext.empty(), envelope)) {
			while (json.nextToken() != null) {
				json.finishToken();
			}
		}
		catch (JacksonException ex) {
			// of limits it says which one, and quotes nothing
			String why = (ex instanceof StreamConstraintsException) ? ex.getOriginalMessage()
					: "it is no plain JSON (" + PlainJson.describe(ex) + ")";
			throw refused(queue, taskId, payload, "could not be read by any handler: " + why, ex);
		}
	}

	private static DelayQueueException refused(String queue, String taskId, @Nullable Payload payload, String why,
			@Nullable Throwable cause) {
		Object value = (payload != null) ? payload.value() : null;
		String what = (payload == null) ? "headers"
				: "payload" + ((value != null) ? " of type " + value.getClass().getTypeName() : "");
		return new DelayQueueException(queue, taskId,
				"Task '" + taskId + "' for queue '" + queue + "' is not scheduled: its " + what + " " + why, cause);
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

}
