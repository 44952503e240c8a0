package io.github.delayqueue.autoconfigure;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

import io.github.delayqueue.listener.InvalidListenerException;

/**
 * Shows what is wrong with a listener, and what to change, without a stack trace.
 */
class InvalidListenerFailureAnalyzer extends AbstractFailureAnalyzer<InvalidListenerException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InvalidListenerException cause) {
		return new FailureAnalysis(cause.getMessage(), cause.getAction(), cause);
	}

}
