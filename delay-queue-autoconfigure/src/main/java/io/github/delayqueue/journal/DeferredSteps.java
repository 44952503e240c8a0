package io.github.delayqueue.journal;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import io.github.delayqueue.Names;
import io.github.delayqueue.StoreUnavailableException;

/**
 * What one transaction wants to be done after its commit, in order. Used by the thread of
 * the transaction only.
 */
final class DeferredSteps implements TransactionSynchronization {

	private static final Logger logger = LoggerFactory.getLogger(DeferredSteps.class);

	private final Object owner;

	private final BiConsumer<DeferredStep, RuntimeException> failures;

	private final UndoneBySavepoints<DeferredStep> steps = new UndoneBySavepoints<>();

	private boolean committed;

	private DeferredSteps(Object owner, BiConsumer<DeferredStep, RuntimeException> failures) {
		this.owner = owner;
		this.failures = failures;
	}

	/**
	 * The steps of the present transaction.
	 * @param owner whose steps
	 * @param failures is told of each step that fails
	 * @return the steps, {@code null} if there is no transaction that could still commit
	 */
	static @Nullable DeferredSteps current(Object owner, BiConsumer<DeferredStep, RuntimeException> failures) {
		if (!TransactionSynchronizationManager.isActualTransactionActive()
				|| !TransactionSynchronizationManager.isSynchronizationActive()) {
			return null;
		}
		for (TransactionSynchronization synchronization : TransactionSynchronizationManager.getSynchronizations()) {
			if (synchronization instanceof DeferredSteps steps && steps.owner == owner) {
				return steps.committed ? null : steps;
			}
		}
		DeferredSteps steps = new DeferredSteps(owner, failures);
		TransactionSynchronizationManager.registerSynchronization(steps);
		return steps;
	}

	void add(DeferredStep step) {
		this.steps.add(step);
	}

	/**
	 * Which step decides whether a task will be there.
	 * @param queue the queue
	 * @param taskId the task
	 * @return what the last such step does, {@code null} if there is none
	 */
	DeferredStep.@Nullable Kind decisive(String queue, String taskId) {
		DeferredStep.Kind kind = null;
		for (DeferredStep step : this.steps.all()) {
			kind = step.decidesOn(queue, taskId) ? step.kind() : kind;
		}
		return kind;
	}

	@Override
	public void savepoint(Object savepoint) {
		this.steps.savepoint(savepoint);
	}

	@Override
	public void savepointRollback(Object savepoint) {
		this.steps.rollback(savepoint);
	}

	@Override
	public void afterCommit() {
		this.committed = true;
		carryOut();
	}

	/**
	 * Steps that are left after a commit were added by what others do after it: then
	 * {@link #afterCommit()} is not called.
	 */
	@Override
	public void afterCompletion(int status) {
		boolean over = this.committed;
		this.committed = true;
		if (status == STATUS_COMMITTED && !over) {
			carryOut();
		}
		else if (status == STATUS_UNKNOWN && !this.steps.all().isEmpty()) {
			logger.warn(
					"It is not known whether a transaction has committed. What it had scheduled, cancelled or "
							+ "moved after its commit is left undone: {} steps, queues {}",
					this.steps.all().size(), queues());
		}
		this.steps.clear();
	}

	private Set<String> queues() {
		Set<String> queues = new TreeSet<>();
		this.steps.all().forEach((step) -> queues.add(step.queue()));
		return queues;
	}

	private void carryOut() {
		List<DeferredStep> todo = this.steps.all();
		this.steps.clear();
		DeferredStep first = null;
		List<RuntimeException> errors = new ArrayList<>();
		StoreUnavailableException unavailable = null;
		for (DeferredStep step : todo) {
			try {
				if (unavailable != null) {
					throw unavailable;
				}
				step.action().run();
			}
			catch (RuntimeException ex) {
				if (ex instanceof StoreUnavailableException away) {
					// each further step would wait in vain for as long
					unavailable = away;
				}
				first = (first != null) ? first : step;
				errors.add(ex);
				report(step, ex);
			}
		}
		if (first != null) {
			throw exception(first, todo.size(), errors);
		}
	}

	private void report(DeferredStep step, RuntimeException error) {
		logger.error("Queue '{}': {} of tasks {} has failed after the commit of its transaction: {}", step.queue(),
				step.kind(), AfterCommitException.printable(step.ids()), Names.printableText(error.getMessage()));
		this.failures.accept(step, error);
	}

	private static AfterCommitException exception(DeferredStep first, int steps, List<RuntimeException> errors) {
		AfterCommitException exception = new AfterCommitException(first.queue(), first.ids(), steps, errors.size(),
				errors.get(0));
		errors.stream().skip(1).filter((error) -> error != errors.get(0)).distinct().forEach(exception::addSuppressed);
		return exception;
	}

}
