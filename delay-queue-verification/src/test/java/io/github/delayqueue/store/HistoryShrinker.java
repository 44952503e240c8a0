package io.github.delayqueue.store;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.delayqueue.store.RandomHistory.Divergence;

/**
 * Leaves out of a history after which two stores differ whatever they differ without:
 * runs of operations, single ones, entries of batches, and what is unusual about an
 * entry. Each attempt is a history of its own. Any difference will do, not only the first
 * one found.
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
		while (simplify() && this.attemptsLeft > 0) {
			leaveOut(1);
		}
		return this.smallest;
	}

	private void leaveOut(int count) {
		int from = this.smallest.operations().size() - count;
		while (from >= 0) {
			attempt(Simpler.without(this.smallest.operations(), from, count));
			from = Math.min(from, this.smallest.operations().size()) - count;
		}
	}

	private boolean simplify() {
		boolean simplified = false;
		for (int index = 0; index < this.smallest.operations().size(); index++) {
			while (simplify(index)) {
				simplified = true;
			}
		}
		return simplified;
	}

	private boolean simplify(int index) {
		List<HistoryOperation> operations = this.smallest.operations();
		if (index >= operations.size()) {
			return false;
		}
		Stream<HistoryOperation> simpler = operations.get(index).simpler();
		return simpler.anyMatch((operation) -> attempt(Simpler.with(operations, index, operation)))
				|| (index > 0 && join(operations, index - 1));
	}

	/** Two turns of the clock as one. */
	private boolean join(List<HistoryOperation> operations, int index) {
		return operations.get(index) instanceof HistoryOperation.Clock first
				&& operations.get(index + 1) instanceof HistoryOperation.Clock second
				&& attempt(Simpler.with(Simpler.without(operations, index + 1, 1), index,
						new HistoryOperation.Clock(first.by().plus(second.by()))));
	}

	private boolean attempt(List<HistoryOperation> operations) {
		if (this.attemptsLeft-- <= 0) {
			return false;
		}
		Divergence divergence = RandomHistory.replay(this.stores, operations);
		if (divergence == null) {
			return false;
		}
		this.smallest = divergence;
		return true;
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
