package io.github.delayqueue.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.function.BiConsumer;

import org.jspecify.annotations.Nullable;

/**
 * A random history, repeated by its seed, that two stores live through side by side.
 */
final class RandomHistory {

	private static final int FEWEST_STEPS = 20;

	private static final int MOST_STEPS = 60;

	private final long seed;

	private final @Nullable Integer steps;

	/**
	 * Create a history.
	 * @param seed what repeats it
	 * @param steps how many operations, {@code null} for a random number of them
	 */
	RandomHistory(long seed, @Nullable Integer steps) {
		this.seed = seed;
		this.steps = steps;
	}

	/**
	 * Have the stores live through it, until they differ.
	 * @param stores the stores
	 * @param told hears of each operation, and what the model answered
	 * @return what they did when they differed, {@code null} if they did not
	 */
	@Nullable Divergence run(SideBySide stores, BiConsumer<HistoryOperation, Object> told) {
		// neighbouring seeds would begin with much the same numbers
		Random random = new Random(new SplittableRandom(this.seed).nextLong());
		int length = FEWEST_STEPS + random.nextInt(MOST_STEPS - FEWEST_STEPS + 1);
		stores.begin();
		RandomOperations operations = new RandomOperations(random, stores.clock());
		List<HistoryOperation> past = new ArrayList<>();
		for (int step = 0; step < ((this.steps != null) ? this.steps : length); step++) {
			HistoryOperation operation = operations.next();
			past.add(operation);
			String difference = stores.perform(operation);
			told.accept(operation, stores.answer());
			if (difference != null) {
				return new Divergence(past, difference);
			}
			operations.learn(operation, stores.answer());
		}
		String left = stores.end();
		return (left != null) ? new Divergence(past, left) : null;
	}

	/**
	 * Have the stores live through given operations, until they differ.
	 * @param stores the stores
	 * @param operations the operations
	 * @return what they did when they differed, {@code null} if they did not
	 */
	static @Nullable Divergence replay(SideBySide stores, List<HistoryOperation> operations) {
		stores.begin();
		for (int step = 0; step < operations.size(); step++) {
			String difference = stores.perform(operations.get(step));
			if (difference != null) {
				return new Divergence(operations.subList(0, step + 1), difference);
			}
		}
		String left = stores.end();
		return (left != null) ? new Divergence(operations, left) : null;
	}

	/**
	 * The shortest beginning of a history after which two stores differ.
	 *
	 * @param operations what they did
	 * @param difference in what they differ
	 */
	record Divergence(List<HistoryOperation> operations, String difference) {

		Divergence {
			operations = List.copyOf(operations);
		}

	}

}
