package io.github.delayqueue.producer;

import java.lang.reflect.Type;
import java.util.Map;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.core.ParameterizedTypeReference;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.Names;
import io.github.delayqueue.Recurrence;
import io.github.delayqueue.convert.Envelope;
import io.github.delayqueue.convert.TaskCodec;

/**
 * A task that is handed to the application with its content, as far as that can be read:
 * one that cannot be read can still be looked at, and dead-lettered. Immutable.
 */
abstract class ReadableTask implements TaskView {

	final TaskCodec codec;

	private final @Nullable Envelope envelope;

	private final @Nullable DelayQueueException error;

	ReadableTask(TaskCodec codec, Supplier<Envelope> envelope) {
		this.codec = codec;
		Envelope read = null;
		DelayQueueException error = null;
		try {
			read = envelope.get();
		}
		catch (DelayQueueException ex) {
			error = ex;
		}
		this.envelope = read;
		this.error = error;
	}

	/** Why it cannot be read, {@code null} if it can. */
	@Nullable DelayQueueException error() {
		return this.error;
	}

	@Override
	public Map<String, String> headers() {
		return (this.envelope != null) ? this.envelope.headers() : Map.of();
	}

	@Override
	public @Nullable String payloadJson() {
		return (this.envelope != null) ? this.envelope.payloadJson() : null;
	}

	@Override
	public @Nullable Recurrence recurrence() {
		return (this.envelope != null) ? this.envelope.options().recurrence() : null;
	}

	@Override
	public <T> @Nullable T payload(Class<T> type) {
		return payload((Type) type);
	}

	@Override
	public <T> @Nullable T payload(ParameterizedTypeReference<T> type) {
		return payload(type.getType());
	}

	/** Unchecked because the class of a primitive type casts nothing. */
	@SuppressWarnings("unchecked")
	private <T> @Nullable T payload(Type type) {
		if (this.envelope == null) {
			throw new DelayQueueException(queue(), id(), "Task '" + Names.printable(id()) + "' of queue '" + queue()
					+ "' cannot be read: " + ((this.error != null) ? this.error.getMessage() : ""), this.error);
		}
		return (T) this.codec.readPayload(queue(), id(), this.envelope, type);
	}

}
