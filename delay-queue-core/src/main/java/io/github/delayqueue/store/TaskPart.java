package io.github.delayqueue.store;

import org.jspecify.annotations.Nullable;

/**
 * A wish of a feature beside the kernel for a task that is scheduled. The builder of a
 * request takes it, and it goes with the task to the script that stores it. For
 * extension. Implementations are immutable, and equal if they wish for the same; a task
 * has one of each class at most.
 */
public interface TaskPart {

	/**
	 * The name of the feature, with which messages begin. If it has an argument, the file
	 * of this name beside the class, which ends with {@code .lua}, is its part of the
	 * script.
	 */
	String name();

	/**
	 * Text for the script, behind the due time of the task: a sign with which no other
	 * part begins, then anything but the signs of others; or nothing, if the envelope
	 * says all.
	 */
	String argument();

	/**
	 * When the task is due, if this says so: then it has no other due time, and does not
	 * recur. {@code null} if it does not.
	 */
	default @Nullable DueTime due() {
		return null;
	}

	/** The same from a later now, so many milliseconds on. */
	default TaskPart after(long passed) {
		return this;
	}

	/**
	 * Why a task cannot have it: words to follow the name; {@code null} if it can.
	 * @param named whether somebody has chosen the id of the task
	 * @param envelope its content, {@code null} if that is not known yet
	 */
	default @Nullable String objection(boolean named, Replacement onDuplicate, byte @Nullable [] envelope) {
		return null;
	}

	/** The content of the task with what this has to say in it, not changed itself. */
	default byte[] mark(byte[] envelope) {
		return envelope;
	}

	/**
	 * Store a task without a script: the same as that does.
	 * @param task the task as it would be without this
	 * @param waiting the task that it replaces if that waits and has never been
	 * delivered, else {@code null}
	 * @param nowMicros the store's clock, in microseconds since the epoch
	 */
	default StoredAs place(StoredAs task, @Nullable StoredAs waiting, long nowMicros) {
		return task;
	}

	/**
	 * A task as it is stored.
	 *
	 * @param envelope its content, not to be changed
	 * @param dueMillis when it is due, in milliseconds since the epoch
	 */
	record StoredAs(byte[] envelope, long dueMillis) {

	}

}
