package io.github.delayqueue.races;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.jetbrains.lincheck.Lincheck;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.faults.FaultSuite;
import io.github.delayqueue.listener.ClaimLoopRaces;
import io.github.delayqueue.listener.LeasesRaces;
import io.github.delayqueue.listener.PermitsRaces;
import io.github.delayqueue.listener.SettlementsRaces;
import io.github.delayqueue.sharing.SharedCallsRaces;

/**
 * Lets Lincheck run each race in many orders of its steps, without JUnit, with whatever
 * is on the class path, until one is violated. It ends as {@link FaultSuite} does.
 */
public final class RaceSuite {

	/** Options of its JVM, because the checker looks into classes of Java. */
	public static final List<String> OPTIONS = List.of("--add-opens=java.base/java.lang=ALL-UNNAMED",
			"--add-opens=java.base/java.util.regex=ALL-UNNAMED", "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
			"--add-exports=java.base/jdk.internal.util=ALL-UNNAMED",
			"--add-exports=java.base/sun.security.action=ALL-UNNAMED", "-Xmx512m");

	private static final int PATIENCE = 4;

	static final List<Race> RACES = Stream
		.<Race[]>of(ClaimLoopRaces.values(), PermitsRaces.values(), SettlementsRaces.values(), LeasesRaces.values(),
				SharedCallsRaces.values())
		.flatMap(Stream::of)
		.toList();

	private RaceSuite() {
	}

	/**
	 * Run them.
	 * @param args none; {@code -Draces.orders} says how many orders of each are tried,
	 * {@code -Draces.only} in which classes
	 */
	public static void main(String[] args) {
		int orders = Integer.getInteger("races.orders", 20);
		String only = System.getProperty("races.only", "");
		// their appenders have locks of their own
		((Logger) LoggerFactory.getLogger("io.github.delayqueue")).setLevel(Level.OFF);
		for (Race race : RACES) {
			if (race.getClass().getName().contains(only)) {
				check(race, orders * race.share());
			}
		}
		System.exit(0);
	}

	private static void check(Race race, int orders) {
		long start = System.nanoTime();
		try {
			tryInOrders(race, orders, PATIENCE);
		}
		catch (Throwable ex) {
			ex.printStackTrace(System.out);
			System.exit(FaultSuite.VIOLATIONS);
		}
		System.out.printf("%s holds in %d orders, %d ms%n", race, orders,
				Duration.ofNanos(System.nanoTime() - start).toMillis());
	}

	/**
	 * The first run prepares hundreds of classes. On a busy machine it takes longer than
	 * the checker waits. Of a deadlock the checker shows the order.
	 */
	private static void tryInOrders(Race race, int orders, int times) {
		try {
			Lincheck.runConcurrentTest(orders, race);
		}
		catch (LincheckAssertionError ex) {
			String found = String.valueOf(ex.getMessage());
			if (times == 1 || !found.contains("has hung") || found.contains("interleaving")) {
				throw ex;
			}
			System.out.println(race + " takes too long to prepare, and is tried again");
			tryInOrders(race, orders, times - 1);
		}
	}

}
