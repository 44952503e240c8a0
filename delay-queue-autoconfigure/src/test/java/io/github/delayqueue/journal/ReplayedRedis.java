package io.github.delayqueue.journal;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.store.PartitionedTaskStore;
import io.github.delayqueue.store.VersionedTaskStore;
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

	private VersionedTaskStore store;

	ReplayedRedis(Clock clock, int partitions) {
		this.clock = clock;
		this.partitions = partitions;
		this.store = newStore();
	}

	private VersionedTaskStore newStore() {
		return new PartitionedTaskStore(new InMemoryTaskStore(this.time), (queue) -> this.partitions);
	}

	<T> T write(Function<VersionedTaskStore, T> call) {
		return write(call, "");
	}

	/** A call that is a beat of a partition. */
	<T> T beat(Function<VersionedTaskStore, T> call, String partition) {
		return write(call, partition);
	}

	private <T> T write(Function<VersionedTaskStore, T> call, String beating) {
		this.calls.add(new Call(this.clock.instant(), call, beating));
		return call.apply(this.store);
	}

	<T> T read(Function<VersionedTaskStore, T> call) {
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
		List<Call> kept = new ArrayList<>(this.calls.subList(0, Math.min(age, this.calls.size())));
		this.store = newStore();
		for (Call call : kept) {
			this.time.fixed = call.at();
			try {
				call.call().apply(this.store);
			}
			catch (RuntimeException ex) {
				// it failed the first time, too
				continue;
			}
		}
		this.time.fixed = null;
		this.calls = kept;
	}

	/** How many beats of a partition there have been, as far as this Redis knows. */
	long beats(String partition) {
		return this.calls.stream().filter((call) -> call.beating().equals(partition)).count();
	}

	private record Call(Instant at, Function<VersionedTaskStore, ?> call, String beating) {

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
