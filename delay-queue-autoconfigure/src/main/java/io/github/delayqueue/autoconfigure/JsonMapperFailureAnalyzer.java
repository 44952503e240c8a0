package io.github.delayqueue.autoconfigure;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

import io.github.delayqueue.config.JsonMapperException;

/**
 * Says how to name the mapper that payloads are to be written and read with.
 */
class JsonMapperFailureAnalyzer extends AbstractFailureAnalyzer<JsonMapperException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, JsonMapperException cause) {
		String action = "Mark one of them, and only one, as @Primary. Let a bean method that returns a JsonMapper say "
				+ "so, not ObjectMapper: Spring Boot declares a primary JsonMapper of its own unless it sees one. Or "
				+ "choose one for the delay queue alone:%n%n    @Bean%n    TaskCodec delayQueueCodec(@Qualifier(\"%s\") "
				+ "JsonMapper mapper) {%n        return new TaskCodec(mapper);%n    }";
		return new FailureAnalysis(cause.getMessage() + ".", action.formatted(cause.getCandidates().get(0)), cause);
	}

}
