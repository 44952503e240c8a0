package io.github.delayqueue.journal;

import java.util.ArrayList;
import java.util.List;

/**
 * What is collected in a transaction, in order: what has come since a savepoint goes when
 * the transaction is rolled back to it. Used by the thread of the transaction only.
 *
 * @param <T> what is collected
 */
final class UndoneBySavepoints<T> {

	private final List<T> elements = new ArrayList<>();

	private final List<Mark> marks = new ArrayList<>();

	void add(T element) {
		this.elements.add(element);
	}

	List<T> all() {
		return List.copyOf(this.elements);
	}

	void clear() {
		this.elements.clear();
	}

	void savepoint(Object savepoint) {
		this.marks.add(new Mark(savepoint, this.elements.size()));
	}

	/**
	 * Forget what has come since. A savepoint that was not announced is older than the
	 * first element.
	 * @param savepoint the savepoint
	 */
	void rollback(Object savepoint) {
		while (!this.marks.isEmpty() && this.marks.get(this.marks.size() - 1).savepoint() != savepoint) {
			this.marks.remove(this.marks.size() - 1);
		}
		int kept = this.marks.isEmpty() ? 0 : this.marks.get(this.marks.size() - 1).elements();
		this.elements.subList(kept, this.elements.size()).clear();
	}

	/**
	 * How much had been added when a savepoint was made.
	 *
	 * @param savepoint the savepoint
	 * @param elements how many elements
	 */
	private record Mark(Object savepoint, int elements) {

	}

}
