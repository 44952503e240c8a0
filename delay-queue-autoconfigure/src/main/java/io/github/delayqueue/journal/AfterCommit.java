package io.github.delayqueue.journal;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import io.github.delayqueue.Names;

/**
 * What one transaction leaves to be done after its commit, in the order it was asked for.
 * Nothing is done if it is rolled back; what was asked for after a savepoint is forgotten
 * if it is rolled back to that savepoint.
 * <p>
 * Actions run on the thread of the transaction, whose connection they must not use any
 * more. What they throw is logged: the transaction is committed, and its caller is not to
 * believe otherwise.
 */
final class AfterCommit implements TransactionSynchronization {

	private static final Logger logger = LoggerFactory.getLogger(AfterCommit.class);

	private final Object owner;

	private final UndoneBySavepoints<Runnable> actions = new UndoneBySavepoints<>();

	private AfterCommit(Object owner) {
		this.owner = owner;
	}

	/**
	 * Whether there is a transaction whose end can be waited for.
	 * @return whether there is one
	 */
	static boolean isPossible() {
		return TransactionSynchronizationManager.isSynchronizationActive()
				&& TransactionSynchronizationManager.isActualTransactionActive();
	}

	/**
	 * Do something after the commit of the transaction of this thread.
	 * @param owner on whose behalf: the actions of one owner keep their order
	 * @param action what to do
	 */
	static void run(Object owner, Runnable action) {
		of(owner).actions.add(action);
	}

	private static AfterCommit of(Object owner) {
		for (TransactionSynchronization synchronization : TransactionSynchronizationManager.getSynchronizations()) {
			if (synchronization instanceof AfterCommit known && known.owner == owner) {
				return known;
			}
		}
		AfterCommit created = new AfterCommit(owner);
		TransactionSynchronizationManager.registerSynchronization(created);
		return created;
	}

	@Override
	public void savepoint(Object savepoint) {
		this.actions.savepoint(savepoint);
	}

	@Override
	public void savepointRollback(Object savepoint) {
		this.actions.rollback(savepoint);
	}

	@Override
	public void afterCommit() {
		for (Runnable action : this.actions.all()) {
			try {
				action.run();
			}
			catch (RuntimeException ex) {
				logger.warn("A step after the commit of a transaction failed: {}", Names.printable(ex));
				logger.debug("Where a step after the commit failed", ex);
			}
		}
	}

}
