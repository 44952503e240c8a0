package io.github.delayqueue.faults;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

import io.github.delayqueue.DelayedTask;
import io.github.delayqueue.NonRetryable;
import io.github.delayqueue.annotation.DelayQueueListener;
import io.github.delayqueue.faults.HandlerPlan.Kind;
import io.github.delayqueue.listener.TaskResult;

/**
 * The handlers: each does with a task what the task's plan says, and writes down when it
 * began and how it ended.
 */
public class FaultyHandlers {

	private final HistoryLog log;

	private final Hands hands;

	private final AtomicLong handlings = new AtomicLong();

	FaultyHandlers(HistoryLog log) {
		this(log, new Hands() {
		});
	}

	/**
	 * Create handlers.
	 * @param log where they write down what they do
	 * @param hands what they take time with
	 */
	public FaultyHandlers(HistoryLog log, Hands hands) {
		this.log = log;
		this.hands = hands;
	}

	/** What handlers do with their time: real, unless somebody has another. */
	public interface Hands {

		default void hang(Duration duration) throws InterruptedException {
			new CountDownLatch(1).await(duration.toMillis(), TimeUnit.MILLISECONDS);
		}

		/** Ignores interrupts. */
		default void hangDeaf(Duration duration) {
			long end = System.nanoTime() + duration.toNanos();
			while (end - System.nanoTime() > 0) {
				LockSupport.parkNanos(end - System.nanoTime());
				Thread.interrupted();
			}
		}

		/** Ends the process without any tidying up. */
		default void halt() {
			Runtime.getRuntime().halt(3);
		}

	}

	@DelayQueueListener(queue = SuiteSettings.ORDERS)
	public TaskResult order(DelayedTask<Work> task) throws Exception {
		return handle(started(task), task);
	}

	@DelayQueueListener(queue = SuiteSettings.JOBS)
	public TaskResult job(DelayedTask<Work> task) throws Exception {
		return handle(started(task), task);
	}

	/** A run of a recurring task. */
	@DelayQueueListener(queue = SuiteSettings.CLOCKS)
	@DelayQueueListener(queue = SuiteSettings.OWN_CLOCK, id = SuiteSettings.OWN_CLOCK, every = SuiteSettings.OWN_PERIOD)
	public TaskResult tick(DelayedTask<?> task) throws InterruptedException {
		long run = this.handlings.incrementAndGet();
		this.log.write("run-started", run, task.id(), task.runAt().toEpochMilli(), task.dueAt().toEpochMilli(),
				task.failures(), task.leasesLost());
		try {
			TaskResult result = perform(planOfRun(task), task, () -> runEnded(run, HandlerOutcome.HALTED));
			runEnded(run, outcome(result));
			return result;
		}
		catch (InterruptedException ex) {
			runEnded(run, HandlerOutcome.INTERRUPTED);
			throw ex;
		}
		catch (PlannedException ex) {
			runEnded(run, HandlerOutcome.FAILED);
			throw ex;
		}
	}

	private void runEnded(long run, HandlerOutcome outcome) {
		this.log.write("run-ended", run, outcome);
	}

	/** The same in all attempts at a run. Some take longer than the period. */
	private static HandlerPlan planOfRun(DelayedTask<?> task) {
		Random random = new Random(task.id().hashCode() * 31L + task.runAt().toEpochMilli());
		int dice = random.nextInt(1000);
		if (dice < 30) {
			return new HandlerPlan(Kind.THROW, 1 + random.nextInt(2));
		}
		if (dice < 40) {
			return new HandlerPlan(Kind.RETRY_AFTER, 50 + random.nextInt(2000));
		}
		if (dice < 50) {
			return HandlerPlan.of(Kind.EXHAUST);
		}
		if (dice < 100) {
			return new HandlerPlan(Kind.SLEEP, 1200 + random.nextInt(1500));
		}
		if (dice < 110) {
			return HandlerPlan.of(Kind.HANG);
		}
		return (dice < 114) ? HandlerPlan.of(Kind.HALT) : new HandlerPlan(Kind.SLEEP, random.nextInt(50));
	}

