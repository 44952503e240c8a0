package io.github.delayqueue.journal;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * What one transaction leaves to be done after its commit, in the order it was asked for.
 * Nothing is done if it is rolled back; what was asked for after a savepoint is forgotten
 * if it is rolled back to that savepoint. Used by the thread of the transaction only,
 * whose connection the steps must not use any more.
 */
final class AfterCommit implements TransactionSynchronization {

	private final Owner owner;

	private final List<Runnable> steps = new ArrayList<>();

	/** How many steps there were when a savepoint was made. */
	private final Map<Object, Integer> marks = new IdentityHashMap<>();

	private final boolean readOnly;

	private boolean over;

	private AfterCommit(Owner owner, boolean readOnly) {
		this.owner = owner;
		this.readOnly = readOnly;
	}

	/**
	 * What the present transaction leaves to be done, {@code null} if there is none whose
	 * end can be waited for. The steps of one owner keep their order.
	 */
	static @Nullable AfterCommit current(Owner owner) {
		if (!TransactionSynchronizationManager.isActualTransactionActive()
				|| !TransactionSynchronizationManager.isSynchronizationActive()) {
			return null;
		}
		for (TransactionSynchronization synchronization : TransactionSynchronizationManager.getSynchronizations()) {
			if (synchronization instanceof AfterCommit known && known.owner == owner) {
				return known.over ? null : known;
			}
		}
		return register(owner, TransactionSynchronizationManager.isCurrentTransactionReadOnly());
	}

	/** Wait for the end of a transaction that has just begun. */
	static AfterCommit register(Owner owner, boolean readOnly) {
		AfterCommit created = new AfterCommit(owner, readOnly);
		TransactionSynchronizationManager.registerSynchronization(created);
		return created;
	}

	void add(Runnable step) {
		this.steps.add(step);
	}

	List<Runnable> steps() {
		return List.copyOf(this.steps);
	}

	boolean isReadOnly() {
		return this.readOnly;
	}

	/** Nothing can be added any more. */
	void end() {
		this.over = true;
	}

	boolean isOver() {
		return this.over;
	}

	@Override
	public void savepoint(Object savepoint) {
		this.marks.put(savepoint, this.steps.size());
	}

	/** A savepoint that was not announced is older than the first step. */
	@Override
	public void savepointRollback(Object savepoint) {
		int kept = Math.min(this.marks.getOrDefault(savepoint, 0), this.steps.size());
		this.steps.subList(kept, this.steps.size()).clear();
	}

	@Override
	public void afterCommit() {
		end();
		List<Runnable> todo = steps();
		this.steps.clear();
		this.owner.committed(todo);
	}

	/**
	 * Steps that are left after a commit were added by what others do after it: then
	 * {@link #afterCommit()} is not called.
	 */
	@Override
	public void afterCompletion(int status) {
		end();
		if (status == STATUS_COMMITTED) {
			afterCommit();
		}
		else if (status == STATUS_UNKNOWN && !this.steps.isEmpty()) {
			this.owner.unknown(steps());
		}
		this.steps.clear();
	}

	/** On whose behalf something is done after a commit. */
	interface Owner {

		/** A transaction has committed, and has left this to be done. */
		void committed(List<Runnable> steps);

		/** It is not known whether a transaction has: this is left undone. */
		default void unknown(List<Runnable> steps) {
		}

	}

}
