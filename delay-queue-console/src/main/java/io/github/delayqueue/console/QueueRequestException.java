package io.github.delayqueue.console;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.Names;

/**
 * A request to look at a queue or to change it that cannot be carried out. The message is
 * a sentence for the user. Public because {@link QueueManagement} throws it.
 */
public class QueueRequestException extends DelayQueueException {

	private static final long serialVersionUID = 1L;

	private final int status;

	QueueRequestException(int status, @Nullable String queue, String message, @Nullable Throwable cause) {
		super(queue, null, message, cause);
		this.status = status;
	}

	static QueueRequestException badRequest(@Nullable String queue, String message) {
		return new QueueRequestException(400, queue, message, null);
	}

	static QueueRequestException notFound(String queue, String message) {
		return new QueueRequestException(404, queue, message, null);
	}

	static QueueRequestException noSuchTask(String queue, String id) {
		return notFound(queue, "Queue '" + queue + "' has no task '" + Names.printable(id) + "'");
	}

	static QueueRequestException conflict(String queue, String message) {
		return new QueueRequestException(409, queue, message, null);
	}

	/**
	 * The status to return over HTTP.
	 * @return 400 for an argument that is not allowed. 403 if nothing may be changed. 404
	 * for a queue, task, listener or view that does not exist. 409 for a task in a state
	 * that the action is not for. 429 if too many look at queues at a time. 503 if the
	 * store could not be reached or did not answer. 500 if the store refused anything
	 * else
	 */
	public int getStatus() {
		return this.status;
	}

}
