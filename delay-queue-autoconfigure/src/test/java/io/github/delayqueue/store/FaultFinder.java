package io.github.delayqueue.store;

import java.util.List;

import io.github.delayqueue.testsupport.MutableClock;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Lets random histories look for a fault that was put into a store, as they look for real
 * ones. Public for the packages of the stores.
 */
public final class FaultFinder {

	/** More operations than this would have to be read with effort. */
	private static final int MOST_OPERATIONS = 8;

	private FaultFinder() {
	}

	/**
	 * Have the fault found, and judge how well it is explained.
	 * @param model the store that is believed
	 * @param faulty the store with the fault
	 * @param clock what both read
	 * @param sequences how many histories there may be
	 * @return what a person is told
	 */
	public static String find(HistorySubject model, HistorySubject faulty, MutableClock clock, int sequences) {
		HistoryRun run = new HistoryRun(new HistorySettings(null, sequences, sequences / 2, null, null, 1, 1_000_000));
		HistoryRun.Failure failure = run.run(List.of(new SideBySide(model, faulty, clock)));
		assertThat(failure).as("a fault found in %d histories", sequences).isNotNull();
		assertThat(failure.repeatable()).as("whether it happens again").isTrue();
		assertThat(failure.smallest().operations()).as("operations that show the fault")
			.hasSizeLessThanOrEqualTo(Math.min(failure.found().operations().size(), MOST_OPERATIONS));
		return run.message(failure, "mvn test");
	}

}
