package io.github.delayqueue.listener;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.delayqueue.races.Race;
import io.github.delayqueue.store.Settlement;

import static io.github.delayqueue.races.Racers.race;
import static io.github.delayqueue.races.Racers.require;

/**
 * What {@link SourceSettlements} have to do however their threads meet: settle each
 * delivery once, and keep none. Calls beside others are not raced: they begin with whole
 * batches.
 */
public enum SettlementsRaces implements Race {

	/** Two workers end a task each, and settle what they find. */
	TWO_ENDS {
		@Override
		public void run() {
			Source source = new Source(false);
			HeldTask one = source.claim("one");
			HeldTask other = source.claim("other");
			race(() -> source.end(one), () -> source.end(other));
			source.requireSettled(2);
		}
	},

	/** The same, and the first call fails. */
	FAILURE_BESIDE_AN_END {
		@Override
		public void run() {
			Source source = new Source(true);
			HeldTask one = source.claim("one");
			HeldTask other = source.claim("other");
			race(() -> source.end(one), () -> source.end(other));
			source.requireSettled(2);
		}
	};

	private static final class Source {

		private final SteppedThreads threads = new SteppedThreads();

		private final RacedTasks tasks = new RacedTasks(new RacedStore(this::settle, (extensions) -> List.of()),
				this.threads::nanoTime);

		private final SourceCalls calls = this.tasks.calls(this.threads);

		private final Leases leases = new Leases(this.calls, RacedTasks.LEASE_DURATION, () -> {
		});

		private final SourceSettlements settlements = new SourceSettlements(this.calls, this.leases);

		private final AtomicInteger settled = new AtomicInteger();

		private final AtomicInteger failures;

		Source(boolean fails) {
			this.failures = new AtomicInteger(fails ? 1 : 0);
		}

		HeldTask claim(String id) {
			return this.tasks.task(id, this.settlements::add);
		}

		void end(HeldTask task) {
			task.endWith(task.complete(Duration.ZERO));
			this.threads.runDue();
		}

		private List<Boolean> settle(List<Settlement> batch) {
			if (this.failures.getAndDecrement() > 0) {
				throw new IllegalStateException("refused");
			}
			List<Boolean> applied = new ArrayList<>();
			for (int i = 0; i < batch.size(); i++) {
				this.settled.incrementAndGet();
				applied.add(true);
			}
			return applied;
		}

		void requireSettled(int deliveries) {
			this.threads.runAny(deliveries + 1);
			require(this.settled.get() >= deliveries, "settlements: a delivery is not settled");
			require(this.settled.get() == deliveries, "settlements: a delivery is settled twice");
			require(this.settlements.isIdle(), "settlements: a delivery counts as unsettled");
		}

	}

}
