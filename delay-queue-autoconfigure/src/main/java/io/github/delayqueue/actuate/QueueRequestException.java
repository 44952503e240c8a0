package io.github.delayqueue.actuate;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.Names;
import io.github.delayqueue.StoreUnavailableException;

/**
 * A request to look at a queue or to change it that cannot be carried out. The message is
 * a sentence for the user. Public because {@link QueueManagement} throws it.
 */
public class QueueRequestException extends DelayQueueException {

	private static final long serialVersionUID = 1L;

	private static final int FORBIDDEN = 403;

	private static final int CONFLICT = 409;

	private static final int TOO_MANY_REQUESTS = 429;

	private static final int GATEWAY_TIMEOUT = 504;

	private final int status;

	QueueRequestException(int status, @Nullable String queue, String message, @Nullable Throwable cause) {
		super(queue, null, message, cause);
		this.status = status;
	}

	static QueueRequestException badRequest(@Nullable String queue, String message) {
		return new QueueRequestException(WebEndpointResponse.STATUS_BAD_REQUEST, queue, message, null);
	}

	static QueueRequestException notFound(String queue, String message) {
		return new QueueRequestException(WebEndpointResponse.STATUS_NOT_FOUND, queue, message, null);
	}

	static QueueRequestException noSuchTask(String queue, String id) {
		return notFound(queue, "Queue '" + queue + "' has no task '" + Names.printable(id) + "'");
	}

	static QueueRequestException conflict(String queue, String message) {
		return new QueueRequestException(CONFLICT, queue, message, null);
	}

	static QueueRequestException forbidden(String queue, String message) {
		return new QueueRequestException(FORBIDDEN, queue, message, null);
	}

	static QueueRequestException tooMany(String message) {
		return new QueueRequestException(TOO_MANY_REQUESTS, null, message, null);
	}

	static QueueRequestException noAnswer(String queue, String message) {
		return new QueueRequestException(GATEWAY_TIMEOUT, queue, message, null);
	}

	static QueueRequestException of(DelayQueueException error) {
		if (error instanceof QueueRequestException request) {
			return request;
		}
		int status = (error instanceof StoreUnavailableException) ? WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE
				: WebEndpointResponse.STATUS_INTERNAL_SERVER_ERROR;
		return new QueueRequestException(status, error.getQueue(), String.valueOf(error.getMessage()), error);
	}

	/**
	 * The status to return over HTTP.
	 * @return 400 for an argument that is not allowed; 403 if nothing may be changed; 404
	 * for a queue, task, listener, instance or view that does not exist; 409 for a task
	 * in a state that the action is not for, or an instance that takes no orders; 429 if
	 * too many look at queues at a time; 503 if the store could not be reached or did not
	 * answer; 504 if another instance did not; 500 for whatever else the store refused
	 */
	public int getStatus() {
		return this.status;
	}

}
