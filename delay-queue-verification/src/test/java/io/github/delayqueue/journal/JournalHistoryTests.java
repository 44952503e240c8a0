package io.github.delayqueue.journal;

import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.LongStream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.testsupport.TestEffort;

import static org.assertj.core.api.Assertions.fail;

/**
 * Two instances with one journal live through random histories, in which processes die
 * between any two calls of Redis, Redis loses what it has, and each does something while
 * the other is at it. Nothing that was finished, cancelled or rolled back is delivered,
 * nothing is early, no row comes or goes without a reason, and in the end everything that
 * is not finished is delivered.
 * <p>
 * {@code -Dhistory.seed} repeats one, {@code -Dhistory.sequences} makes for more, half of
 * them new ones, as a full run has them.
 */
class JournalHistoryTests {

	private static final Logger logger = LoggerFactory.getLogger(JournalHistoryTests.class);

	private static final int SEQUENCES = Integer.getInteger("history.sequences", TestEffort.pick(10, 120));

	/** How many are the same each time, so that no build fails by chance. */
	private static final int SAME = (TestEffort.hasNewSeeds() || System.getProperty("history.sequences") != null)
			? SEQUENCES / 2 : SEQUENCES;

	@ParameterizedTest(name = "faults: {0}")
	@ValueSource(booleans = { false, true })
	void journalKeepsItsRulesThroughRandomHistories(boolean faults) {
		long base = 1000L * SEQUENCES + new Random().nextInt(1_000_000_000) * 1000L;
		Long only = Long.getLong("history.seed");
		long start = System.nanoTime();
		try (JournalWorld world = new JournalWorld()) {
			for (int i = 0; i < ((only != null) ? 1 : SEQUENCES); i++) {
				long seed = (only != null) ? only : (i < SAME) ? i + 1 : base + i;
				String failure = run(world, seed, faults);
				if (failure != null) {
					fail(explain(world, seed, failure));
				}
			}
		}
		logger.info("{} histories {} faults in {} ms", SEQUENCES, faults ? "with" : "without",
				(System.nanoTime() - start) / 1_000_000);
	}

	@ParameterizedTest
	@CsvSource({ "133905272385, true", "944282776846, false", "330, true" })
	void historiesThatBrokeARuleOnceNoLongerDo(long seed, boolean faults) {
		try (JournalWorld world = new JournalWorld()) {
			String failure = run(world, seed, faults);
			if (failure != null) {
				fail(explain(world, seed, failure));
			}
		}
	}

	private static List<Long> steps(long seed) {
		Random random = new Random(new SplittableRandom(seed).nextLong());
		int length = 20 + random.nextInt(60);
		return LongStream.range(0, length).map((i) -> random.nextLong()).boxed().toList();
	}

	/**
	 * Live through a history.
	 * @return which rule was broken, {@code null} if none was
	 */
	private static @Nullable String run(JournalWorld world, long seed, boolean faults) {
		world.begin((seed % 2 == 0) ? 1 : 3);
		JournalSteps does = new JournalSteps(world, faults, seed % 3 == 2);
		try {
			steps(seed).forEach(does::step);
			does.end();
			return world.violated;
		}
		catch (AssertionError | RuntimeException ex) {
			if (world.violated != null) {
				return world.violated;
			}
			if (!(ex instanceof AssertionError)) {
				logger.error("Where a history broke off", ex);
				return "broke-off: " + ex;
			}
			return ex.getMessage();
		}
	}

	private static String explain(JournalWorld world, long seed, String failure) {
		return "%s%nRepeat: -Dhistory.seed=%d%n%s".formatted(failure, seed, String.join("\n", world.trace));
	}

}
