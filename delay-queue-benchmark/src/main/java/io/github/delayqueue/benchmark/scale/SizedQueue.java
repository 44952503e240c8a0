package io.github.delayqueue.benchmark.scale;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

import io.github.delayqueue.benchmark.Payload;
import io.github.delayqueue.benchmark.Payloads;
import io.github.delayqueue.producer.ClaimedTask;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.producer.ScheduleResult;
import io.github.delayqueue.producer.TaskRequest;

/**
 * A queue that holds a number of tasks, and what calls cost on it.
 */
public final class SizedQueue {

	private static final int CHUNK = 50_000;

	/** About so many ids are kept, to be cancelled later. */
	private static final int REMEMBERED = 8000;

	private static final Duration TTR = Duration.ofSeconds(30);

	private static final Duration FAR = Duration.ofHours(6);

	private final DelayQueueOperations operations;

	private final String name;

	private final int size;

	private final Map<Operation, Costs> costs = new EnumMap<>(Operation.class);

	private final List<String> cancellable = new ArrayList<>();

	private final SplittableRandom random = new SplittableRandom(7);

	private int number;

	/**
	 * An empty queue.
	 * @param operations to call
	 * @param name of the queue
	 * @param size how many tasks it is to hold
	 */
	public SizedQueue(DelayQueueOperations operations, String name, int size) {
		this.operations = operations;
		this.name = name;
		this.size = size;
		for (Operation operation : Operation.values()) {
			this.costs.put(operation, new Costs());
		}
	}

	public String name() {
		return this.name;
	}

	public int size() {
		return this.size;
	}

	public Costs costs(Operation operation) {
		return this.costs.get(operation);
	}

	/**
	 * Schedule the tasks, due at random times within some hours.
	 */
	public void fill() {
		int step = Math.max(1, this.size / REMEMBERED);
		for (int done = 0; done < this.size; done += CHUNK) {
			List<TaskRequest> requests = new ArrayList<>();
			for (int i = done; i < Math.min(this.size, done + CHUNK); i++) {
				requests.add(TaskRequest.queue(this.name).payload(payload()).dueAt(far()).build());
			}
			List<ScheduleResult> results = this.operations.scheduleAll(requests);
			for (int i = 0; i < results.size(); i += step) {
				this.cancellable.add(results.get(i).taskId());
			}
		}
	}

	/**
	 * Make each call so many times, and note what it takes. The number of tasks stays
	 * what it was.
	 * @param times how often
	 */
	public void measure(int times) {
		for (int i = 0; i < times; i++) {
			measure(Operation.ENQUEUE,
					() -> this.cancellable.add(this.operations.schedule(this.name, payload(), far())));
			this.operations.schedule(this.name, payload(), Duration.ZERO);
			measure(Operation.CLAIM, this::claimOne);
			String victim = this.cancellable.remove(this.random.nextInt(this.cancellable.size()));
			measure(Operation.CANCEL, () -> require(this.operations.cancel(this.name, victim), "cancel"));
			measure(Operation.STATS, () -> this.operations.stats(this.name));
		}
	}

	private void claimOne() {
		List<ClaimedTask> tasks = this.operations.poll(this.name, 1, TTR);
		require(tasks.size() == 1 && tasks.get(0).complete(), "claim");
	}

	private void measure(Operation operation, Runnable call) {
		long start = System.nanoTime();
		call.run();
		costs(operation).add(System.nanoTime() - start);
	}

	private void require(boolean done, String what) {
		if (!done) {
			throw new IllegalStateException("Queue '" + this.name + "' did not " + what);
		}
	}

	/**
	 * Forget what calls have taken so far.
	 */
	public void forgetCosts() {
		this.costs.values().forEach(Costs::clear);
	}

	private Payload payload() {
		return Payloads.of(this.number++, System.currentTimeMillis());
	}

	private Instant far() {
		return Instant.now().plus(FAR).plusMillis(this.random.nextLong(FAR.toMillis()));
	}

}
