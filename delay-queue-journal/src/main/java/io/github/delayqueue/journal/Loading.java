package io.github.delayqueue.journal;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.TaskState;
import io.github.delayqueue.event.TaskEvents;
import io.github.delayqueue.roles.DueSpan;
import io.github.delayqueue.roles.Epoch;
import io.github.delayqueue.roles.Generation;
import io.github.delayqueue.roles.QueueControl;
import io.github.delayqueue.store.StoredTask;

/**
 * What a loader does for one queue: it sees whether the store has lost tasks, and hands
 * over those that are to be looked at. Instances pass over rows that another one has
 * taken.
 */
final class Loading extends JournalAccess {

	private static final Logger logger = LoggerFactory.getLogger(Loading.class);

	private final String queue;

	private final TaskEvents events;

	/** Since when a loss is being made up for, as {@link System#nanoTime()}. */
	private long restoringSince;

	private long restoringUntil;

	private boolean restoring;

	private long restored;

	private boolean farFirst;

	private LookedAt lookedAt = LookedAt.NOTHING;

	private volatile boolean stopped;

	Loading(String queue, JournalParts parts, TaskEvents events) {
		super(parts);
		this.queue = queue;
		this.events = events;
	}

	/** Take no more than is taken already. Called by any thread. */
	void stop() {
		this.stopped = true;
	}

	/** What need not be looked at again: nothing if all is to be. */
	LookedAt lookedAt(boolean all) {
		this.lookedAt = all ? LookedAt.NOTHING : this.lookedAt.at(this.clock.millis());
		return this.lookedAt;
	}

	/**
	 * Renewed epochs are collected, which costs less for many, until something may take
	 * longer.
	 */
	void work(QueueWork work, Consumer<RememberedEpoch> renewed, Runnable longer) {
		for (RememberedEpoch claimed : work.claimed()) {
			if (beat(claimed, longer)) {
				renewed.accept(claimed);
			}
		}
		if (work.loads() || this.rechecks.isWanted(this.queue)) {
			// another thread may hold the epoch that has just been refused
			this.parts.ownership().require(this.queue);
			longer.run();
			this.rechecks.wanted(this.queue);
			load();
		}
	}

	/** Whether the store has lost nothing, and this beat is the only news. */
	private boolean beat(RememberedEpoch claimed, Runnable longer) {
		Epoch before = claimed.epoch();
		long since = System.nanoTime();
		Epoch now = this.parts.ownership().beat(claimed.partition(), before, UUID.randomUUID().toString());
		boolean renewed = now.incarnation().equals(before.incarnation()) && now.beat() == before.beat() + 1;
		if (!renewed) {
			learn(claimed.partition(), before, now, since, longer);
		}
		return renewed;
	}

	private void learn(String partition, Epoch before, Epoch now, long since, Runnable longer) {
		LoaderTable loader = this.table.loader();
		if (now.incarnation().equals(before.incarnation())) {
			write(() -> loader.remember(partition, before, now));
			return;
		}
		// Another incarnation stays another one for everybody until it is remembered: if
		// this process dies before all is done, the next one does it again
		boolean known = !before.incarnation().isEmpty();
		if (known) {
			logger.warn("Redis has lost tasks of queue '{}' (it was emptied or exchanged, or is an older copy): "
					+ "they are restored from the journal", this.queue);
		}
		longer.run();
		long lostAt = this.rechecks.all(this.queue, () -> loader.holdEpoch(partition, LoaderTable.CLAIM));
		write(() -> loader.remember(partition, before, now));
		if (known) {
			this.restoringSince = this.restoring ? this.restoringSince : since;
			this.restored = this.restoring ? this.restored : 0;
			this.restoringUntil = lostAt + 1;
			this.restoring = true;
		}
	}

	private <T> T write(Supplier<T> step) {
		return this.transactions.loading(this.queue, step);
	}

	private void load() {
		if (this.rechecks.isDone(this.queue)) {
			this.lookedAt = LookedAt.NOTHING;
		}
		long before = this.clock.millis();
		for (List<Row> rows = take(); !rows.isEmpty(); rows = take()) {
			this.lookedAt = this.lookedAt.and(rows);
			before = this.clock.millis();
			handOver(rows);
			if (this.stopped) {
				return;
			}
			long checkMillis = rows.get(rows.size() - 1).checkMillis();
			// far rows say nothing of others if it was their turn
			if (checkMillis > this.restoringUntil && !(this.farFirst && CheckTimes.isFar(checkMillis))) {
				restored();
			}
		}
		this.lookedAt = LookedAt.everythingAt(before);
		restored();
	}

