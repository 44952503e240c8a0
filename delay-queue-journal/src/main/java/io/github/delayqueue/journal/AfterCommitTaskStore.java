package io.github.delayqueue.journal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.Names;
import io.github.delayqueue.ScheduleOutcome;
import io.github.delayqueue.StoreUnavailableException;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.event.TaskEvents;
import io.github.delayqueue.roles.DelegatingTaskStore;
import io.github.delayqueue.store.Bounds;
import io.github.delayqueue.store.Condition;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.Replacement;
import io.github.delayqueue.store.ScheduleOptions;
import io.github.delayqueue.store.ScheduleReply;
import io.github.delayqueue.store.TaskStore;

/**
 * Schedules, cancels and reschedules tasks only after the commit of the transaction that
 * it is told to do so in, in the same order. It does nothing of what is rolled back: all
 * of it, or what was done since a savepoint. Without a transaction, or on a queue that is
 * not meant, it is done at once; so is everything else a store does. Public for wiring.
 * Thread-safe.
 * <p>
 * <b>Transactions</b> are those that {@code TransactionSynchronizationManager} knows on
 * the calling thread; reactive ones are none.
 * <p>
 * <b>Results</b> are returned before the commit. {@code schedule} returns
 * {@link ScheduleOutcome#DEFERRED}. If a duplicate is to be rejected, and for
 * {@code cancel} and {@code reschedule}, it looks at the task as it is now. It also looks
 * at what the same transaction has done to it: if that rejects a task, or finds none to
 * cancel or move, nothing is done after the commit either. Other callers can make a
 * result wrong between the look and the commit. Looking a task up does not show what the
 * transaction has not done yet.
 * <p>
 * <b>Due times</b>: a delay counts from the call, not from the commit.
 * <p>
 * <b>Errors</b> after the commit are logged with queue and ids, and told to the listeners
 * of {@link TaskEvents}. When all other steps have been tried, the caller that commits
 * gets one {@link AfterCommitException}. A store that is not available is not tried
 * further. The transaction stays committed then, and what others wanted to do
 * {@code afterCommit} may be left undone. If the process dies between the commit and the
 * steps, they are lost; a queue with a journal does not lose them.
 */
public class AfterCommitTaskStore extends DelegatingTaskStore {

	private static final Logger logger = LoggerFactory.getLogger(AfterCommitTaskStore.class);

	private final TaskStore store;

	private final Predicate<String> queues;

	private final TaskEvents events;

	private final AfterCommit.Owner owner = this::completed;

	public AfterCommitTaskStore(TaskStore store, Predicate<String> queues, TaskEvents events) {
		super(store);
		this.store = store;
		this.queues = queues;
		this.events = events;
	}

	/** Measures what passes, as {@link System#nanoTime()} does. */
	protected long nanoTime() {
		return System.nanoTime();
	}

	private @Nullable AfterCommit steps(String queue) {
		return this.queues.test(queue) ? AfterCommit.current(this.owner) : null;
	}

	/**
	 * {@inheritDoc}
	 * <p>
	 * In a transaction, replicas are waited for after the commit; too few are an error
	 * then.
	 */
	@Override
	public Supplier<ScheduleReply> scheduleAhead(String queue, List<NewTask> tasks, ScheduleOptions options) {
		AfterCommit steps = steps(queue);
		if (steps == null) {
			return this.store.scheduleAhead(queue, tasks, options);
		}
		return ScheduleReply.of(defer(steps, queue, tasks, options));
	}

	private List<ScheduleOutcome> defer(AfterCommit steps, String queue, List<NewTask> tasks, ScheduleOptions options) {
		Bounds.requireBatch(tasks);
		List<ScheduleOutcome> outcomes = new ArrayList<>(tasks.size());
		List<NewTask> accepted = new ArrayList<>(tasks.size());
		Set<String> ids = new LinkedHashSet<>();
		for (NewTask task : tasks) {
			boolean rejected = task.onDuplicate() == Replacement.REJECT && !task.generated()
					&& (ids.contains(task.id()) || isIn(steps, queue, task.id(), EnumSet.allOf(TaskState.class)));
			outcomes.add(rejected ? ScheduleOutcome.REJECTED : ScheduleOutcome.DEFERRED);
			if (!rejected) {
				accepted.add(task);
				ids.add(task.id());
			}
		}
		if (!accepted.isEmpty()) {
			long since = nanoTime();
			steps.add(new DeferredStep(StepKind.SCHEDULE, queue, ids, () -> schedule(queue, accepted, since, options)));
		}
		return outcomes;
	}

