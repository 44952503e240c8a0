package io.github.delayqueue.store;

import java.util.Random;
import java.util.stream.LongStream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import io.github.delayqueue.testsupport.MutableClock;

/**
 * Two stores live through the same random histories: always the same ones, and some that
 * are new in every run. The system property {@code history.seed} repeats a single one.
 */
public abstract class AbstractRandomHistoryTests {

	private static final int STEPS = 400;

	/**
	 * The store that is believed.
	 * @return a store that reads {@link #clock()}
	 */
	protected abstract TaskStore model();

	/**
	 * The store under test.
	 * @return a store that reads {@link #clock()}
	 */
	protected abstract TaskStore candidate();

	protected abstract MutableClock clock();

	/**
	 * Look into the stores: is every task in exactly one place? Called after each step.
	 * @param queue the queue of the history
	 */
	protected void assertInvariant(String queue) {
	}

	static LongStream seeds() {
		Long seed = Long.getLong("history.seed");
		return (seed != null) ? LongStream.of(seed)
				: LongStream.concat(LongStream.rangeClosed(1, 20), new Random().longs(5));
	}

	@BeforeEach
	void setClock() {
		clock().set(TaskStoreFixture.START);
	}

	@ParameterizedTest
	@MethodSource("seeds")
	void storesAgreeThroughARandomHistory(long seed) {
		RandomHistory history = new RandomHistory(model(), candidate(), clock(), seed);
		history.run(STEPS, () -> {
			TotalsIdentity.check(model().stats(history.queue()));
			assertInvariant(history.queue());
		});
	}

}
