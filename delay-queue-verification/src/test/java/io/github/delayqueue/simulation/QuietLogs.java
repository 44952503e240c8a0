package io.github.delayqueue.simulation;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Lets the library log nothing meanwhile: thousands of faults fill thousands of lines.
 */
final class QuietLogs {

	private static final Logger logger = (Logger) LoggerFactory.getLogger("io.github.delayqueue");

	private static int running;

	private static @Nullable Level before;

	private QuietLogs() {
	}

	/** Several may do so beside each other. */
	static void during(Runnable work) {
		begin();
		try {
			work.run();
		}
		finally {
			end();
		}
	}

	private static synchronized void begin() {
		if (running++ == 0) {
			before = logger.getLevel();
			logger.setLevel(Level.toLevel(System.getProperty("simulation.log", "OFF")));
		}
	}

	private static synchronized void end() {
		if (--running == 0) {
			logger.setLevel(before);
		}
	}

}
