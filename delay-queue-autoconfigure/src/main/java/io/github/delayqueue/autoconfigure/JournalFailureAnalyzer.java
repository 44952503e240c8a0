package io.github.delayqueue.autoconfigure;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

import io.github.delayqueue.config.JournalRequirementException;

/**
 * Says what a queue with a journal needs.
 */
class JournalFailureAnalyzer extends AbstractFailureAnalyzer<JournalRequirementException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, JournalRequirementException cause) {
		return new FailureAnalysis(cause.getMessage() + ".", cause.getRemedy(), cause);
	}

}
