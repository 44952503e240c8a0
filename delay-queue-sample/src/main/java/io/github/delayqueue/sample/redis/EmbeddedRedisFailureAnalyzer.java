package io.github.delayqueue.sample.redis;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Says what to do where the embedded Redis cannot be used.
 */
class EmbeddedRedisFailureAnalyzer extends AbstractFailureAnalyzer<EmbeddedRedisException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, EmbeddedRedisException cause) {
		return new FailureAnalysis(cause.getMessage(),
				"Start a Redis of your own and say where it is, for example with "
						+ "--spring.data.redis.url=redis://localhost:6379",
				cause);
	}

}
