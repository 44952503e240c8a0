package io.github.delayqueue.journal;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * What one transaction leaves to be done after its commit, in order: nothing if it is
 * rolled back. The thread of the transaction uses it, and the steps must not use its
 * connection.
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

	/** That of the present transaction, {@code null} if there is none that can commit. */
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
		complete(true);
	}

	/** Steps that others add after a commit are left until then. */
	@Override
	public void afterCompletion(int status) {
		if (status == STATUS_ROLLED_BACK) {
			this.steps.clear();
		}
		complete(status == STATUS_COMMITTED);
	}

	private void complete(boolean committed) {
		end();
		List<Runnable> todo = steps();
		this.steps.clear();
		if (!todo.isEmpty()) {
			this.owner.completed(todo, committed);
		}
	}

	/** Carries out what a transaction has left. */
	interface Owner {

		/**
		 * The transaction has ended, and was not rolled back.
		 * @param committed {@code false} if that is not known
		 */
		void completed(List<Runnable> steps, boolean committed);

	}

}