	/** One call: the tasks end together. */
	@DelayQueueListener(queue = SuiteSettings.MAILS, batchSize = "10", concurrency = "4")
	public List<TaskResult> mails(List<DelayedTask<Work>> tasks) {
		List<Long> handlings = tasks.stream().map(this::started).toList();
		List<TaskResult> results = new ArrayList<>();
		for (int i = 0; i < tasks.size(); i++) {
			try {
				results.add(perform(handlings.get(i), HandlerPlan.parse(work(tasks.get(i)).plan()), tasks.get(i)));
			}
			catch (InterruptedException | PlannedException ex) {
				results.add(TaskResult.failed(ex));
			}
		}
		for (int i = 0; i < tasks.size(); i++) {
			ended(handlings.get(i), outcome(results.get(i)));
		}
		return results;
	}

	private long started(DelayedTask<Work> task) {
		long handling = this.handlings.incrementAndGet();
		this.log.write("started", handling, task.queue(), task.id(), work(task).send(), task.failures(),
				task.leasesLost(), task.dueAt().toEpochMilli());
		return handling;
	}

	private TaskResult handle(long handling, DelayedTask<Work> task) throws Exception {
		try {
			TaskResult result = perform(handling, HandlerPlan.parse(work(task).plan()), task);
			ended(handling, outcome(result));
			return result;
		}
		catch (InterruptedException ex) {
			ended(handling, HandlerOutcome.INTERRUPTED);
			throw ex;
		}
		catch (PlannedException ex) {
			ended(handling, HandlerOutcome.FAILED);
			throw ex;
		}
	}

	private TaskResult perform(long handling, HandlerPlan plan, DelayedTask<Work> task) throws InterruptedException {
		return perform(plan, task, () -> ended(handling, HandlerOutcome.HALTED));
	}

	private TaskResult perform(HandlerPlan plan, DelayedTask<?> task, Runnable halting) throws InterruptedException {
		boolean first = task.failures() == 0 && task.leasesLost() == 0;
		switch (plan.kind()) {
			case OK -> {
			}
			case SLEEP -> this.hands.hang(Duration.ofMillis(plan.number()));
			case THROW -> {
				if (task.failures() < plan.number()) {
					throw new PlannedException();
				}
			}
			case RETRY_AFTER -> {
				if (task.failures() == 0) {
					return TaskResult.retryAfter(Duration.ofMillis(plan.number()));
				}
			}
			case HANG -> {
				if (task.failures() == 0) {
					this.hands.hang(Duration.ofMinutes(1));
				}
			}
			case DEAF -> {
				if (first) {
					this.hands.hangDeaf(Duration.ofMillis(plan.number()));
				}
			}
			case HALT -> {
				if (first) {
					halting.run();
					this.hands.halt();
				}
			}
			case NOT_RETRYABLE -> throw new PlannedNonRetryableException();
			case DEAD_LETTER -> {
				return TaskResult.deadLetter("planned");
			}
			case EXHAUST -> throw new PlannedException();
			case BROKEN -> {
				if (task.dueAt().getEpochSecond() < plan.number()) {
					return TaskResult.deadLetter("planned");
				}
			}
		}
		return TaskResult.done();
	}

	private void ended(long handling, HandlerOutcome outcome) {
		this.log.write("ended", handling, outcome);
	}

	private static HandlerOutcome outcome(TaskResult result) {
		if (result == TaskResult.done()) {
			return HandlerOutcome.OK;
		}
		boolean interrupted = result instanceof TaskResult.Failed failed
				&& failed.cause() instanceof InterruptedException;
		return interrupted ? HandlerOutcome.INTERRUPTED : HandlerOutcome.FAILED;
	}

	private static Work work(DelayedTask<Work> task) {
		Work work = task.payload();
		if (work == null) {
			throw new IllegalStateException("Task " + task.id() + " has no payload");
		}
		return work;
	}

	@SuppressWarnings("serial")
	private static class PlannedException extends RuntimeException {

		PlannedException() {
			super("planned", null, false, false);
		}

	}

	@SuppressWarnings("serial")
	private static final class PlannedNonRetryableException extends PlannedException implements NonRetryable {

	}

}
