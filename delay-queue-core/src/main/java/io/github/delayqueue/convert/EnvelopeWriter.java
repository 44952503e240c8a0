package io.github.delayqueue.convert;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.stream.LongStream;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.json.JsonMapper;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.Recurrence;
import io.github.delayqueue.Recurrence.OnMissed;

/**
 * Writes envelopes. Payloads are the mapper's affair; all around them is always written
 * the same way, whatever features the mapper has. What no handler could read is refused.
 */
final class EnvelopeWriter {

	private static final JsonFactory PLAIN = new JsonFactory();

	private static final byte[] START = ascii("{\"v\":" + Envelope.VERSION);

	/** What only a version that knows recurring tasks may finish. */
	static final byte[] RECURRING_START = ascii("{\"v\":" + Envelope.RECURRING_VERSION);

	private static final byte[] PAYLOAD = ascii(",\"p\":");

	private static final byte[] HEADERS = ascii(",\"h\":");

	private static final byte[] OPTIONS = ascii(",\"o\":");

	private final JsonMapper mapper;

	private final ErasedTypes erasedTypes;

	/** What is not longer than this is within all limits of whoever reads it. */
	private final int readable;

	EnvelopeWriter(JsonMapper mapper) {
		this.mapper = mapper;
		this.erasedTypes = new ErasedTypes(mapper);
		this.readable = smallest(mapper.tokenStreamFactory().streamReadConstraints());
	}

	private static int smallest(StreamReadConstraints limits) {
		long tokens = limits.hasMaxTokenCount() ? limits.getMaxTokenCount() : Integer.MAX_VALUE;
		long length = limits.hasMaxDocumentLength() ? limits.getMaxDocumentLength() : Integer.MAX_VALUE;
		return (int) LongStream
			.of(tokens, length, limits.getMaxNestingDepth(), limits.getMaxNumberLength(), limits.getMaxNameLength(),
					limits.getMaxStringLength())
			.min()
			.orElseThrow();
	}

	byte[] write(String queue, String taskId, @Nullable Payload payload, Map<String, String> headers,
			TaskOptions options, long maxPayloadBytes) {
		Part part = new Part(queue, taskId, maxPayloadBytes);
		LimitedBuffer out = new LimitedBuffer();
		out.write((options.recurrence() != null) ? RECURRING_START : START);
		String what = describe(payload);
		if (payload != null) {
			out.write(PAYLOAD);
			part.write(what, out, () -> writePayload(out, payload));
			// what could be written does not contain itself
			requireTypeIds(part, what, payload);
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
		byte[] envelope = out.toByteArray();
		if (envelope.length > this.readable) {
			requireReadable(part, what, envelope);
		}
		return envelope;
	}

	/** A payload that has been written before. */
	byte[] write(JsonSlice payload, Map<String, String> headers) {
		LimitedBuffer out = new LimitedBuffer();
		out.write(START);
		out.write(PAYLOAD);
		out.write(payload.bytes(), payload.offset(), payload.length());
		out.write(HEADERS);
		writeHeaders(out, headers);
		out.write('}');
		return out.toByteArray();
	}

	private static String describe(@Nullable Payload payload) {
		Object value = (payload != null) ? payload.value() : null;
		return "payload" + ((value != null) ? " of type " + value.getClass().getTypeName() : "");
	}

	private void writePayload(LimitedBuffer out, Payload payload) {
		if (payload.type() != null) {
			this.mapper.writerFor(this.mapper.constructType(payload.type())).writeValue(out, payload.value());
		}
		else {
			this.mapper.writeValue(out, payload.value());
		}
	}

	private void requireTypeIds(Part part, String what, Payload payload) {
		Class<?> found = (payload.type() == null) ? this.erasedTypes.find(payload.value()) : null;
		if (found != null) {
			throw part.failure(what + " does not say what it holds, so that no handler could tell a "
					+ found.getTypeName()
					+ " in it from other types: give its type, by TaskRequest's payload(value, new ParameterizedTypeReference<…>() {})",
					null);
		}
	}

	/** Jackson writes more than it reads. Read as a whole, as the reader does. */
	private void requireReadable(Part part, String what, byte[] envelope) {
		try (JsonParser json = this.mapper.createParser(envelope)) {
			while (json.nextToken() != null) {
				json.finishToken();
			}
		}
		catch (StreamConstraintsException ex) {
			// says which limit, and quotes nothing
			throw part.failure(what + " could not be read by any handler: " + ex.getOriginalMessage(), ex);
		}
		catch (JacksonException ex) {
			throw part.failure(what + " could not be read by any handler: " + ReadableCause.describe(ex), ex);
		}
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
				writeRecurrence(json, options.recurrence());
			}
			json.writeEndObject();
		}
	}

	private static void writeRecurrence(JsonGenerator json, Recurrence recurrence) {
		if (recurrence.period() != null) {
			json.writeNumberProperty("every", recurrence.period().toMillis());
			if (recurrence.first() != null) {
				json.writeNumberProperty("from", recurrence.first().toEpochMilli());
			}
		}
		else {
			json.writeStringProperty("cron", recurrence.cron());
			json.writeStringProperty("zone", String.valueOf(recurrence.zone()));
		}
		if (recurrence.onMissed() != OnMissed.ONCE) {
			json.writeStringProperty("onMissed", recurrence.onMissed().name());
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
	 * Writes a part of the envelope that comes from the application, up to a size; queue
	 * and task are for messages.
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
