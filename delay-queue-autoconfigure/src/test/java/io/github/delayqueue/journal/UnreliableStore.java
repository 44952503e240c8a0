package io.github.delayqueue.journal;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.delayqueue.StoreUnavailableException;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.ClaimResult;
import io.github.delayqueue.store.DelegatingTaskStore;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.Epoch;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.ScheduleOutcome;
import io.github.delayqueue.store.Settlement;
import io.github.delayqueue.store.StoredTask;
import io.github.delayqueue.store.VersionedTaskStore;

/**
 * A store that can be out of reach.
 */
final class UnreliableStore extends DelegatingTaskStore implements VersionedTaskStore {

	private final VersionedTaskStore store;

	private final AtomicBoolean unreachable;

	private volatile Runnable afterSettlements = () -> {
	};

	private final AtomicInteger schedules = new AtomicInteger();

	UnreliableStore(VersionedTaskStore store, AtomicBoolean unreachable) {
		super(store);
		this.store = store;
		this.unreachable = unreachable;
	}

	private void reach(String queue) {
		if (this.unreachable.get()) {
			throw new StoreUnavailableException(queue, null, "Redis is out of reach in this test", null);
		}
	}

	/** How often tasks have been scheduled. */
	int schedules() {
		return this.schedules.get();
	}

	@Override
	public List<ScheduleOutcome> schedule(String queue, List<NewTask> tasks) {
		reach(queue);
		this.schedules.incrementAndGet();
		return super.schedule(queue, tasks);
	}

	@Override
	public ClaimResult claim(String partition, ClaimRequest request) {
		reach(partition);
		return super.claim(partition, request);
	}

	/** Let something happen when settlements have been applied, and nobody knows yet. */
	void afterSettlements(Runnable step) {
		this.afterSettlements = step;
	}

	@Override
	public List<Boolean> settle(String partition, List<Settlement> settlements) {
		reach(partition);
		List<Boolean> applied = super.settle(partition, settlements);
		this.afterSettlements.run();
		return applied;
	}

	@Override
	public List<Boolean> redrive(String queue, List<String> taskIds) {
		reach(queue);
		return super.redrive(queue, taskIds);
	}

	@Override
	public long clear(String queue) {
		reach(queue);
		return super.clear(queue);
	}

	@Override
	public Optional<StoredTask> find(String queue, String taskId) {
		reach(queue);
		return super.find(queue, taskId);
	}

	@Override
	public boolean cancel(String queue, String taskId, long generation) {
		reach(queue);
		return this.store.cancel(queue, taskId, generation);
	}

	@Override
	public boolean reschedule(String queue, String taskId, DueTime due, long generation) {
		reach(queue);
		return this.store.reschedule(queue, taskId, due, generation);
	}

	@Override
	public Epoch beat(String partition, String incarnation) {
		reach(partition);
		return this.store.beat(partition, incarnation);
	}

}
