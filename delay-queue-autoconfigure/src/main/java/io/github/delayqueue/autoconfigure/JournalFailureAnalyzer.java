package io.github.delayqueue.autoconfigure;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

import io.github.delayqueue.journal.JournalSetupException;

/**
 * Says what a journal needs.
 */
class JournalFailureAnalyzer extends AbstractFailureAnalyzer<JournalSetupException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, JournalSetupException cause) {
		return new FailureAnalysis(cause.getMessage() + ".", cause.getRemedy(), cause);
	}

}
