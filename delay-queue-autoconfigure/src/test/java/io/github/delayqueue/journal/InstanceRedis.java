package io.github.delayqueue.journal;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;

import io.github.delayqueue.QueueStats;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.ClaimResult;
import io.github.delayqueue.store.Condition;
import io.github.delayqueue.store.Contents;
import io.github.delayqueue.store.DelegatingTaskStore;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.Epoch;
import io.github.delayqueue.store.Generation;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.ScheduleOptions;
import io.github.delayqueue.store.ScheduleReply;
import io.github.delayqueue.store.Settlement;
import io.github.delayqueue.store.StoredTask;
import io.github.delayqueue.store.TaskStore;

/**
 * How one instance sees the Redis that all share: before and after each of its calls
 * something may happen.
 */
final class InstanceRedis extends DelegatingTaskStore {

	private final ReplayedRedis redis;

	private final Boundary boundary;

	private final Watch watch;

	/** Generations of what was claimed, by token and id. */
	private final Map<String, Long> claimed = new ConcurrentHashMap<>();

	InstanceRedis(ReplayedRedis redis, Boundary boundary, Watch watch) {
		super(redis.read((store) -> store));
		this.redis = redis;
		this.boundary = boundary;
		this.watch = watch;
	}

	private <T> T at(Supplier<T> call) {
		this.boundary.pass(true);
		T answer = call.get();
		this.boundary.pass(false);
		return answer;
	}

	private <T> T write(Function<TaskStore, T> call) {
		return at(() -> this.redis.write(call));
	}

	private <T> T read(Function<TaskStore, T> call) {
		return at(() -> this.redis.read(call));
	}

	/** Of which generation a task was that has been claimed. */
	long claimedGeneration(String token, String taskId) {
		return this.claimed.getOrDefault(token + " " + taskId, -1L);
	}

	@Override
	public ScheduleReply schedule(String queue, List<NewTask> tasks, ScheduleOptions options) {
		return at(() -> {
			tasks.forEach((task) -> Generation.of(task.envelope())
				.ifPresent((generation) -> this.watch.handedOver(new Key(task.id(), generation))));
			return this.redis.write((store) -> store.schedule(queue, tasks, options));
		});
	}

	@Override
	public ClaimResult claim(String partition, ClaimRequest request) {
		return at(() -> {
			ClaimResult result = this.redis.write((store) -> store.claim(partition, request));
			result.tasks().forEach((task) -> {
				OptionalLong generation = Generation.of(task.envelope());
				this.claimed.put(request.token() + " " + task.id(), generation.orElse(-1));
			});
			return result;
		});
	}

	@Override
	public List<Boolean> settle(String partition, List<Settlement> settlements) {
		return at(() -> {
			List<Boolean> applied = this.redis.write((store) -> store.settle(partition, settlements));
			for (int i = 0; i < applied.size(); i++) {
				Settlement settlement = settlements.get(i);
				boolean completed = settlement.action() == Settlement.Action.COMPLETE
						|| settlement.action() == Settlement.Action.COMPLETE_AND_KEEP;
				if (applied.get(i) && completed) {
					this.watch.completed(
							new Key(settlement.taskId(), claimedGeneration(settlement.token(), settlement.taskId())));
				}
			}
			return applied;
		});
	}

	@Override
	public boolean cancel(String queue, String taskId, Condition condition) {
		return write((store) -> store.cancel(queue, taskId, condition));
	}

	@Override
	public boolean reschedule(String queue, String taskId, DueTime due, Condition condition) {
		return write((store) -> store.reschedule(queue, taskId, due, condition));
	}

	@Override
	public List<Boolean> redrive(String queue, List<String> taskIds, Condition condition) {
		return write((store) -> store.redrive(queue, taskIds, condition));
	}

	@Override
	public long purge(String queue, TaskState state, int limit) {
		return write((store) -> store.purge(queue, state, limit));
	}

	@Override
	public long clear(String queue) {
		return write((store) -> store.clear(queue));
	}

	@Override
	public long purge(String queue, TaskState state, Map<String, Long> generations) {
		return write((store) -> store.purge(queue, state, generations));
	}

	@Override
	public Epoch beat(String partition, Epoch known, String incarnation) {
		return write((store) -> store.beat(partition, known, incarnation));
	}

	@Override
	public Optional<StoredTask> find(String queue, String taskId, Condition condition) {
		return read((store) -> store.find(queue, taskId, condition));
	}

	@Override
	public List<StoredTask> list(String queue, TaskState state, int offset, int limit, Contents contents) {
		return read((store) -> store.list(queue, state, offset, limit, contents));
	}

	@Override
	public QueueStats stats(String queue) {
		return this.redis.read((store) -> store.stats(queue));
	}

	@Override
	public List<String> partitions(String queue) {
		return this.redis.read((store) -> store.partitions(queue));
	}

	/** Told of what goes to Redis. */
	interface Watch {

		Watch NONE = new Watch() {

			@Override
			public void handedOver(Key key) {
			}

			@Override
			public void completed(Key key) {
			}

		};

		/** A task is about to be handed over. */
		void handedOver(Key key);

		/**
		 * A task has been completed, by the instance that had claimed it if the
		 * generation is not negative.
		 */
		void completed(Key key);

	}

	/** What happens at the edge of a call. */
	@FunctionalInterface
	interface Boundary {

		/**
		 * A call begins or has ended.
		 * @param before whether it begins
		 */
		void pass(boolean before);

	}

}
