package io.github.delayqueue.autoconfigure;

import java.util.List;
import java.util.Locale;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;

import io.github.delayqueue.config.ConnectionFactoryException;
import io.github.delayqueue.config.JsonMapperException;
import io.github.delayqueue.journal.JournalSetupException;
import io.github.delayqueue.listener.InvalidListenerException;

/**
 * Shows what the delay queue does not start with, and what to change, without a stack
 * trace.
 */
class SetupFailureAnalyzer implements FailureAnalyzer {

	@Override
	public @Nullable FailureAnalysis analyze(Throwable failure) {
		for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
			if (cause instanceof InvalidListenerException listener) {
				return new FailureAnalysis(listener.getMessage(), listener.getAction(), cause);
			}
			if (cause instanceof SpringBootVersionException version) {
				return new FailureAnalysis(version.getProblem(), version.getAction(), cause);
			}
			String action = action(cause);
			if (action != null) {
				return new FailureAnalysis(cause.getMessage() + ".", action, cause);
			}
		}
		return null;
	}

	private static @Nullable String action(Throwable cause) {
		if (cause instanceof JournalSetupException journal) {
			return journal.getRemedy();
		}
		if (cause instanceof JsonMapperException mapper) {
			return ofMapper(mapper.getType(), mapper.getCandidates().get(0));
		}
		return (cause instanceof ConnectionFactoryException factory) ? ofConnectionFactory(factory.getCandidates())
				: null;
	}

	private static String ofMapper(String type, String candidate) {
		boolean jackson3 = type.equals("JsonMapper");
		return "Mark one of them, and only one, as @Primary. "
				+ (jackson3 ? "Declare bean methods that return a JsonMapper with that type, not as ObjectMapper: "
						+ "Spring Boot declares a primary JsonMapper of its own unless it sees one. " : "")
				+ String.format(Locale.ROOT,
						"Or choose one for the delay queue only:%n%n    @Bean%n    TaskCodec delayQueueCodec(@Qualifier(\"%s\") %s mapper) {%n        return %s;%n    }",
						candidate, type, jackson3 ? "TaskCodec.of(new JacksonPayloadMapper(mapper))"
								: "TaskCodec.of(new Jackson2PayloadMapper(mapper))");
	}

	private static String ofConnectionFactory(List<String> candidates) {
		if (candidates.isEmpty()) {
			return "Let Spring Boot connect to Redis by setting spring.data.redis.host, .port or .url, and do not "
					+ "exclude its auto-configuration of Redis; or declare a bean of type RedisConnectionFactory; or, if "
					+ "this application does not use the delay queue, set delay-queue.enabled=false.";
		}
		return "Annotate the one that the delay queue is to use with @DelayQueueConnectionFactory, "
				+ "or make one of them, and only one, @Primary.";
	}

}
