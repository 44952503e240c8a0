package io.github.delayqueue.producer;

import java.lang.reflect.Type;
import java.util.Map;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.Names;
import io.github.delayqueue.convert.Envelope;
import io.github.delayqueue.convert.TaskCodec;
import io.github.delayqueue.convert.TaskOptions;
import io.github.delayqueue.convert.UnreadableTaskException;

/**
 * What is in a task, as far as it can be read: a task that cannot be read can still be
 * looked at, and dead-lettered. Immutable.
 */
final class TaskContent {

	private final TaskCodec codec;

	private final String queue;

	private final String taskId;

	private final @Nullable Envelope envelope;

	private final @Nullable DelayQueueException error;

	private TaskContent(TaskCodec codec, String queue, String taskId, @Nullable Envelope envelope,
			@Nullable DelayQueueException error) {
		this.codec = codec;
		this.queue = queue;
		this.taskId = taskId;
		this.envelope = envelope;
		this.error = error;
	}

	static TaskContent read(TaskCodec codec, String queue, String taskId, byte @Nullable [] envelope) {
		if (envelope == null) {
			return new TaskContent(codec, queue, taskId, null,
					new UnreadableTaskException(queue, taskId, "it has no record"));
		}
		return read(codec, queue, taskId, () -> codec.readEnvelope(envelope));
	}

	static TaskContent read(TaskCodec codec, String queue, String taskId, Supplier<Envelope> envelope) {
		try {
			return new TaskContent(codec, queue, taskId, envelope.get(), null);
		}
		catch (DelayQueueException ex) {
			return new TaskContent(codec, queue, taskId, null, ex);
		}
	}

	/** Why it cannot be read, {@code null} if it can. */
	@Nullable DelayQueueException error() {
		return this.error;
	}

	Map<String, String> headers() {
		return (this.envelope != null) ? this.envelope.headers() : Map.of();
	}

	TaskOptions options() {
		return (this.envelope != null) ? this.envelope.options() : TaskOptions.NONE;
	}

	@Nullable String payloadJson() {
		return (this.envelope != null) ? this.envelope.payloadJson() : null;
	}

	/** Unchecked because the class of a primitive type casts nothing. */
	@SuppressWarnings("unchecked")
	<T> @Nullable T payload(Type type) {
		if (this.envelope == null) {
			throw new DelayQueueException(this.queue, this.taskId,
					"Task '" + Names.printable(this.taskId) + "' of queue '" + this.queue + "' cannot be read: "
							+ ((this.error != null) ? this.error.getMessage() : ""),
					this.error);
		}
		return (T) this.codec.readPayload(this.queue, this.taskId, this.envelope, type);
	}

}
