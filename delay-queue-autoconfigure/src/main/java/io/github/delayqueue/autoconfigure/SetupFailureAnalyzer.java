package io.github.delayqueue.autoconfigure;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;

import io.github.delayqueue.SetupException;
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
			if (cause instanceof SetupException setup) {
				return new FailureAnalysis(setup.getMessage() + ".", setup.getRemedy(), cause);
			}
		}
		return null;
	}

}
