package io.github.delayqueue.journal;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.store.Epoch;
import io.github.delayqueue.store.PartitionedTaskStore;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.store.memory.InMemoryTaskStore;

/**
 * A store in memory that remembers all calls, so that it can become what it was after any
 * of them: an older copy, or an empty one.
 */
final class ReplayedRedis {

	private final Clock clock;

	private final int partitions;

	private final ReplayClock time = new ReplayClock();

	private List<Call> calls = new ArrayList<>();

	/** What it was whenever it became another one. */
	private final List<List<Call>> copies = new ArrayList<>();

	private TaskStore store;

	ReplayedRedis(Clock clock, int partitions) {
		this.clock = clock;
		this.partitions = partitions;
		this.store = newStore();
	}

	private TaskStore newStore() {
		return new PartitionedTaskStore(new InMemoryTaskStore(this.time), (queue) -> this.partitions);
	}

	<T> T write(Function<TaskStore, T> call) {
		this.calls.add(new Call(this.clock.instant(), call));
		return call.apply(this.store);
	}

	<T> T read(Function<TaskStore, T> call) {
		return call.apply(this.store);
	}

	int age() {
		return this.calls.size();
	}

	/**
	 * Become an older copy.
	 * @param age what {@link #age()} was then, 0 for an empty store
	 */
	void goBackTo(int age) {
		become(calls(age));
	}

	/** What it was, or is, after so many calls. */
	List<Call> calls(int age) {
		return List.copyOf(this.calls.subList(0, Math.min(age, this.calls.size())));
	}

	List<List<Call>> copies() {
		return this.copies;
	}

	/**
	 * Become a copy, older or younger.
	 * @param copy what it was, see {@link #calls}
	 */
	void become(List<Call> copy) {
		this.copies.add(List.copyOf(this.calls));
		this.store = replayed(copy);
		this.calls = new ArrayList<>(copy);
	}

	private TaskStore replayed(List<Call> copy) {
		TaskStore replica = newStore();
		for (Call call : copy) {
			this.time.fixed = call.at();
			try {
				call.call().apply(replica);
			}
			catch (RuntimeException ex) {
				// it failed the first time, too
				continue;
			}
		}
		this.time.fixed = null;
		return replica;
	}

	/** What is remembered of a partition, as far as this Redis knows. */
	Epoch epoch(String partition) {
		Epoch next = replayed(this.calls).beat(partition, Epoch.NONE, "none");
		return next.incarnation().equals("none") ? Epoch.NONE : new Epoch(next.incarnation(), next.beat() - 1);
	}

	/** A call, and when it was made. */
	record Call(Instant at, Function<TaskStore, ?> call) {

	}

	private final class ReplayClock extends Clock {

		private @Nullable Instant fixed;

		@Override
		public Instant instant() {
			return (this.fixed != null) ? this.fixed : ReplayedRedis.this.clock.instant();
		}

		@Override
		public ZoneId getZone() {
			return ReplayedRedis.this.clock.getZone();
		}

		@Override
		public Clock withZone(ZoneId zone) {
			throw new UnsupportedOperationException("This clock has the zone of another");
		}

	}

}
