package io.github.delayqueue.options;

/**
 * When a task is scheduled, cancelled or moved that somebody schedules, cancels or moves
 * inside a transaction.
 */
public enum TransactionMode {

	/** At once, whatever becomes of the transaction. */
	IMMEDIATE,

	/**
	 * Once the transaction has committed, and not at all if it is rolled back; without a
	 * transaction at once.
	 */
	AFTER_COMMIT

}
