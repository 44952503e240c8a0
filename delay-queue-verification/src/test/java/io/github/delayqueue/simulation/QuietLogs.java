package io.github.delayqueue.simulation;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets the library log nothing meanwhile: thousands of faults fill thousands of lines.
 */
final class QuietLogs {

	private QuietLogs() {
	}

	static void during(Runnable work) {
		Logger logger = (Logger) LoggerFactory.getLogger("io.github.delayqueue");
		Level before = logger.getLevel();
		logger.setLevel(Level.toLevel(System.getProperty("simulation.log", "OFF")));
		try {
			work.run();
		}
		finally {
			logger.setLevel(before);
		}
	}

}
