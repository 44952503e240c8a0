package io.github.delayqueue.journal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.Names;
import io.github.delayqueue.StoreUnavailableException;
import io.github.delayqueue.event.TaskEvents;

/**
 * Carries out what transactions have deferred until after their commit. All of it is
 * tried; what fails is logged, told, and thrown to whoever has committed. Thread-safe.
 */
record DeferredSteps(TaskEvents events) implements AfterCommit.Owner {

	private static final Logger logger = LoggerFactory.getLogger(DeferredSteps.class);

	/** What the last step does that alone decides whether a task will be there. */
	static @Nullable StepKind decisive(List<Runnable> steps, String queue, String taskId) {
		return deferred(steps).stream()
			.filter((step) -> step.kind() != StepKind.RESCHEDULE && step.queue().equals(queue)
					&& step.taskIds().contains(taskId))
			.map(DeferredStep::kind)
			.reduce((earlier, later) -> later)
			.orElse(null);
	}

	@Override
	public void unknown(List<Runnable> steps) {
		Set<String> queues = deferred(steps).stream()
			.map(DeferredStep::queue)
			.collect(Collectors.toCollection(TreeSet::new));
		logger.warn("It is not known whether a transaction has committed. Its steps for after the commit are not "
				+ "carried out: {} steps, queues {}", steps.size(), queues);
	}

	@Override
	public void committed(List<Runnable> steps) {
		DeferredStep first = null;
		List<RuntimeException> errors = new ArrayList<>();
		StoreUnavailableException unavailable = null;
		for (DeferredStep step : deferred(steps)) {
			try {
				if (unavailable != null) {
					throw unavailable;
				}
				step.run();
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
			throw exception(first, steps.size(), errors);
		}
	}

	private static List<DeferredStep> deferred(List<Runnable> steps) {
		return steps.stream().map(DeferredStep.class::cast).toList();
	}

	private void report(DeferredStep step, RuntimeException error) {
		logger.error("Queue '{}': {} of tasks {} has failed after the commit of its transaction: {}", step.queue(),
				step.kind(), AfterCommitException.printable(List.copyOf(step.taskIds())),
				Names.printableText(error.getMessage()));
		if (step.kind() == StepKind.SCHEDULE) {
			this.events.publish((listener) -> listener.onSchedule(step.queue(), 0, Duration.ZERO, error));
		}
	}

	private static AfterCommitException exception(DeferredStep first, int steps, List<RuntimeException> errors) {
		AfterCommitException exception = new AfterCommitException(first.queue(), List.copyOf(first.taskIds()), steps,
				errors.size(), errors.get(0));
		errors.stream().skip(1).filter((error) -> error != errors.get(0)).distinct().forEach(exception::addSuppressed);
		return exception;
	}

	enum StepKind {

		SCHEDULE, CANCEL, RESCHEDULE

	}

	/** Something to be done with tasks. */
	record DeferredStep(StepKind kind, String queue, Set<String> taskIds, Runnable action) implements Runnable {

		@Override
		public void run() {
			this.action.run();
		}

	}

}
