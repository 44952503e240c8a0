package io.github.delayqueue.listener;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import io.github.delayqueue.races.Race;
import io.github.delayqueue.store.Extension;

import static io.github.delayqueue.races.Racers.race;
import static io.github.delayqueue.races.Racers.require;

/**
 * What {@link Leases} and {@link HeldTask} have to do however their threads meet: ask for
 * each task for which somebody wants to know, go on while any is held, and never believe
 * in a lease for longer than the store.
 */
public enum LeasesRaces implements Race {

	/** The store withdraws tasks while the answer to their claim is on its way. */
	CHECK_BESIDE_A_CLAIM {
		@Override
		public void run() {
			Source source = new Source();
			HeldTask task = source.task("task");
			source.threads.setTime(1);
			race(() -> source.leases.add(List.of(task)), source.leases::check);
			source.threads.runAny(2);
			require(source.extended.get() > 0,
					"leases: nobody asks whether a task is held that was claimed before a check");
		}
	},

	/** A task is claimed while the last one is settled and the tick looks. */
	CLAIM_BESIDE_THE_LAST_TICK {
		@Override
		public void run() {
			Source source = new Source();
			HeldTask last = source.task("last");
			HeldTask next = source.task("next");
			source.leases.add(List.of(last));
			source.leases.remove(last);
			race(() -> source.threads.runAny(1), () -> source.leases.add(List.of(next)));
			source.threads.setTime(RacedTasks.LEASE_DURATION.toNanos() / 2);
			source.threads.runAny(2);
			require(source.extended.get() > 0, "The lease of a task that is held is not extended");
		}
	},

	/** A handler extends its lease while it is extended anyway. */
	TWO_EXTENSIONS {
		@Override
		public void run() {
			StoredLease store = new StoredLease();
			HeldTask task = store.tasks.task("task", (ended) -> {
			});
			race(() -> {
				long sentAt = store.tick();
				Duration lease = task.extension(sentAt);
				store.extend(lease);
				task.extendedAt(sentAt, lease);
			}, () -> {
				long sentAt = store.tick();
				store.extend(StoredLease.SHORT);
				task.extendedByItsHandler(sentAt, StoredLease.SHORT);
			});
			require(task.isOverdue(store.until.get()), "leases: a lease ends later for its holder than for the store");
		}
	};

	private static final class Source {

		private final SteppedThreads threads = new SteppedThreads();

		private final RacedTasks tasks = new RacedTasks(new RacedStore((settlements) -> List.of(), this::extend),
				this.threads::nanoTime);

		private final Leases leases = new Leases(this.tasks.calls(this.threads), RacedTasks.LEASE_DURATION, () -> {
		});

		private final AtomicInteger extended = new AtomicInteger();

		HeldTask task(String id) {
			return this.tasks.task(id, (ended) -> {
			});
		}

		private List<Boolean> extend(List<Extension> extensions) {
			List<Boolean> applied = new ArrayList<>();
			for (int i = 0; i < extensions.size(); i++) {
				this.extended.incrementAndGet();
				applied.add(true);
			}
			return applied;
		}

	}

	/** A lease as the store knows it, by a clock that counts how often it was read. */
	private static final class StoredLease {

		private static final Duration SHORT = Duration.ofSeconds(5);

		private final AtomicLong clock = new AtomicLong();

		private final AtomicLong until = new AtomicLong(RacedTasks.LEASE_DURATION.toNanos());

		private final RacedTasks tasks = new RacedTasks(
				new RacedStore((settlements) -> List.of(), (extensions) -> List.of()), this::tick);

		long tick() {
			return this.clock.incrementAndGet();
		}

		synchronized void extend(Duration lease) {
			this.until.set(tick() + lease.toNanos());
		}

	}

}
