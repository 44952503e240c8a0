package io.github.delayqueue.benchmark.scale;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

import org.springframework.context.ConfigurableApplicationContext;

import io.github.delayqueue.benchmark.Servers;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.store.TaskStore;

/**
 * Queues of several sizes in one server, the cost of calls on each, measured in turn, and
 * what the server calls slow: while they are filled, used and cleared, and while what is
 * over is removed.
 */
public final class ScaleRun implements AutoCloseable {

	/** What takes longer is slow. */
	public static final Duration SLOW = Duration.ofMillis(10);

	private static final int ROUNDS = 20;

	private static final int CALLS = 100;

	private static final int WARM_UP = 1500;

	private final ConfigurableApplicationContext context;

	private final DelayQueueOperations operations;

	private final Control control;

	private final SlowLog slowLog;

	private final Consumer<String> out;

	private final List<SizedQueue> queues = new ArrayList<>();

	private final SlowCalls slow = new SlowCalls();

	private final SlowCalls slowControl = new SlowCalls();

	/**
	 * Begin.
	 * @param servers an empty Redis
	 * @param out is told what goes on
	 */
	public ScaleRun(Servers servers, Consumer<String> out) {
		this.context = ScaleApplication.start(servers);
		this.operations = this.context.getBean(DelayQueueOperations.class);
		this.control = new Control(servers);
		this.slowLog = new SlowLog(servers, SLOW);
		this.out = out;
	}

	/**
	 * See what the server calls slow where there is no queue.
	 * @param size how many members a sorted set gets
	 */
	public void control(int size) {
		step("control " + size, this.slowControl, () -> this.control.fill(size));
	}

	/**
	 * Fill a queue for each size.
	 * @param sizes numbers of tasks
	 */
	public void fill(List<Integer> sizes) {
		for (int size : sizes) {
			SizedQueue queue = new SizedQueue(this.operations, "size-" + size, size);
			step("fill " + size, queue::fill);
			this.queues.add(queue);
		}
	}

	/**
	 * Make calls on all queues in turn.
	 * @return the queues with what the calls have taken
	 */
	public List<SizedQueue> measure() {
		step("warm-up", () -> this.queues.get(0).measure(WARM_UP));
		this.queues.forEach(SizedQueue::forgetCosts);
		step("calls", () -> {
			for (int round = 0; round < ROUNDS; round++) {
				this.queues.forEach((queue) -> queue.measure(CALLS));
			}
		});
		return this.queues;
	}

	/**
	 * Let tasks die and be completed, and remove them again.
	 * @param count how many of each
	 */
	public void trim(int count) {
		Trimming trimming = new Trimming(this.context.getBean(TaskStore.class), "trimmed");
		step("let die " + count, () -> trimming.end(count, true));
		step("complete and keep " + count, () -> trimming.end(count, false));
		step("trim " + 2 * count, trimming::trim);
	}

	/**
	 * Clear all queues, and go on using the first while the server frees memory.
	 */
	public void clear() {
		for (int i = this.queues.size() - 1; i > 0; i--) {
			SizedQueue queue = this.queues.get(i);
			step("clear " + queue.size(), () -> {
				this.operations.clear(queue.name());
				this.queues.get(0).measure(CALLS);
			});
		}
		step("clear the rest", () -> this.operations.clear(this.queues.get(0).name()));
	}

	private void step(String name, Runnable step) {
		step(name, this.slow, step);
	}

	private void step(String name, SlowCalls slow, Runnable step) {
		long start = System.nanoTime();
		step.run();
		String took = String.format(Locale.ROOT, "%s: %.1f s", name, (System.nanoTime() - start) / 1e9);
		String words = slow.add(name, this.slowLog.take());
		this.out.accept(words.isEmpty() ? took : took + ", slow: " + words);
	}

	/**
	 * What the server called slow.
	 * @return the commands
	 */
	public SlowCalls slow() {
		return this.slow;
	}

	/**
	 * What the server called slow where there was no queue.
	 * @return the commands
	 */
	public SlowCalls slowControl() {
		return this.slowControl;
	}

	@Override
	public void close() {
		this.slowLog.close();
		this.context.close();
	}

}
