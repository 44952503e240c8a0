package io.github.delayqueue.testsupport;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.opentest4j.TestAbortedException;

/**
 * The clock of a process that differs from the machine's for as long as it runs: a
 * library in C, which costs next to nothing, unlike libfaketime.
 */
public final class ShiftedClock {

	private static final String SOURCE = "io/github/delayqueue/testsupport/shifted_clock.c";

	private ShiftedClock() {
	}

	/**
	 * What a process needs in its environment.
	 * @param offset what is added to the machine's time
	 * @throws TestAbortedException as of {@link CLibrary#compile(String)}
	 */
	public static Map<String, String> environment(Duration offset) {
		return offset.isZero() ? Map.of() : Map.of("LD_PRELOAD", CLibrary.compile(SOURCE).toString(), "CLOCK_SHIFT",
				String.valueOf(TimeUnit.NANOSECONDS.toMicros(offset.toNanos())));
	}

}
