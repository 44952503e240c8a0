package io.github.delayqueue.producer;

import java.lang.reflect.Type;
import java.util.Map;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.core.ParameterizedTypeReference;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.Names;
import io.github.delayqueue.Recurrence;
import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.convert.Envelope;
import io.github.delayqueue.convert.TaskCodec;

/**
 * A task that was found or claimed, with its content, as far as that can be read: one
 * that cannot be read can still be looked at, and dead-lettered.
 */
public interface TaskView {

	/** The queue it was scheduled in. */
	String queue();

	/** Its id, unique in the queue. */
	String id();

	/** Its priority. */
	TaskPriority priority();

	/** How often a lease on it has run out and was taken over. */
	int leasesLost();

	/** The content that the other methods read. For parts. */
	Content content();

	/** Its headers, possibly empty, not modifiable. */
	default Map<String, String> headers() {
		Envelope envelope = content().envelope();
		return (envelope != null) ? envelope.headers() : Map.of();
	}

	/**
	 * When it is run again and again; {@code null} if it is run once, or its envelope
	 * cannot be read.
	 */
	default @Nullable Recurrence recurrence() {
		Envelope envelope = content().envelope();
		return (envelope != null) ? envelope.options().recurrence() : null;
	}

	/**
	 * The payload as JSON; {@code null} if the task has none or its envelope cannot be
	 * read.
	 */
	default @Nullable String payloadJson() {
		Envelope envelope = content().envelope();
		return (envelope != null) ? envelope.payloadJson() : null;
	}

	/**
	 * The payload; of a task without payload its id.
	 * @throws DelayQueueException if it cannot be converted; a task that was claimed can
	 * still be dead-lettered or released
	 */
	default <T> @Nullable T payload(Class<T> type) {
		return payload((Type) type);
	}

	/** As {@link #payload(Class)}, as a generic type. */
	default <T> @Nullable T payload(ParameterizedTypeReference<T> type) {
		return payload(type.getType());
	}

	/** Unchecked because the class of a primitive type casts nothing. */
	@SuppressWarnings("unchecked")
	private <T> @Nullable T payload(Type type) {
		Content content = content();
		if (content.envelope() == null) {
			throw new DelayQueueException(queue(), id(), "Task '" + Names.printable(id()) + "' of queue '" + queue()
					+ "' cannot be read: " + ((content.error() != null) ? content.error().getMessage() : ""),
					content.error());
		}
		return (T) content.codec().readPayload(queue(), id(), content.envelope(), type);
	}

	/**
	 * The content of a task.
	 *
	 * @param error why it cannot be read, {@code null} if it can
	 */
	record Content(TaskCodec codec, @Nullable Envelope envelope, @Nullable DelayQueueException error) {

		/** Read an envelope, which may not be readable. */
		public static Content read(TaskCodec codec, Supplier<Envelope> envelope) {
			try {
				return new Content(codec, envelope.get(), null);
			}
			catch (DelayQueueException ex) {
				return new Content(codec, null, ex);
			}
		}

	}

}
