package io.github.delayqueue.simulation;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.jspecify.annotations.Nullable;

/**
 * What happens when: one step after the other, by a clock that jumps from each to the
 * next.
 * <p>
 * Steps that may have to wait for something – for an answer of the store – need a stack
 * each, and so a thread. Of these threads one runs at a time: it hands its turn to
 * another when it waits, so that nothing depends on how the machine schedules them. Which
 * of two steps of the same instant comes first is decided by the seed.
 */
final class Timeline {

	/** Without a step for so long in real time, a step waits for another thread. */
	private static final Duration PATIENCE = Duration.ofSeconds(60);

	private final Instant start;

	private final Random ties;

	private final PriorityQueue<Event> events = new PriorityQueue<>();

	private final Deque<Strand> idle = new ArrayDeque<>();

	private final List<Strand> strands = new ArrayList<>();

	private final Set<Strand> waiting = new LinkedHashSet<>();

	private long now;

	private long number;

	private volatile long steps;

	/** Who runs, {@code null} for the thread that has begun it all. */
	private volatile @Nullable Strand turn;

	private @Nullable Thread main;

	/** How many steps run on the stack of one that waits. */
	private boolean nested;

	private boolean over;

	private @Nullable Throwable failure;

	Timeline(Instant start, long seed) {
		this.start = start;
		this.ties = new Random(seed);
	}

	/** Nanoseconds since the beginning. */
	long now() {
		return this.now;
	}

	Instant instant() {
		return this.start.plusNanos(this.now);
	}

	long millis() {
		return this.start.toEpochMilli() + TimeUnit.NANOSECONDS.toMillis(this.now);
	}

	long steps() {
		return this.steps;
	}

	/** Let a step be made that does not wait. */
	Event after(Duration delay, @Nullable Instance owner, Runnable step) {
		return add(new Event(this.now + Math.max(0, delay.toNanos()), owner, step, false, null, 0));
	}

	/** Let a step be made that may wait. */
	void start(Duration delay, @Nullable Instance owner, Runnable step) {
		add(new Event(this.now + Math.max(0, delay.toNanos()), owner, step, true, null, 0));
	}

	private Event add(Event event) {
		event.tie = this.ties.nextInt();
		event.number = this.number++;
		this.events.add(event);
		return event;
	}

	/** Whether the current step cannot wait. */
	boolean isNested() {
		return this.nested || !(Thread.currentThread() instanceof Strand);
	}

	Strand current() {
		return (Strand) Thread.currentThread();
	}

	/** Let somebody who waits go on. */
	void wake(Strand strand, Duration in) {
		resume(strand, in.toNanos());
	}

	private void resume(Strand strand, long nanos) {
		add(new Event(this.now + nanos, strand.owner, () -> {
		}, false, strand, ++strand.ticket));
	}

	/** A process has ended: nobody waits for anything in it any more. */
	void end(Instance instance) {
		for (Strand strand : List.copyOf(this.waiting)) {
			if (strand.owner == instance) {
				resume(strand, 0);
			}
		}
	}

	/** Make steps until somebody says that it is over. */
	void run() {
		this.main = Thread.currentThread();
		pass(newStrand());
		awaitMain();
		for (Strand strand : List.copyOf(this.waiting)) {
			pass(strand);
			awaitMain();
		}
		for (Strand strand : List.copyOf(this.strands)) {
			if (!strand.ended) {
				pass(strand);
				awaitMain();
			}
		}
		if (this.failure != null) {
			throw new IllegalStateException("A step of the simulation failed at " + instant(), this.failure);
		}
	}

	void stop() {
		this.over = true;
	}

	private void awaitMain() {
		long seen = -1;
		long since = System.nanoTime();
		while (this.turn != null) {
			LockSupport.parkNanos(this, TimeUnit.MILLISECONDS.toNanos(200));
			if (this.steps != seen) {
				seen = this.steps;
				since = System.nanoTime();
			}
			else if (System.nanoTime() - since > PATIENCE.toNanos()) {
				IllegalStateException stuck = new IllegalStateException("A step of the simulation has not ended within "
						+ PATIENCE + ", at " + this.start.plusNanos(this.now));
				Strand strand = this.turn;
				if (strand != null) {
					stuck.setStackTrace(strand.getStackTrace());
				}
				throw stuck;
			}
		}
	}

	private Strand newStrand() {
		Strand strand = new Strand(this.strands.size());
		this.strands.add(strand);
		strand.start();
		return strand;
	}

	private void pass(@Nullable Strand next) {
		this.turn = next;
		LockSupport.unpark((next != null) ? next : this.main);
	}

