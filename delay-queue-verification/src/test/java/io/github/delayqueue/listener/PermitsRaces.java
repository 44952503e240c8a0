package io.github.delayqueue.listener;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.delayqueue.options.QueueOptions;
import io.github.delayqueue.races.Race;

import static io.github.delayqueue.races.Racers.race;
import static io.github.delayqueue.races.Racers.require;

/**
 * What {@link Permits} have to do however their threads meet: no more than the workers
 * can take up is granted, and no loop waits beside a free worker.
 */
public enum PermitsRaces implements Race {

	/** The worker becomes free while a loop asks for it. */
	FREED_BESIDE_A_REQUEST {
		@Override
		public void run() {
			Container container = new Container();
			Source source = new Source(container);
			source.loop.start();
			race(container.threads::runDue, container::free);
			container.requireServed(source);
		}
	},

	/** Two loops want it. */
	TWO_LOOPS {
		@Override
		public void run() {
			Container container = new Container();
			Source one = new Source(container);
			Source other = new Source(container);
			container.free();
			race(one::start, other::start);
			container.requireServed(one, other);
		}
	};

	/** All workers but one wait for a claim, and one has a task. */
	private static final class Container {

		/**
		 * None is set: in what was made before, the checker finds nothing by its hash.
		 */
		private static final QueueOptions OPTIONS = QueueOptions.builder().build();

		private final SteppedThreads threads = new SteppedThreads();

		private final RacedTasks tasks = new RacedTasks(null, this.threads::nanoTime);

		/** They run nothing: what is accepted waits until it is released. */
		private final Workers workers = new Workers("raced", OPTIONS, this.threads.handlers(), null, () -> {
		});

		private final Permits permits = new Permits(this.workers, OPTIONS, this.threads::nanoTime);

		private final AtomicInteger granted = new AtomicInteger();

		private volatile boolean tooMany;

		Container() {
			this.workers.accept(List.of(this.tasks.task("task", (ended) -> {
			})));
			this.permits.acquire(new Source(this).loop);
		}

		void free() {
			this.workers.release();
			this.permits.freed();
			this.threads.runDue();
		}

		void requireServed(Source... sources) {
			this.threads.runDue();
			require(!this.tooMany, "permits: more was granted than the workers can take up");
			for (Source source : sources) {
				require(source.served.get() > 0, "permits: a loop waits beside a free worker");
			}
			require(this.permits.acquire(sources[0].loop).limit() == 1, "permits: one was not given back");
		}

	}

	/** Has one task. */
	private static final class Source {

		private final Container container;

		private final AtomicInteger served = new AtomicInteger();

		private final ClaimLoop loop;

		Source(Container container) {
			this.container = container;
			this.loop = new ClaimLoop("raced", this::claim, () -> false, container.threads, container.threads::nanoTime,
					SteppedThreads.FOR_EVER, () -> 1);
		}

		void start() {
			this.loop.start();
			this.container.threads.runDue();
		}

		private Duration claim() {
			Permits.Grant grant = this.container.permits.acquire(this.loop);
			if (grant.limit() > 0) {
				if (this.container.granted.addAndGet(grant.limit()) + this.container.workers.reserved() > 1) {
					this.container.tooMany = true;
				}
				this.served.incrementAndGet();
				this.container.granted.addAndGet(-grant.limit());
				this.container.permits.release(this.loop, grant, false);
			}
			return SteppedThreads.FOR_EVER;
		}

	}

}