	/** However many come within the horizon, others have their turn, and they have it. */
	private List<Row> take() {
		this.farFirst = !this.farFirst;
		return write(() -> this.table.loader()
			.take(this.queue, this.parts.journal().batchSize(), this.farFirst, this.lookedAt));
	}

	private void handOver(List<Row> rows) {
		try {
			Set<Key> missing = this.handOver.rows(this.queue, rows);
			Map<Boolean, List<Row>> known = rows.stream()
				.collect(Collectors.partitioningBy((row) -> !missing.contains(row.key())));
			count(known.get(false));
			List<Key> resting = keys(known.get(true).stream().filter(Row::dead).toList());
			if (!resting.isEmpty()) {
				write(() -> this.table.loader().rest(this.queue, resting));
			}
			for (Row row : known.get(true)) {
				// mostly it has it, and a look costs a call
				boolean worthALook = row.dueMillis() <= this.clock.millis() || row.failure() != null;
				if (worthALook && !row.dead()) {
					this.store.find(this.queue, row.taskId()).ifPresent((task) -> agree(row, task));
				}
			}
		}
		catch (RuntimeException ex) {
			this.handOver.failed(this.queue, rows.size(), ex);
			this.lookedAt = LookedAt.NOTHING;
			giveBack(rows, ex);
			throw ex;
		}
	}

	private void giveBack(List<Row> rows, Throwable error) {
		try {
			this.rechecks.giveBack(this.queue, keys(rows));
		}
		catch (RuntimeException ex) {
			error.addSuppressed(ex);
		}
	}

	private void count(List<Row> missing) {
		long found = 0;
		for (Row row : missing) {
			if (this.restoring && row.checkMillis() <= this.restoringUntil) {
				this.restored++;
			}
			else if (!CheckTimes.isFar(row.checkMillis())
					&& row.checkMillis() >= row.dueMillis() + CheckTimes.OVERDUE.toMillis()) {
				// only what was handed over is looked at so late
				found++;
			}
		}
		if (found > 0) {
			long tasks = found;
			logger.warn("{} tasks of queue '{}' were overdue and unknown to Redis; it has them again", tasks,
					this.queue);
			this.events.publish((listener) -> listener.onRestore(this.queue, tasks, Duration.ZERO));
		}
	}

	/** What a crash, or a clock that was ahead, has left differently here and there. */
	private void agree(Row row, StoredTask known) {
		long generation = Row.generation(known);
		if (generation > row.generation()) {
			// of a task that was finished before, by a clock that was ahead
			long higher = Generation.above(generation, this.clock.instant());
			boolean moved = write(() -> this.table.move(this.queue, row.taskId(), row.generation(), higher,
					row.dueMillis(), false, true));
			if (moved) {
				this.handOver.rows(this.queue, List.of(row.withGeneration(higher)));
			}
		}
		else if (known.state() == TaskState.DEAD) {
			if (row.failure() != null && Arrays.equals(row.failure(), known.failure())) {
				// redriven, and the store has not learnt of it
				Duration delay = Duration.ofMillis(Math.max(0, row.dueMillis() - this.clock.earliest().toEpochMilli()));
				QueueControl.of(this.store)
					.redrive(this.queue, List.of(row.taskId()),
							new DueSpan((delay.compareTo(DueSpan.MAX) < 0) ? delay : DueSpan.MAX, Duration.ZERO));
			}
			else {
				write(() -> this.table.deadLetter(this.queue, row.key(), known.failure()));
			}
		}
	}

	private void restored() {
		if (!this.restoring) {
			return;
		}
		this.restoring = false;
		long tasks = this.restored;
		if (tasks > 0) {
			Duration took = Duration.ofNanos(System.nanoTime() - this.restoringSince);
			logger.info("{} tasks of queue '{}' were restored from the journal in {} ms", tasks, this.queue,
					took.toMillis());
			this.events.publish((listener) -> listener.onRestore(this.queue, tasks, took));
		}
	}

	private static List<Key> keys(List<Row> rows) {
		return rows.stream().map(Row::key).toList();
	}

}
