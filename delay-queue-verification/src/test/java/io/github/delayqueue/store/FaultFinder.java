package io.github.delayqueue.store;

import java.util.List;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.testsupport.MutableClock;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Lets random histories look for a fault that was put into a store, as they look for real
 * ones. Public for the packages of the stores.
 */
public final class FaultFinder {

	/** More operations than this would have to be read with effort. */
	private static final int MOST_OPERATIONS = 15;

	private FaultFinder() {
	}

	/**
	 * What was found.
	 *
	 * @param seed of the history that shows the fault
	 * @param message what a person is told
	 */
	public record Found(long seed, String message) {

	}

	private static Found find(HistorySubject model, HistorySubject faulty, MutableClock clock, int sequences) {
		Found found = find(model, faulty, clock,
				new HistorySettings(null, sequences, sequences / 2, null, null, 1_000_000, null));
		assertThat(found).as("a fault found in %d histories", sequences).isNotNull();
		return found;
	}

	/**
	 * Have the fault found by a history that is known to show it, or else searched for.
	 * @param model the store that is believed
	 * @param faulty the store with the fault
	 * @param clock what both read
	 * @param seed of that history, {@code null} if none is known
	 * @param sequences how many other histories there may be
	 * @return what was found
	 */
	public static Found find(HistorySubject model, HistorySubject faulty, MutableClock clock, @Nullable Long seed,
			int sequences) {
		Found found = (seed != null)
				? find(model, faulty, clock, new HistorySettings(seed, 1, 1, null, null, seed, null)) : null;
		return (found != null) ? found : find(model, faulty, clock, sequences);
	}

	private static @Nullable Found find(HistorySubject model, HistorySubject faulty, MutableClock clock,
			HistorySettings settings) {
		HistoryRun run = new HistoryRun(settings);
		HistoryRun.Failure failure = run.run(List.of(new SideBySide(model, faulty, clock, 0)));
		if (failure == null) {
			return null;
		}
		assertThat(failure.repeatable()).as("whether it happens again").isTrue();
		assertThat(failure.smallest().operations()).as("operations that show the fault")
			.hasSizeLessThanOrEqualTo(Math.min(failure.found().operations().size(), MOST_OPERATIONS));
		return new Found(failure.seed(), run.message(failure, "mvn test"));
	}

}