	private void schedule(String queue, List<NewTask> tasks, long since, ScheduleOptions options) {
		List<NewTask> due = tasks.stream().map((task) -> after(task, passed(since))).toList();
		ScheduleReply reply = this.store.schedule(queue, due, options);
		for (int i = 0; i < due.size(); i++) {
			if (reply.outcomes().get(i) == ScheduleOutcome.REJECTED) {
				logger.info("Queue '{}': task '{}' was scheduled by another caller before the transaction "
						+ "committed, and stays", queue, Names.printable(due.get(i).id()));
			}
		}
		ScheduleReply.Doubt doubt = reply.doubt();
		if (doubt != null) {
			throw new DelayQueueException(queue, null, "Only " + doubt.confirmations() + " of " + doubt.wanted()
					+ " replicas have the tasks, which are stored", doubt.error());
		}
	}

	/** The same from a later now, so many milliseconds on. */
	private static NewTask after(NewTask task, long passed) {
		return new NewTask(task.id(), task.envelope(), after(task.due(), passed), task.priority(), task.onDuplicate(),
				task.generated(), task.parts().stream().map((part) -> part.after(passed)).toList());
	}

	private static DueTime after(DueTime due, long passed) {
		return due.relative() ? new DueTime(true, due.millis() - passed, due.earliestMillis()) : due;
	}

	/** Rounded down, so that nothing is due too early. */
	private long passed(long since) {
		return (nanoTime() - since) / 1_000_000;
	}

	@Override
	public boolean cancel(String queue, String taskId, Condition condition) {
		AfterCommit steps = steps(queue);
		return (steps == null) ? this.store.cancel(queue, taskId, condition)
				: defer(steps, StepKind.CANCEL, queue, taskId, Set.of(TaskState.SCHEDULED, TaskState.IN_FLIGHT),
						"cancelled", () -> this.store.cancel(queue, taskId, condition));
	}

	@Override
	public boolean reschedule(String queue, String taskId, DueTime due, Condition condition) {
		AfterCommit steps = steps(queue);
		long since = nanoTime();
		return (steps == null) ? this.store.reschedule(queue, taskId, due, condition)
				: defer(steps, StepKind.RESCHEDULE, queue, taskId, Set.of(TaskState.SCHEDULED), "moved",
						() -> this.store.reschedule(queue, taskId, after(due, passed(since)), condition));
	}

	private boolean defer(AfterCommit steps, StepKind kind, String queue, String taskId, Set<TaskState> states,
			String done, BooleanSupplier step) {
		boolean there = isIn(steps, queue, taskId, states);
		if (there) {
			steps.add(new DeferredStep(kind, queue, Set.of(taskId), () -> {
				if (!step.getAsBoolean()) {
					logger.info("Queue '{}': task '{}' could not be {} after the commit: it was not waiting any more",
							queue, Names.printable(taskId), done);
				}
			}));
		}
		return there;
	}

	private boolean isIn(AfterCommit steps, String queue, String taskId, Set<TaskState> states) {
		return deferred(steps.steps()).stream()
			.filter((step) -> step.kind() != StepKind.RESCHEDULE && step.queue().equals(queue)
					&& step.taskIds().contains(taskId))
			.reduce((earlier, later) -> later)
			.map((step) -> step.kind() == StepKind.SCHEDULE)
			.orElseGet(
					() -> this.store.find(queue, taskId).filter((task) -> states.contains(task.state())).isPresent());
	}

	private static List<DeferredStep> deferred(List<Runnable> steps) {
		return steps.stream().map(DeferredStep.class::cast).toList();
	}

	private void completed(List<Runnable> steps, boolean committed) {
		if (committed) {
			carryOut(deferred(steps));
			return;
		}
		Set<String> queues = deferred(steps).stream()
			.map(DeferredStep::queue)
			.collect(Collectors.toCollection(TreeSet::new));
		logger.warn("It is not known whether a transaction has committed. Its steps for after the commit are not "
				+ "carried out: {} steps, queues {}", steps.size(), queues);
	}

	/** All is tried; what fails is logged, told, and thrown to whoever has committed. */
	private void carryOut(List<DeferredStep> steps) {
		DeferredStep first = null;
		List<RuntimeException> errors = new ArrayList<>();
		StoreUnavailableException unavailable = null;
		for (DeferredStep step : steps) {
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

	private enum StepKind {

		SCHEDULE, CANCEL, RESCHEDULE

	}

	private record DeferredStep(StepKind kind, String queue, Set<String> taskIds, Runnable action) implements Runnable {

		@Override
		public void run() {
			this.action.run();
		}

	}

}
