package io.github.delayqueue.journal;

import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.TaskState;
import io.github.delayqueue.event.TaskEvents;
import io.github.delayqueue.store.Epoch;
import io.github.delayqueue.store.Generation;
import io.github.delayqueue.store.StoredTask;
import io.github.delayqueue.store.VersionedTaskStore;

/**
 * What a loader does for one queue: it sees whether the store has lost tasks, gives it
 * those that come within the horizon, and looks now and then after those that are
 * overdue. Any number of instances may do so at once: rows that one of them works on are
 * passed over by the others. Used by one thread at a time.
 */
final class Loading {

	private static final Logger logger = LoggerFactory.getLogger(Loading.class);

	/**
	 * Who has written a row hands it over within this time, if all goes well, and if it
	 * is due soon, marks it as well.
	 */
	static final Duration GRACE = Duration.ofSeconds(5);

	/** What is due within this time is due soon. */
	private static final Duration NEAR = Marks.BEFORE_DUE.minus(GRACE);

	/** All others are marked within this time, if all goes well: see {@link Marks}. */
	private static final Duration FAR_GRACE = Marks.MAX_AGE.multipliedBy(2);

	/** How often to look for those that are not due soon. */
	private static final Duration FAR_INTERVAL = Duration.ofSeconds(5);

	/** How often to look after tasks that are overdue. */
	private static final Duration SWEEP_INTERVAL = Duration.ofSeconds(30);

	/** A task that is overdue for so long may have been lost by the store. */
	private static final Duration SWEEP_AFTER = Duration.ofSeconds(30);

	/**
	 * Most batches of a sweep; the next one goes on with those not looked at for longest.
	 */
	private static final int SWEEP_BATCHES = 4;

	private final String queue;

	private final JournaledTaskStore journaled;

	private final VersionedTaskStore store;

	private final JournalTable table;

	private final Transactions transactions;

	private final Clock clock;

	private final TaskEvents events;

	private final int batchSize;

	private long sweepAt;

	/** When tasks that are not due soon were last looked for, by the clock. */
	private long othersAt;

	/** When that was done for all that somebody else might have handed over. */
	private long thoroughAt;

	/** Since when a loss is being made up for, in terms of {@link System#nanoTime()}. */
	private long restoringSince;

	private boolean restoring;

	private boolean deadRestored;

	private long restored;

	Loading(String queue, JournaledTaskStore journaled, TaskEvents events) {
		this.queue = queue;
		this.journaled = journaled;
		this.store = journaled.store();
		this.table = journaled.table();
		this.transactions = journaled.transactions();
		this.clock = journaled.journal().clock();
		this.batchSize = journaled.journal().batchSize();
		this.events = events;
		this.sweepAt = System.nanoTime() + SWEEP_INTERVAL.toNanos();
	}

	void round() {
		for (String partition : this.store.partitions(this.queue)) {
			long since = System.nanoTime();
			if (beat(partition) && !this.restoring) {
				this.restoring = true;
				this.restoringSince = since;
				this.restored = 0;
			}
		}
		load();
		if (this.restoring || !this.deadRestored) {
			// also at first: whoever noticed a loss may have died since
			restoreDead();
			this.deadRestored = true;
		}
		if (this.restoring) {
			restored();
		}
		if (System.nanoTime() - this.sweepAt >= 0) {
			sweep();
			this.sweepAt = System.nanoTime() + SWEEP_INTERVAL.toNanos();
		}
		this.journaled.lookup().refresh(this.queue);
	}

	/**
	 * Compare the store with what is remembered of it.
	 * @return whether it has lost tasks, or may have
	 */
	private boolean beat(String partition) {
		long renewedBefore = this.clock.millis() - this.journaled.journal().loadInterval().toMillis() / 2;
		Epoch lost = this.transactions.write(this.queue, (later) -> {
			Optional<Epoch> remembered = this.table.loader().lockEpoch(partition, renewedBefore);
			if (remembered.isEmpty()) {
				return null;
			}
			Epoch before = remembered.get();
			Epoch now = this.store.beat(partition, before, UUID.randomUUID().toString());
			if (now.incarnation().equals(before.incarnation())) {
				this.table.loader().remember(partition, now);
				return null;
			}
			if (!before.incarnation().isEmpty()) {
				logger.warn("Redis has lost tasks of queue '{}' (it was emptied or exchanged, or is an older copy): "
						+ "they are restored from the journal", this.queue);
			}
			return now;
		});
		if (lost == null) {
			return false;
		}
		// At the first beat as well: what was handed over before it may have been lost
		// since. Only when all is done the loss is forgotten: if this process dies,
		// another one does it again
		this.journaled.marks().forget(this.queue);
		this.journaled.reset().all(this.queue);
		this.transactions.write(this.queue, (later) -> {
			this.table.loader().remember(partition, lost);
			return true;
		});
		return true;
	}

	private void load() {
		long now = this.clock.millis();
		long horizon = this.journaled.handOver().untilMillis();
		if (this.restoring) {
			// nothing is being handed over by somebody else that would be worth waiting
			// for
			load(horizon, Long.MAX_VALUE);
			return;
		}
		long near = Math.min(now + NEAR.toMillis(), horizon);
		load(near, now - GRACE.toMillis());
		if (near < horizon && isTimeForOthers(now)) {
			boolean thorough = isThorough();
			load(horizon, now - (thorough ? GRACE : FAR_GRACE).toMillis());
			this.othersAt = now;
			this.thoroughAt = thorough ? now : this.thoroughAt;
		}
	}

