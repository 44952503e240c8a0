package io.github.delayqueue.producer;

import java.lang.reflect.Type;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.springframework.core.ParameterizedTypeReference;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.DuplicatePolicy;
import io.github.delayqueue.Names;
import io.github.delayqueue.Recurrence;
import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.convert.Payload;
import io.github.delayqueue.convert.TaskOptions;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.Replacement;
import io.github.delayqueue.store.TaskPart;

/**
 * A task to be scheduled: <pre>{@code
 * TaskRequest.queue("order_timeout").id("order_123").payload(order).delay(Duration.ofMinutes(30)).build()
 * }</pre> Made by a {@link Builder}, which checks it. Immutable if the payload is.
 *
 * @param id the id, {@code null} if one is to be generated
 * @param payload the payload, {@code null} if there is none: the handler gets the id
 * @param payloadType as what it is written, {@code null} for the class that it is an
 * object of
 * @param dueAsSet when it is due, {@code null} if neither a delay nor an instant is set
 * @param headers in the order they were added, possibly empty, not modifiable
 * @param options the settings of the task itself, {@link TaskOptions#NONE} if nothing
 * @param parts the wishes of features for the task, possibly none; not modifiable
 * @param onDuplicate the policy for an id that is known
 */
public record TaskRequest(String queue, @Nullable String id, @Nullable Object payload, @Nullable Type payloadType,
		@Nullable DueTime dueAsSet, TaskPriority priority, Map<String, String> headers, TaskOptions options,
		List<TaskPart> parts, DuplicatePolicy onDuplicate) {

	/**
	 * Check the names, also of a request that is not built.
	 * @throws DelayQueueException if queue or id is no name of one
	 */
	public TaskRequest {
		Names.requireQueue(queue);
		if (id != null) {
			Names.requireTaskId(queue, id);
		}
	}

	/**
	 * Start to build a request.
	 * @param queue the queue: 1 to 128 letters, digits and {@code _ - . :}
	 */
	public static Builder queue(String queue) {
		return new Builder(Names.requireQueue(queue));
	}

	/**
	 * The payload with the type as which it is written; {@code null} if there is none.
	 */
	public @Nullable Payload toPayload() {
		return (this.payload != null) ? new Payload(this.payload, this.payloadType) : null;
	}

	/**
	 * When the task is due: an instant, or a delay from when the store gets it. Of a
	 * recurring task that has no first time of its own a delay of zero, though it is
	 * scheduled for its next time.
	 */
	public DueTime due() {
		for (TaskPart part : this.parts) {
			DueTime due = part.due();
			if (due != null) {
				return due;
			}
		}
		return (this.dueAsSet != null) ? this.dueAsSet : DueTime.in(Duration.ZERO);
	}

	/**
	 * When the task is due if it is scheduled now. A recurring task gets an instant, from
	 * which its times are counted.
	 */
	DueTime due(Clock clock) {
		Recurrence recurrence = recurrence();
		DueTime due = this.dueAsSet;
		if (recurrence == null) {
			return due();
		}
		Instant now = clock.instant();
		if (due != null) {
			return due.relative() ? DueTime.at(now.plusMillis(due.millis())) : due;
		}
		Instant next = recurrence.next(now);
		return (next != null) ? DueTime.at(next) : new DueTime(false, DueTime.MAX_EPOCH_MILLIS);
	}

	/** When the task is run again and again, {@code null} if it is run once. */
	public @Nullable Recurrence recurrence() {
		return this.options.recurrence();
	}

	/** The same task with other headers. */
	public TaskRequest withHeaders(Map<String, String> headers) {
		return new TaskRequest(this.queue, this.id, this.payload, this.payloadType, this.dueAsSet, this.priority,
				headers, this.options, this.parts, this.onDuplicate);
	}

	/** Without the payload. */
	@Override
	public String toString() {
		return "Task '" + this.id + "' for queue '" + this.queue + "'";
	}

	/** Builds a {@link TaskRequest}. Not thread-safe. */
	public static final class Builder extends TaskOptionsBuilder<Builder> {

		private @Nullable Object payload;

		private @Nullable Type payloadType;

		private @Nullable DueTime due;

		private List<TaskPart> parts = List.of();

		private TaskPriority priority = TaskPriority.NORMAL;

		private final Map<String, String> headers = new LinkedHashMap<>();

		private DuplicatePolicy onDuplicate = DuplicatePolicy.REPLACE;

		private Builder(String queue) {
			super(queue);
		}

		/**
		 * Id of the task: up to 256 bytes of UTF-8 without control characters. Default:
		 * generated.
		 */
		public Builder id(String id) {
			this.id = Names.requireTaskId(this.queue, id);
			return this;
		}

		/**
		 * The payload, which the handler gets, written as JSON, as the class that it is
		 * an object of; {@code null} for none. Default: the id of the task.
		 * @see #payload(Object, ParameterizedTypeReference)
		 */
		public Builder payload(@Nullable Object payload) {
			return payload(payload, (Type) null);
		}

		/**
		 * The payload with its type, if its class does not say what it holds: a list, a
		 * map or an {@code Optional} of types that Jackson tells from each other by an id
		 * in the JSON. It would not write that otherwise. {@code null} for none.
		 * @param type as what it is written: what the handler declares, such as
		 * {@code new ParameterizedTypeReference<List<Animal>>() {}}
		 */
		public <T> Builder payload(@Nullable T payload, ParameterizedTypeReference<T> type) {
			return payload(payload, type.getType());
		}

		Builder payload(@Nullable Object payload, @Nullable Type type) {
			if (payload instanceof TaskRequest || payload instanceof Builder) {
				throw invalid("its payload is a TaskRequest: pass the request alone, without a queue");
			}
			this.payload = payload;
			this.payloadType = type;
			return this;
		}

		/**
		 * The delay after which the task is due, a recurring one for the first time; zero
		 * or negative for now. Default: now, of a recurring task its next time.
		 */
		public Builder delay(Duration delay) {
			this.due = DueTime.in(Objects.requireNonNull(delay, "delay must not be null"));
			return this;
		}

		/**
		 * When the task is due, a recurring one for the first time; in the past for now.
		 * Default: now, of a recurring task its next time.
		 */
		public Builder dueAt(Instant dueAt) {
			this.due = DueTime.at(Objects.requireNonNull(dueAt, "dueAt must not be null"));
			return this;
		}

		/** When the task is due, as {@link #dueAt(Instant)} does. */
		public Builder dueAt(ZonedDateTime dueAt) {
			return dueAt(Objects.requireNonNull(dueAt, "dueAt must not be null").toInstant());
		}

		/**
		 * The wish of a feature for the task, such as {@code Debounce.of(quiet, atMost)},
		 * in place of another one of its class. Default: none.
		 */
		public Builder with(TaskPart part) {
			List<TaskPart> parts = new ArrayList<>(this.parts);
			parts.removeIf((other) -> other.getClass() == part.getClass());
			parts.add(part);
			this.parts = List.copyOf(parts);
			return this;
		}

		/** Priority among tasks that are due. Default: {@link TaskPriority#NORMAL}. */
		public Builder priority(TaskPriority priority) {
			this.priority = Objects.requireNonNull(priority, "priority must not be null");
			return this;
		}

		/** Add a header. */
		public Builder header(String name, String value) {
			Objects.requireNonNull(name, "header name must not be null");
			Objects.requireNonNull(value, () -> "value of header '" + name + "' must not be null");
			this.headers.put(name, value);
			return this;
		}

		/**
		 * The policy for an id that is known. Default: {@link DuplicatePolicy#REPLACE}.
		 */
		public Builder onDuplicate(DuplicatePolicy onDuplicate) {
			this.onDuplicate = Objects.requireNonNull(onDuplicate, "onDuplicate must not be null");
			return this;
		}

		/**
		 * Build the request. You can go on using the builder.
		 * @throws DelayQueueException if its settings do not go together
		 */
		public TaskRequest build() {
			TaskOptions options = options();
			for (TaskPart part : this.parts) {
				requireFit(part);
			}
			return new TaskRequest(this.queue, this.id, this.payload, this.payloadType, this.due, this.priority,
					Collections.unmodifiableMap(new LinkedHashMap<>(this.headers)), options, this.parts,
					this.onDuplicate);
		}

		private void requireFit(TaskPart part) {
			if (part.due() != null && this.due != null) {
				throw invalid(part.name() + " says when it is due: set either that, or delay or dueAt");
			}
			if (part.due() != null && this.recurrence != null) {
				throw invalid(part.name() + " is for tasks that are run once: set either that, or every or cron");
			}
			String objection = part.objection(this.id != null, Replacement.of(this.onDuplicate), null);
			if (objection != null) {
				throw invalid(part.name() + " " + objection);
			}
		}

	}

}
