package io.github.delayqueue.store;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import io.github.delayqueue.store.RandomHistory.Divergence;

/**
 * Leaves out of a history after which two stores differ the operations that they differ
 * without. Each attempt is a history of its own. Any difference will do, not only the
 * first one found.
 */
final class HistoryShrinker {

	private final SideBySide stores;

	private int attemptsLeft;

	private Divergence smallest;

	HistoryShrinker(SideBySide stores, Divergence divergence, int attempts) {
		this.stores = stores;
		this.smallest = divergence;
		this.attemptsLeft = attempts;
	}

	/**
	 * Shrink it as far as the attempts reach.
	 * @return the smallest history that was found
	 */
	Divergence shrink() {
		for (int size = this.smallest.operations().size() / 2; size > 0; size /= 2) {
			leaveOut(size);
		}
		leaveOut(1);
		return this.smallest;
	}

	private void leaveOut(int count) {
		int from = this.smallest.operations().size() - count;
		while (from >= 0) {
			List<HistoryOperation> rest = new ArrayList<>(this.smallest.operations());
			rest.subList(from, Math.min(from + count, rest.size())).clear();
			attempt(rest);
			from = Math.min(from, this.smallest.operations().size()) - count;
		}
	}

	private void attempt(List<HistoryOperation> operations) {
		Divergence divergence = (this.attemptsLeft-- > 0) ? RandomHistory.replay(this.stores, operations) : null;
		this.smallest = (divergence != null) ? divergence : this.smallest;
	}

	/**
	 * The operations as a person reads them.
	 * @param operations the operations
	 * @return numbered lines
	 */
	static String text(List<HistoryOperation> operations) {
		return String.join(System.lineSeparator(),
				IntStream.range(0, operations.size())
					.mapToObj((i) -> "%4d. %s".formatted(i + 1, operations.get(i)))
					.toList());
	}

}