	private boolean isTimeForOthers(long now) {
		return now - this.othersAt >= FAR_INTERVAL.toMillis() || now < this.othersAt;
	}

	/**
	 * Whether there may be tasks that nobody has handed over: after a start, because
	 * others may have died, and after this instance could not.
	 */
	private boolean isThorough() {
		OptionalLong failedAt = this.journaled.handOver().failedAt(this.queue);
		return this.thoroughAt == 0
				|| (failedAt.isPresent() && this.thoroughAt <= failedAt.getAsLong() + GRACE.toMillis());
	}

	private void load(long until, long untouchedSince) {
		int loaded;
		do {
			loaded = this.transactions.write(this.queue, (later) -> {
				List<Row> rows = this.table.loader().takeWaiting(this.queue, until, untouchedSince, this.batchSize);
				if (!rows.isEmpty()) {
					List<Boolean> missing = handOver(rows);
					this.restored += count(missing);
					this.table.mark(this.queue, keys(rows), RowState.WAITING, RowState.HANDED);
				}
				return rows.size();
			});
		}
		while (loaded > 0);
	}

	/**
	 * Hand rows over, and look at what the store would not take: mostly it has it.
	 * @return for each whether the store did not have it
	 */
	private List<Boolean> handOver(List<Row> rows) {
		List<Boolean> missing = this.journaled.handOver().rows(this.queue, rows);
		for (int i = 0; i < rows.size(); i++) {
			Row row = rows.get(i);
			boolean worthALook = row.state() == RowState.HANDED || row.failure() != null;
			if (!missing.get(i) && worthALook && row.state() != RowState.DEAD) {
				this.store.find(this.queue, row.taskId()).ifPresent((known) -> agree(row, known));
			}
		}
		return missing;
	}

	/** What a crash, or a clock that was ahead, has left differently here and there. */
	private void agree(Row row, StoredTask known) {
		long generation = (known.envelope() != null) ? Generation.of(known.envelope()).orElse(-1) : -1;
		if (generation > row.generation()) {
			// of a task that was finished before, by a clock that was ahead
			long higher = Generation.next(generation, this.clock.instant());
			this.table.move(this.queue, row.taskId(), row.generation(), higher, row.dueMillis());
			this.journaled.handOver()
				.rows(this.queue, List.of(new Row(row.taskId(), higher, row.dueMillis(), row.priority(), row.envelope(),
						row.state(), row.failure())));
		}
		else if (known.state() == TaskState.DEAD) {
			if (row.failure() != null && Arrays.equals(row.failure(), known.failure())) {
				// redriven, and the store has not learnt of it
				this.store.redrive(this.queue, List.of(row.taskId()));
			}
			else {
				this.table.bury(this.queue, new Key(row.taskId(), row.generation()), known.failure());
			}
		}
	}

	/**
	 * Those that the store does not have come back as due, and are buried again when they
	 * are claimed.
	 */
	private void restoreDead() {
		List<Row> rows = List.of();
		do {
			String after = rows.isEmpty() ? "" : rows.get(rows.size() - 1).taskId();
			rows = this.transactions.read(this.queue,
					() -> this.table.loader().dead(this.queue, after, Long.MAX_VALUE, this.batchSize));
			if (!rows.isEmpty()) {
				this.restored += count(this.journaled.handOver().rows(this.queue, rows));
			}
		}
		while (!rows.isEmpty());
	}

	private void restored() {
		this.restoring = false;
		long tasks = this.restored;
		if (tasks > 0) {
			Duration took = Duration.ofNanos(System.nanoTime() - this.restoringSince);
			logger.info("{} tasks of queue '{}' were restored from the journal in {} ms", tasks, this.queue,
					took.toMillis());
			this.events.publish((listener) -> listener.onRestore(this.queue, tasks, took));
		}
	}

	/**
	 * Look after what is overdue, as {@link #round()} does now and then. It may just have
	 * to wait for a worker: the store keeps what it has.
	 */
	void sweep() {
		int swept = this.batchSize;
		for (int i = 0; i < SWEEP_BATCHES && swept == this.batchSize; i++) {
			long now = this.clock.millis();
			swept = this.transactions.write(this.queue, (later) -> {
				List<Row> rows = this.table.loader()
					.takeHanded(this.queue, now - SWEEP_AFTER.toMillis(), now - SWEEP_AFTER.toMillis(), this.batchSize);
				if (!rows.isEmpty()) {
					sweep(rows);
				}
				return rows.size();
			});
		}
	}

	private void sweep(List<Row> rows) {
		long found = count(handOver(rows));
		this.table.mark(this.queue, keys(rows), RowState.HANDED, RowState.HANDED);
		if (found > 0) {
			logger.warn("{} tasks of queue '{}' were overdue and unknown to Redis; it has them again", found,
					this.queue);
			this.events.publish((listener) -> listener.onRestore(this.queue, found, Duration.ZERO));
		}
	}

	private static long count(List<Boolean> flags) {
		return flags.stream().filter(Boolean::booleanValue).count();
	}

	private static List<Key> keys(List<Row> rows) {
		return rows.stream().map((row) -> new Key(row.taskId(), row.generation())).toList();
	}

}
