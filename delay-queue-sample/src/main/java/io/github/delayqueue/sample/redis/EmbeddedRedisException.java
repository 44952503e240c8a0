package io.github.delayqueue.sample.redis;

import org.jspecify.annotations.Nullable;

/**
 * The embedded Redis cannot be used. The message is a sentence for whoever started the
 * application.
 */
class EmbeddedRedisException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	EmbeddedRedisException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
