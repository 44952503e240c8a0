package io.github.delayqueue.annotation;

import java.util.Map;

import org.springframework.messaging.MessageHeaders;

/**
 * The headers of a task for spring-messaging: those and nothing else, without the id and
 * time stamp that it makes for each message otherwise.
 */
final class TaskHeaders extends MessageHeaders {

	private static final long serialVersionUID = 1L;

	TaskHeaders(Map<String, String> headers) {
		super(null, ID_VALUE_NONE, -1L);
		// Not through the constructor, which would leave out headers called id or
		// timestamp
		getRawHeaders().putAll(headers);
	}

}
