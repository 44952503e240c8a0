package io.github.delayqueue.faults;

import org.jspecify.annotations.Nullable;

/**
 * A call of a producer about one task. The calls about a task are made one after the
 * other.
 */
final class Call {

	enum Kind {

		SEND, CANCEL, MOVE,

		/** Schedule a dead letter again. */
		REDRIVE

	}

	enum Answer {

		/** Stored under an id that was not known. */
		CREATED,

		/** Stored in place of another. */
		REPLACED,

		/** Not stored: the id was known. */
		REJECTED,

		/** Cancelled or moved. */
		TRUE,

		/** There was nothing to cancel or to move. */
		FALSE,

		/** An exception that says that nothing was done. */
		REFUSED,

		/**
		 * An exception that says that nobody knows; or the producer was killed meanwhile.
		 */
		UNKNOWN

	}

	final Kind kind;

	final String id;

	final TaskKey task;

	/** Of the machine's clock, as all times here. */
	final long from;

	/** Of a cancellation {@code null}. */
	final @Nullable Due due;

	/** Whether it was to be rejected if the id was known. */
	final boolean rejecting;

	/** Only of what was sent. */
	final HandlerPlan plan;

	long to = Long.MAX_VALUE;

	Answer answer = Answer.UNKNOWN;

	@Nullable String message;

	Call(Kind kind, String id, TaskKey task, long from, @Nullable Due due, HandlerPlan plan) {
		this(kind, id, task, from, due, plan, false);
	}

	Call(Kind kind, String id, TaskKey task, long from, @Nullable Due due, HandlerPlan plan, boolean rejecting) {
		this.kind = kind;
		this.id = id;
		this.task = task;
		this.from = from;
		this.due = due;
		this.plan = plan;
		this.rejecting = rejecting;
	}

	/** Whether what is handled afterwards is something else than before. */
	boolean isSend() {
		return this.kind == Kind.SEND || this.kind == Kind.REDRIVE;
	}

	boolean isAccepted() {
		return this.answer == Answer.CREATED || this.answer == Answer.REPLACED;
	}

	boolean isUnknown() {
		return this.answer == Answer.UNKNOWN;
	}

	@Override
	public String toString() {
		return "%d-%s %s %s %s %s -> %s%s".formatted(this.from, (this.to != Long.MAX_VALUE) ? this.to : "?", this.kind,
				this.id, (this.due != null) ? this.due : "", this.isSend() ? this.plan : "", this.answer,
				(this.message != null) ? " (" + this.message + ")" : "");
	}

}
