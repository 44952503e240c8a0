package io.github.delayqueue.config;

import java.util.regex.Pattern;

/** The head of a stack trace, without messages, which may quote the payload. */
final class StackHead {

	static final int MAX_LENGTH = 2000;

	private static final int MAX_EXCEPTIONS = 3;

	private static final int MAX_FRAMES = 8;

	/** Of what applications stand on, and of this library. */
	private static final Pattern FOREIGN = Pattern
		.compile("(?:java|javax|jdk|sun|com\\.sun|jakarta|kotlin|kotlinx|scala|groovy|org\\.springframework"
				+ "|org\\.apache|org\\.hibernate|org\\.junit|org\\.redisson|io\\.lettuce|io\\.netty|io\\.micrometer"
				+ "|reactor|com\\.fasterxml|tools\\.jackson|io\\.github\\.delayqueue\\.(?:annotation|listener|run"
				+ "|producer|bulk|store|journal|observation|convert|jackson|test))\\..*");

	private StackHead() {
	}

	static String of(Throwable error) {
		StringBuilder text = new StringBuilder();
		Throwable cause = error;
		for (int i = 0; i < MAX_EXCEPTIONS && cause != null; i++, cause = cause.getCause()) {
			text.append((i == 0) ? "" : "Caused by: ").append(cause.getClass().getName()).append('\n');
			appendFrames(text, cause.getStackTrace());
		}
		return (text.length() > MAX_LENGTH) ? text.substring(0, MAX_LENGTH - 1) + "…" : text.toString().stripTrailing();
	}

	/** Where it was thrown, and then frames of the application. */
	private static void appendFrames(StringBuilder text, StackTraceElement[] frames) {
		int shown = 0;
		for (int i = 0; i < frames.length && shown < MAX_FRAMES; i++) {
			if (i == 0 || !FOREIGN.matcher(frames[i].getClassName()).matches()) {
				text.append("  at ").append(frames[i]).append('\n');
				shown++;
			}
		}
		if (frames.length > shown) {
			text.append("  … ").append(frames.length - shown).append(" more\n");
		}
	}

}
