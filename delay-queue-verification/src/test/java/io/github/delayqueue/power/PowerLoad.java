package io.github.delayqueue.power;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.producer.TaskRequest;

/**
 * Threads that schedule and cancel all the time, and what they were told. Half of the
 * tasks are due soon. The others are not, and many of them are cancelled.
 */
final class PowerLoad {

	private static final int BATCH = 20;

	private static final Duration FAR = Duration.ofSeconds(10);

	private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

	/** When each task was accepted. */
	final Map<String, Instant> accepted = new ConcurrentHashMap<>();

	/** When tasks would have been due whose cancellation was confirmed. */
	final Map<String, Instant> cancelled = new ConcurrentHashMap<>();

	/** Tasks of which nobody knows whether they were cancelled. */
	final Set<String> doubtful = ConcurrentHashMap.newKeySet();

	private final Queue<TaskRequest> far = new ConcurrentLinkedQueue<>();

	private final DelayQueueOperations operations;

	private final Consumer<Runnable> transaction;

	private final boolean early;

	private final List<Thread> threads;

	private volatile boolean ended;

	/**
	 * Begin.
	 * @param transaction what runs some steps in a transaction
	 * @param early whether tasks count as accepted before they are scheduled: a defect
	 */
	PowerLoad(DelayQueueOperations operations, Consumer<Runnable> transaction, boolean early, Random random) {
		this.operations = operations;
		this.transaction = transaction;
		this.early = early;
		this.threads = Stream
			.<Consumer<Run>>of(this::scheduleOne, this::scheduleOne, this::scheduleInTransaction, this::scheduleMany,
					this::cancel)
			.map((step) -> thread(step, new Run(new Random(random.nextLong()), random.nextInt(1 << 30))))
			.toList();
		this.threads.forEach(Thread::start);
	}

	/**
	 * Enough, also for calls that wait for an answer; their failures are of no interest.
	 */
	void end() throws InterruptedException {
		this.ended = true;
		for (Thread thread : this.threads) {
			thread.join();
		}
	}

	private Thread thread(Consumer<Run> step, Run run) {
		Thread thread = new Thread(() -> {
			while (!this.ended) {
				try {
					step.accept(run);
				}
				catch (RuntimeException ex) {
					// the servers have no power: nothing was accepted
				}
				LockSupport.parkNanos(STEP_NANOS);
			}
		}, "load");
		thread.setDaemon(true);
		return thread;
	}

	private void scheduleOne(Run run) {
		TaskRequest task = run.next();
		accept(List.of(task), () -> this.operations.schedule(task));
	}

	private void scheduleInTransaction(Run run) {
		TaskRequest task = run.next();
		accept(List.of(task), () -> this.transaction.accept(() -> this.operations.schedule(task)));
	}

	private void scheduleMany(Run run) {
		List<TaskRequest> tasks = IntStream.range(0, BATCH).mapToObj((i) -> run.next()).toList();
		accept(tasks, () -> this.operations.scheduleAll(tasks));
	}

	private void accept(List<TaskRequest> tasks, Runnable step) {
		if (this.early) {
			note(tasks);
		}
		step.run();
		note(tasks);
		tasks.stream().filter(PowerLoad::isFar).forEach(this.far::add);
	}

	private void note(List<TaskRequest> tasks) {
		tasks.forEach((task) -> this.accepted.putIfAbsent(task.id(), Instant.now()));
	}

	private void cancel(Run run) {
		TaskRequest task = this.far.poll();
		if (task == null) {
			return;
		}
		this.doubtful.add(task.id());
		if (this.operations.cancel(PowerApplication.QUEUE, task.id())) {
			this.cancelled.put(task.id(), dueAt(task));
		}
		this.doubtful.remove(task.id());
	}

	private static boolean isFar(TaskRequest task) {
		return dueAt(task).isAfter(Instant.now().plus(FAR.dividedBy(2)));
	}

	private static Instant dueAt(TaskRequest task) {
		return Instant.ofEpochMilli(task.due().millis());
	}

	/** What a thread does next, by chance. */
	private static final class Run {

		private final Random random;

		private final int number;

		private int tasks;

		private Run(Random random, int number) {
			this.random = random;
			this.number = number;
		}

		private TaskRequest next() {
			String id = this.number + "-" + this.tasks++;
			Duration delay = this.random.nextBoolean() ? FAR : Duration.ofMillis(this.random.nextInt(2000));
			return TaskRequest.queue(PowerApplication.QUEUE)
				.id(id)
				.payload(id)
				.dueAt(Instant.now().plus(delay))
				.build();
		}

	}

}