	private @Nullable Event next() {
		while (!this.over) {
			Event event = this.events.poll();
			if (event == null) {
				fail(new IllegalStateException("Nothing is left to happen"));
				break;
			}
			Instance owner = event.owner;
			boolean gone = (event.strand != null) ? event.ticket != event.strand.ticket
					: owner != null && owner.isDead();
			if (event.cancelled || gone) {
				continue;
			}
			if (owner != null && !owner.isDead() && owner.pausedUntil() > event.at) {
				event.at = owner.pausedUntil();
				this.events.add(event);
				continue;
			}
			this.now = Math.max(this.now, event.at);
			this.steps++;
			return event;
		}
		return null;
	}

	/** What no production code may swallow. */
	void fail(Throwable error) {
		this.failure = (this.failure != null) ? this.failure : error;
		this.over = true;
	}

	private void run(Event event) {
		try {
			event.step.run();
		}
		catch (Death ex) {
			// nobody is there any more who could be told
		}
		catch (Throwable ex) {
			if (event.owner == null || !event.owner.isDead()) {
				fail(ex);
			}
		}
	}

	/**
	 * Wait, while others go on.
	 * @param time for how long at most; others may {@link #wake} this before
	 * @throws Death if the process does not live any more
	 */
	void sleep(Duration time) {
		if (isNested()) {
			throw new IllegalStateException("This step cannot wait");
		}
		Strand me = current();
		requireLife(me);
		resume(me, time.toNanos());
		this.waiting.add(me);
		sleepUntilResumed(me);
		this.waiting.remove(me);
		if (Thread.interrupted() || me.interrupted) {
			me.interrupted = false;
			me.interrupt();
		}
		requireLife(me);
	}

	private void requireLife(Strand me) {
		if (this.over || (me.owner != null && me.owner.isDead())) {
			throw new Death();
		}
	}

	private void sleepUntilResumed(Strand me) {
		Event event = next();
		while (event != null && event.strand != me) {
			if (event.strand != null || event.waits) {
				pass((event.strand != null) ? event.strand : idleStrand(event));
				me.awaitTurn();
				return;
			}
			this.nested = true;
			run(event);
			this.nested = false;
			event = next();
		}
		if (event == null) {
			pass(null);
			me.awaitTurn();
		}
	}

	private Strand idleStrand(Event event) {
		Strand strand = this.idle.isEmpty() ? newStrand() : this.idle.pop();
		strand.assigned = event;
		return strand;
	}

	/**
	 * Something that is to happen.
	 */
	static final class Event implements Comparable<Event>, Future<@Nullable Void> {

		private final @Nullable Instance owner;

		private final Runnable step;

		private final boolean waits;

		private final @Nullable Strand strand;

		private final long ticket;

		private long at;

		private int tie;

		private long number;

		private boolean cancelled;

		private Event(long at, @Nullable Instance owner, Runnable step, boolean waits, @Nullable Strand strand,
				long ticket) {
			this.at = at;
			this.owner = owner;
			this.step = step;
			this.waits = waits;
			this.strand = strand;
			this.ticket = ticket;
		}

		@Override
		public int compareTo(Event other) {
			int order = Long.compare(this.at, other.at);
			order = (order != 0) ? order : Integer.compare(this.tie, other.tie);
			return (order != 0) ? order : Long.compare(this.number, other.number);
		}

		@Override
		public boolean cancel(boolean mayInterruptIfRunning) {
			this.cancelled = true;
			return true;
		}

		@Override
		public boolean isCancelled() {
			return this.cancelled;
		}

		@Override
		public boolean isDone() {
			return this.cancelled;
		}

		@Override
		public @Nullable Void get() {
			throw new UnsupportedOperationException("Nobody waits for a timer");
		}

		@Override
		public @Nullable Void get(long timeout, TimeUnit unit) {
			return get();
		}

	}

	/**
	 * A thread, which runs when it is its turn.
	 */
	final class Strand extends Thread {

		private @Nullable Event assigned;

		private @Nullable Instance owner;

		/** Of the latest event that lets it go on: earlier ones do not count. */
		private long ticket;

		private volatile boolean interrupted;

		private boolean ended;

		private Strand(int number) {
			super("simulation-" + number);
			setDaemon(true);
		}

		@Override
		public void run() {
			awaitTurn();
			Event event = takeAssigned();
			while (event != null) {
				if (event.strand != null) {
					Timeline.this.idle.push(this);
					pass(event.strand);
					awaitTurn();
				}
				else {
					this.owner = event.owner;
					Timeline.this.run(event);
					this.owner = null;
					this.interrupted = false;
					Thread.interrupted();
				}
				event = takeAssigned();
			}
			this.ended = true;
			pass(null);
		}

		private @Nullable Event takeAssigned() {
			Event event = (this.assigned != null) ? this.assigned : next();
			this.assigned = null;
			return Timeline.this.over ? null : event;
		}

		private void awaitTurn() {
			while (Timeline.this.turn != this) {
				LockSupport.park(Timeline.this);
				if (Thread.interrupted()) {
					this.interrupted = true;
				}
			}
		}

	}

}
