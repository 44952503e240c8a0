package io.github.delayqueue.autoconfigure;

import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopConfigException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Says how to keep an aspect away from the beans of the delay queue, whose classes are
 * final for the most part.
 */
class AspectFailureAnalyzer extends AbstractFailureAnalyzer<AopConfigException> {

	private static final Pattern OURS = Pattern.compile("class io\\.github\\.delayqueue\\.[\\w.$]+");

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, AopConfigException cause) {
		Matcher ours = OURS.matcher(Objects.requireNonNullElse(cause.getMessage(), ""));
		if (!ours.find()) {
			return null;
		}
		return new FailureAnalysis(
				"An aspect of the application applies to a bean of the delay queue that cannot have a proxy: "
						+ ours.group() + ".",
				"Exclude the delay queue from its pointcut: add \"&& !within(io.github.delayqueue..*)\" to it, or "
						+ "restrict it to the packages of the application.",
				cause);
	}

}
