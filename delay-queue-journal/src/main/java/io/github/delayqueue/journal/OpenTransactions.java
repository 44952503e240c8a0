package io.github.delayqueue.journal;

import java.util.ArrayDeque;
import java.util.Deque;

import org.jspecify.annotations.Nullable;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The transactions that threads have begun with one transaction manager. Spring shows one
 * as active after its end, or not at all while it is suspended for another database. Here
 * it ends before it is committed or rolled back: later writes would be lost. Thread-safe.
 */
final class OpenTransactions implements TransactionExecutionListener {

	private final ThreadLocal<Deque<Begun>> begun = ThreadLocal.withInitial(ArrayDeque::new);

	private final AfterCommit.Owner owner;

	OpenTransactions(AfterCommit.Owner owner) {
		this.owner = owner;
	}

	/** That of the calling thread, {@code null} if it cannot commit any more. */
	@Nullable AfterCommit current() {
		Begun latest = this.begun.get().peek();
		if (latest != null) {
			return latest.steps().isOver() ? null : latest.steps();
		}
		this.begun.remove();
		// one that was begun by somebody else who uses the same connection
		return AfterCommit.current(this.owner);
	}

	@Override
	public void afterBegin(TransactionExecution transaction, @Nullable Throwable beginFailure) {
		if (beginFailure == null && transaction.isNewTransaction()
				&& TransactionSynchronizationManager.isSynchronizationActive()) {
			this.begun.get().push(new Begun(transaction, AfterCommit.register(this.owner, transaction.isReadOnly())));
		}
	}

	@Override
	public void beforeCommit(TransactionExecution transaction) {
		end(transaction);
	}

	@Override
	public void beforeRollback(TransactionExecution transaction) {
		end(transaction);
	}

	private void end(TransactionExecution transaction) {
		for (Begun one : this.begun.get()) {
			if (one.transaction() == transaction) {
				one.steps().end();
			}
		}
	}

	@Override
	public void afterCommit(TransactionExecution transaction, @Nullable Throwable commitFailure) {
		remove(transaction);
	}

	@Override
	public void afterRollback(TransactionExecution transaction, @Nullable Throwable rollbackFailure) {
		remove(transaction);
	}

	private void remove(TransactionExecution transaction) {
		Deque<Begun> begun = this.begun.get();
		begun.removeIf((one) -> one.transaction() == transaction);
		if (begun.isEmpty()) {
			this.begun.remove();
		}
	}

	private record Begun(TransactionExecution transaction, AfterCommit steps) {

	}

}
