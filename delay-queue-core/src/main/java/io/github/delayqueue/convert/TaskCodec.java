package io.github.delayqueue.convert;

import java.io.IOException;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopInfrastructureBean;
import tools.jackson.core.json.JsonFactory;

import io.github.delayqueue.DelayQueueException;

/**
 * Writes and reads what is stored of a task besides its place and counts. Public for
 * wiring. Thread-safe.
 * <p>
 * An envelope is <code>{"v":1,"p":&lt;payload&gt;,"h":{…},"o":{…}}</code>: version,
 * payload, headers, and options with durations in milliseconds; {@code p} is absent
 * without payload, {@code h} and {@code o} where they are empty. Any program can write
 * it; parts may come in any order, and parts that are not known are passed over.
 */
public final class TaskCodec implements AopInfrastructureBean {

	/** Keeps no stack traces. */
	public static final Function<Throwable, @Nullable String> NO_TRACES = (error) -> null;

	private final PayloadMapper mapper;

	private final EnvelopeWriter writer;

	private final EnvelopeReader reader;

	private final Function<Throwable, @Nullable String> traces;

	private TaskCodec(PayloadMapper mapper, Function<Throwable, @Nullable String> traces) {
		this.mapper = mapper;
		this.traces = traces;
		JsonFactory json = JsonFactory.builder().streamReadConstraints(mapper.limits()).build();
		this.writer = new EnvelopeWriter(mapper, json);
		this.reader = new EnvelopeReader(json);
	}

	/**
	 * Create a codec that keeps no stack traces.
	 * @param mapper how payloads are written and read
	 */
	public static TaskCodec of(PayloadMapper mapper) {
		return of(mapper, NO_TRACES);
	}

	/**
	 * Create a codec.
	 * @param mapper how payloads are written and read
	 * @param traces what is kept of the stack trace of a failure
	 */
	public static TaskCodec of(PayloadMapper mapper, Function<Throwable, @Nullable String> traces) {
		return new TaskCodec(mapper, traces);
	}

	/**
	 * Write an envelope, as JSON in UTF-8.
	 * @param queue the queue, for messages
	 * @param taskId the task, for messages
	 * @param payload the payload, {@code null} without
	 * @param maxPayloadBytes how large payload and headers may be, each, as JSON
	 * @throws DelayQueueException if payload or headers cannot be written, are too large,
	 * or could not be read by any handler. The message names the type of the payload and
	 * contains nothing of it
	 */
	public byte[] writeEnvelope(String queue, String taskId, @Nullable Payload payload, Map<String, String> headers,
			TaskOptions options, long maxPayloadBytes) {
		return this.writer.write(queue, taskId, payload, headers, options, maxPayloadBytes);
	}

	/**
	 * Write another task with the payload of one that was read, byte by byte. The task's
	 * own settings were for its handler, and are left out.
	 * @param taskId the task that was read
	 */
	public byte[] writeEnvelope(String taskId, Envelope envelope, Map<String, String> headers) {
		return this.writer.write(payloadOrId(taskId, envelope), headers);
	}

	/**
	 * Read an envelope, without converting its payload.
	 * @param bytes the envelope, not to be changed afterwards
	 * @throws UnsupportedEnvelopeException if its version is not known
	 * @throws UnreadableTaskException if it is not an envelope. The message contains
	 * nothing of the payload
	 */
	public Envelope readEnvelope(byte[] bytes) {
		return this.reader.read(bytes);
	}

	/**
	 * Whether an envelope that this class has written, without a generation, is that of a
	 * recurring task. Looks at its beginning only.
	 */
	public static boolean isRecurring(byte[] envelope) {
		int length = EnvelopeWriter.RECURRING_START.length;
		return envelope.length > length && envelope[length] == ','
				&& Arrays.equals(envelope, 0, length, EnvelopeWriter.RECURRING_START, 0, length);
	}

	/**
	 * Convert a payload; of a task without payload its id, taken as a JSON string.
	 * @param queue the queue, for messages
	 * @return the payload, {@code null} if it is JSON {@code null}
	 * @throws UnreadableTaskException if it cannot be converted. The message names the
	 * type and the place and contains nothing of the payload
	 */
	public @Nullable Object readPayload(String queue, String taskId, Envelope envelope, Type type) {
		JsonSlice payload = envelope.payload();
		try {
			JsonSlice json = payloadOrId(taskId, envelope);
			return this.mapper.read(json.bytes(), json.offset(), json.length(), type);
		}
		catch (IOException | RuntimeException | StackOverflowError ex) {
			String objection = objection(type);
			throw UnreadableTaskException.ofTask(queue, taskId,
					((payload != null) ? "has a payload that cannot be read as "
							: "has no payload, and its id cannot be read as ") + type.getTypeName() + ": "
							+ this.mapper.describe(ex) + ((objection != null) ? ": " + objection : ""));
		}
	}

	/**
	 * Say why no payload could ever be read as a type.
	 * @return the reason, {@code null} if none is known
	 */
	public @Nullable String objection(Type type) {
		return this.mapper.objection(type);
	}

	private static JsonSlice payloadOrId(String taskId, Envelope envelope) {
		JsonSlice payload = envelope.payload();
		return (payload != null) ? payload : JsonSlice.of(PlainJson.write(taskId));
	}

	/** Return the part of a stack trace that is to be kept with a failure. */
	public @Nullable String trace(Throwable error) {
		return this.traces.apply(error);
	}

}
