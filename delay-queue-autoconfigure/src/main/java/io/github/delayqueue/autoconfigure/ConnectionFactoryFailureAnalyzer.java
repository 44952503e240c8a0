package io.github.delayqueue.autoconfigure;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

import io.github.delayqueue.config.ConnectionFactoryException;

/**
 * Says how to name the connection factory that the delay queue is to use.
 */
class ConnectionFactoryFailureAnalyzer extends AbstractFailureAnalyzer<ConnectionFactoryException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, ConnectionFactoryException cause) {
		return new FailureAnalysis(cause.getMessage() + ".", action(cause), cause);
	}

	private static String action(ConnectionFactoryException cause) {
		if (cause.getCandidates().isEmpty()) {
			return "Let Spring Boot connect to Redis by setting spring.data.redis.host, .port or .url, and do not "
					+ "exclude DataRedisAutoConfiguration; or declare a bean of type RedisConnectionFactory; or, if this "
					+ "application has no use for the delay queue, set delay-queue.enabled=false.";
		}
		return "Annotate the one that the delay queue is to use with @DelayQueueConnectionFactory, "
				+ "or make one of them, and only one, @Primary.";
	}

}
