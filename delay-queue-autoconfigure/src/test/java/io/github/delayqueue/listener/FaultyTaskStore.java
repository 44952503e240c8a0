package io.github.delayqueue.listener;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.ClaimResult;
import io.github.delayqueue.store.DelegatingTaskStore;
import io.github.delayqueue.store.Extension;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.Partitions;
import io.github.delayqueue.store.ScheduleOutcome;
import io.github.delayqueue.store.Settlement;
import io.github.delayqueue.store.StoredTask;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.store.WakeListener;
import io.github.delayqueue.store.WakeSubscription;

/**
 * A store with something done before or after its steps: fail, lose the answer, wait.
 */
final class FaultyTaskStore extends DelegatingTaskStore {

	private final Map<Step, Runnable> before = new ConcurrentHashMap<>();

	private final Map<Step, Runnable> after = new ConcurrentHashMap<>();

	private final Map<String, Runnable> beforeAt = new ConcurrentHashMap<>();

	private volatile int partitions = 1;

	private final Map<Step, AtomicInteger> calls = new EnumMap<>(Step.class);

	private final AtomicInteger largestLimit = new AtomicInteger();

	FaultyTaskStore(TaskStore delegate) {
		super(delegate);
		for (Step step : Step.values()) {
			this.calls.put(step, new AtomicInteger());
		}
	}

	/** Let steps fail before they are carried out. */
	void fail(Step... steps) {
		for (Step step : steps) {
			before(step, () -> {
				throw new DelayQueueException(null, null, step + " fails for a test");
			});
		}
	}

	/** Let steps be carried out and fail nevertheless. */
	void loseAnswers(Step... steps) {
		for (Step step : steps) {
			after(step, () -> {
				throw new DelayQueueException(null, null, "The answer to " + step + " is lost for a test");
			});
		}
	}

	void before(Step step, Runnable action) {
		this.before.put(step, action);
	}

	void after(Step step, Runnable action) {
		this.after.put(step, action);
	}

	/** Do something before a step of one partition. */
	void before(Step step, String partition, Runnable action) {
		this.beforeAt.put(step + partition, action);
	}

	/** Let each queue have so many partitions, each a queue to the store behind. */
	void partition(int count) {
		this.partitions = count;
	}

	void heal() {
		this.beforeAt.clear();
		this.before.clear();
		this.after.clear();
	}

	/** How often a step has been tried. */
	int calls(Step step) {
		return this.calls.get(step).get();
	}

	/** The largest number of tasks that a claim has asked for. */
	int largestLimit() {
		return this.largestLimit.get();
	}

	private <T> T step(Step step, String partition, Supplier<T> call) {
		this.calls.get(step).incrementAndGet();
		this.before.getOrDefault(step, () -> {
		}).run();
		this.beforeAt.getOrDefault(step + partition, () -> {
		}).run();
		T result = call.get();
		this.after.getOrDefault(step, () -> {
		}).run();
		return result;
	}

	@Override
	public List<ScheduleOutcome> schedule(String queue, List<NewTask> tasks) {
		return step(Step.SCHEDULE, queue, () -> super.schedule(queue, tasks));
	}

	@Override
	public Optional<StoredTask> find(String queue, String taskId) {
		return step(Step.FIND, queue, () -> super.find(queue, taskId));
	}

	@Override
	public ClaimResult claim(String queue, ClaimRequest request) {
		this.largestLimit.accumulateAndGet(request.limit(), Math::max);
		return step(Step.CLAIM, queue, () -> super.claim(queue, request));
	}

	@Override
	public List<Boolean> settle(String queue, List<Settlement> settlements) {
		return step(Step.SETTLE, queue, () -> super.settle(queue, settlements));
	}

	@Override
	public List<Boolean> extend(String queue, List<Extension> extensions) {
		return step(Step.EXTEND, queue, () -> super.extend(queue, extensions));
	}

	@Override
	public List<String> partitions(String queue) {
		return Partitions.names(queue, this.partitions);
	}

	@Override
	public void announce(String queue) {
		step(Step.ANNOUNCE, queue, () -> {
			super.announce(queue);
			return true;
		});
	}

	@Override
	public WakeSubscription subscribe(String queue, WakeListener listener) {
		return step(Step.SUBSCRIBE, queue, () -> super.subscribe(queue, (in) -> step(Step.WAKE, queue, () -> {
			listener.wake(in);
			return true;
		})));
	}

	/** Steps of a store that consumers use. */
	enum Step {

		CLAIM, SETTLE, EXTEND, ANNOUNCE, SUBSCRIBE, WAKE, FIND, SCHEDULE

	}

}
