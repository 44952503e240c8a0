package io.github.delayqueue.testsupport;

import java.util.concurrent.atomic.AtomicBoolean;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Skips tests where there is no browser, and says so in one line.
 */
public class BrowserCondition implements ExecutionCondition {

	private static final Logger logger = LoggerFactory.getLogger(BrowserCondition.class);

	private static final AtomicBoolean SAID = new AtomicBoolean();

	@Override
	public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
		String missing = Browser.missing();
		if (missing == null) {
			return ConditionEvaluationResult.enabled("There is a browser");
		}
		String reason = "The page was not tested in a browser: " + missing + " is not on the PATH";
		if (SAID.compareAndSet(false, true)) {
			logger.warn(reason);
		}
		return ConditionEvaluationResult.disabled(reason);
	}

}
