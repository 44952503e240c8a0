package io.github.delayqueue.benchmark.scale;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

import io.github.delayqueue.benchmark.Payloads;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.producer.ScheduleResult;
import io.github.delayqueue.producer.TaskRequest;

/**
 * A queue with a journal that holds tasks a month away, and what it costs to look at it.
 */
public final class StoredQueue {

	private static final int CHUNK = 50_000;

	/** About so many ids are kept, to be looked up later. */
	private static final int REMEMBERED = 10_000;

	private static final Duration FAR = Duration.ofDays(30);

	private final DelayQueueOperations operations;

	private final String name;

	private final List<String> known = new ArrayList<>();

	private final Costs stats = new Costs();

	private final Costs find = new Costs();

	private final SplittableRandom random = new SplittableRandom(7);

	/**
	 * An empty queue.
	 * @param operations to call
	 * @param name of the queue
	 */
	public StoredQueue(DelayQueueOperations operations, String name) {
		this.operations = operations;
		this.name = name;
	}

	/**
	 * Schedule tasks, due at random times of the month after next.
	 * @param count how many
	 */
	public void fill(int count) {
		int step = Math.max(1, count / REMEMBERED);
		for (int done = 0; done < count; done += CHUNK) {
			List<TaskRequest> requests = new ArrayList<>();
			for (int i = done; i < Math.min(count, done + CHUNK); i++) {
				requests.add(TaskRequest.queue(this.name).payload(Payloads.of(i, 0)).dueAt(far()).build());
			}
			List<ScheduleResult> results = this.operations.scheduleAll(requests);
			for (int i = 0; i < results.size(); i += step) {
				this.known.add(results.get(i).taskId());
			}
		}
	}

	private Instant far() {
		return Instant.now().plus(FAR).plusMillis(this.random.nextLong(FAR.toMillis()));
	}

	/**
	 * Read the figures of the queue, and look up a task.
	 * @param times how often
	 */
	public void call(int times) {
		for (int i = 0; i < times; i++) {
			String id = this.known.get(this.random.nextInt(this.known.size()));
			long start = System.nanoTime();
			long stored = this.operations.stats(this.name).stored();
			long between = System.nanoTime();
			boolean found = this.operations.find(this.name, id).isPresent();
			this.find.add(System.nanoTime() - between);
			this.stats.add(between - start);
			if (stored == 0 || !found) {
				throw new IllegalStateException("Tasks of queue '" + this.name + "' are not shown");
			}
		}
	}

	public Costs stats() {
		return this.stats;
	}

	public Costs find() {
		return this.find;
	}

}
