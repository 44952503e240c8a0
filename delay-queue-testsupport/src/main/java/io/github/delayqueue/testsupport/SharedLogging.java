package io.github.delayqueue.testsupport;

import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Leaves Logback as {@code logback-test.xml} says, where there is one. Applications of
 * Spring Boot that start side by side in one JVM would each set it up anew, at the same
 * time, and from then on every line would come twice: classes that read what is printed
 * would fail.
 */
public final class SharedLogging implements LauncherSessionListener {

	/** That of {@code org.springframework.boot.logging.LoggingSystem}. */
	private static final String LOGGING_SYSTEM = "org.springframework.boot.logging.LoggingSystem";

	@Override
	public void launcherSessionOpened(LauncherSession session) {
		if (Thread.currentThread().getContextClassLoader().getResource("logback-test.xml") != null) {
			System.setProperty(LOGGING_SYSTEM, "none");
		}
	}

}
