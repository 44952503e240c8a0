package io.github.delayqueue.listener;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.delayqueue.races.Race;

import static io.github.delayqueue.races.Racers.race;
import static io.github.delayqueue.races.Racers.require;

/**
 * What {@link ClaimLoop} has to do however its threads meet: one claim at a time, and one
 * that begins after each wake.
 */
public enum ClaimLoopRaces implements Race {

	/** A task becomes due while the loop claims. */
	WAKE_BESIDE_A_CLAIM {
		@Override
		public void run() {
			Consumer consumer = new Consumer();
			consumer.loop.start();
			race(consumer.threads::runDue, consumer::schedule);
			consumer.requireClaimed(1);
		}
	},

	/** Two do, and the loop is idle. */
	TWO_WAKES {
		@Override
		public void run() {
			Consumer consumer = new Consumer();
			consumer.loop.start();
			consumer.threads.runDue();
			race(consumer::schedule, consumer::schedule);
			consumer.requireClaimed(2);
		}
	},

	/** A loop is stopped and started while a task becomes due. */
	RESTART_BESIDE_A_WAKE {
		@Override
		public void run() {
			Consumer consumer = new Consumer();
			consumer.loop.start();
			race(consumer::schedule, consumer::restart);
			consumer.requireClaimed(1);
		}
	};

	@Override
	public int share() {
		return 10;
	}

	/** Claims what is due, and has nothing to come back for. */
	private static final class Consumer {

		private final SteppedThreads threads = new SteppedThreads();

		private final AtomicInteger due = new AtomicInteger();

		private final AtomicInteger claimed = new AtomicInteger();

		private final AtomicInteger underWay = new AtomicInteger();

		private volatile boolean beside;

		private final ClaimLoop loop = new ClaimLoop("raced", this::claim, () -> false, this.threads,
				this.threads::nanoTime, SteppedThreads.FOR_EVER, () -> 1);

		private Duration claim() {
			if (this.underWay.incrementAndGet() > 1) {
				this.beside = true;
			}
			this.claimed.addAndGet(this.due.getAndSet(0));
			this.underWay.decrementAndGet();
			return SteppedThreads.FOR_EVER;
		}

		void schedule() {
			this.due.incrementAndGet();
			this.loop.wake(Duration.ZERO);
			this.threads.runDue();
		}

		void restart() {
			this.loop.stop();
			this.loop.start();
			this.threads.runDue();
		}

		void requireClaimed(int tasks) {
			this.threads.runDue();
			require(this.claimed.get() == tasks, "claim-loop: a due task waits for the poll interval");
			require(this.loop.isIdle(), "claim-loop: a claim is under way for ever");
			require(!this.beside, "claim-loop: two claims were under way");
		}

	}

}
