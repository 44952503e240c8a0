package io.github.delayqueue.testsupport;

import java.time.Duration;

import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * How long tests wait for what has to happen: so long that only a hang takes longer,
 * however much else the machine has to do. Awaitility's time-out in all modules.
 */
public final class Patience implements LauncherSessionListener {

	/**
	 * Longer than a client needs to notice by itself that a server has gone, and than a
	 * page with a thousand queues takes where several builds run at once: 125 s were
	 * seen.
	 */
	public static final Duration LIMIT = Duration.ofMinutes(5);

	/** Wait for a server, also where no test has set what Awaitility does. */
	static ConditionFactory await(String what) {
		return Awaitility.await(what).atMost(LIMIT).pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(5));
	}

	@Override
	public void launcherSessionOpened(LauncherSession session) {
		Awaitility.setDefaultTimeout(LIMIT);
		Awaitility.setDefaultPollInterval(Duration.ofMillis(20));
		Awaitility.setDefaultPollDelay(Duration.ZERO);
	}

}
