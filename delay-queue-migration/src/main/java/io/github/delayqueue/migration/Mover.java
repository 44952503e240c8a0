package io.github.delayqueue.migration;

import java.time.Instant;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.DuplicatePolicy;
import io.github.delayqueue.StoreUnavailableException;
import io.github.delayqueue.migration.MovingArea.LockLostException;
import io.github.delayqueue.migration.MovingArea.MovingRecord;
import io.github.delayqueue.producer.ScheduleResult;
import io.github.delayqueue.producer.TaskRequest;

/**
 * Moves the entries of one source, some with each round. An entry is taken into the
 * moving area, scheduled, and dropped there; what a round finds there it schedules once
 * more, under the same id. So nothing is lost, whenever a process ends. What the queue
 * has handled and forgotten before its record was dropped is delivered twice then.
 */
final class Mover implements Runnable {

	private static final Logger logger = LoggerFactory.getLogger(Mover.class);

	/** Entries that cannot be moved are passed by, but not too many in a round. */
	private static final int LOOKS_PER_MOVE = 10;

	private final Migration migration;

	private final Source source;

	private final MovingArea area;

	private final Destination destination;

	private final MigrationSettings settings;

	private final MigrationReport report;

	private final BooleanSupplier running;

	/** How many entries at the beginning of a place are there to stay. */
	private final Map<Source.Place, Long> passed = new HashMap<>();

	/** How many of all entries of a place were there to stay. */
	private final Map<Source.Place, Long> unreadable = new ConcurrentHashMap<>();

	private volatile long unreadableRecords;

	/** Of a dry run: whether it is over. */
	private volatile boolean counted;

	Mover(Migration migration, MovingArea area, Destination destination, MigrationSettings settings,
			MigrationReport report, BooleanSupplier running) {
		this.migration = migration;
		this.source = migration.source();
		this.area = area;
		this.destination = destination;
		this.settings = settings;
		this.report = report;
		this.running = running;
	}

	/** The runner has been started, perhaps once more. */
	Mover begin() {
		this.counted = false;
		return this;
	}

	/**
	 * Nothing may end it but being stopped. A round may outlast the stop of its runner,
	 * and the lock does not tell it from the first one of a runner that starts again.
	 */
	@Override
	public synchronized void run() {
		try {
			if (!this.settings.dryRun()) {
				this.report.succeeded(round(this.settings.batchSize()), this::progress);
			}
			else if (!this.counted) {
				// once, but as often as it takes
				long readable = count(this.settings.batchSize());
				this.counted = this.running.getAsBoolean();
				if (this.counted) {
					this.report.counted(readable, unreadable());
				}
			}
		}
		catch (Throwable ex) {
			this.report.failed(ex, this.settings.interval());
		}
	}

	/** Says how many have arrived; nothing is done while another instance does it. */
	private long round(int limit) {
		if (!this.area.hold()) {
			return 0;
		}
		try {
			long resumed = resume();
			int moved = 0;
			for (Source.Place place : this.source.places()) {
				moved += move(place, limit - moved);
			}
			return resumed + moved;
		}
		catch (LockLostException ex) {
			return 0;
		}
		finally {
			letGo();
		}
	}

	private void letGo() {
		try {
			this.area.letGo();
		}
		catch (RuntimeException ex) {
			// what was thrown before is what matters; the lock runs out by itself
			logger.debug("The lock of '{}' could not be given back", this.migration.from(), ex);
		}
	}

	/**
	 * One at a time: of many, some might be scheduled whenever one fails, be handled, and
	 * be scheduled again by the next round.
	 */
	private long resume() {
		long arrived = 0;
		long unreadable = 0;
		for (MovingRecord record : this.area.records()) {
			TaskRequest.Builder task = read(record.key(), record.content(), record.due());
			if (task == null) {
				unreadable++;
				continue;
			}
			// the reader may have taken long
			this.area.keep();
			arrived += schedule(Map.of(record.key(), task.dueAt(this.source.dueAt(record.score())).build()), true);
		}
		this.unreadableRecords = unreadable;
		return arrived;
	}

	private int move(Source.Place place, int limit) {
		int moved = 0;
		int looks = limit * LOOKS_PER_MOVE;
		while (moved < limit && looks > 0 && this.running.getAsBoolean()) {
			long passed = this.passed.getOrDefault(place, 0L);
			List<byte[]> page = this.area.page(place, passed, limit - moved);
			if (page.isEmpty()) {
				this.unreadable.put(place, passed);
				this.passed.remove(place);
				return moved;
			}
			looks -= page.size();
			Map<String, TaskRequest> taken = take(place, passed + page.size(), page);
			schedule(taken, false);
			moved += taken.size();
			this.passed.put(place, passed + page.size() - taken.size());
		}
		return moved;
	}

	private Map<String, TaskRequest> take(Source.Place place, long depth, List<byte[]> page) {
		Map<String, byte[]> members = new LinkedHashMap<>();
		Map<String, TaskRequest.Builder> builders = new HashMap<>();
		for (byte[] member : page) {
			// of those that are due, some may be there several times
			String key = place.due() ? UUID.randomUUID().toString().replace("-", "") : MovingArea.keyOf(member);
			TaskRequest.Builder task = read(key, member, place.due());
			if (task != null) {
				members.put(key, member);
				builders.put(key, task);
			}
		}
		Map<String, TaskRequest> taken = new LinkedHashMap<>();
		if (!members.isEmpty()) {
			// the reader may have taken long; if nobody else came, it is ours again
			if (!this.area.hold()) {
				throw new LockLostException();
			}
			this.area.take(place, depth, members)
				.forEach((key, score) -> taken.put(key, builders.get(key).dueAt(this.source.dueAt(score)).build()));
		}
		return taken;
	}

	/** Makes a task without its due time; {@code null} if there can be none. */
	private TaskRequest.@Nullable Builder read(String key, byte[] member, boolean due) {
		try {
			byte[] value = due ? member : this.source.unpack().apply(member);
			TaskRequest.Builder task = this.migration.tasks().read(key, value, this.area);
			task.onDuplicate(DuplicatePolicy.REJECT);
			this.destination.check(task.dueAt(Instant.EPOCH).build());
			return task;
		}
		catch (StoreUnavailableException ex) {
			// which says nothing of the entry
			throw ex;
		}
		// also what a codec throws whose classes are gone
		catch (Exception | LinkageError ex) {
			if (ex instanceof InterruptedException) {
				Thread.currentThread().interrupt();
			}
			this.report.unreadable(member, ex);
			return null;
		}
	}

	/** Says how many have arrived, of tasks that have, perhaps, been scheduled before. */
	private long schedule(Map<String, TaskRequest> tasks, boolean again) {
		if (tasks.isEmpty()) {
			return 0;
		}
		Iterator<ScheduleResult> results = this.destination.operations()
			.scheduleAll(List.copyOf(tasks.values()))
			.iterator();
		Map<Boolean, List<String>> moved = tasks.keySet()
			.stream()
			.collect(Collectors.partitioningBy((key) -> results.next().isAccepted() || again));
		drop(MovingArea.KNOWN, moved.get(false));
		return drop(MovingArea.MOVED, moved.get(true));
	}

	private long drop(String total, List<String> keys) {
		return keys.isEmpty() ? 0 : this.area.drop(total, keys);
	}

	/** Looks at all entries without taking any, and says how many could be moved. */
	private long count(int pageSize) {
		long readable = 0;
		for (Source.Place place : this.source.countedPlaces()) {
			long seen = 0;
			long good = 0;
			for (List<byte[]> page = this.area.page(place, 0, pageSize); !page.isEmpty()
					&& this.running.getAsBoolean(); page = this.area.page(place, seen, pageSize)) {
				seen += page.size();
				good += page.stream()
					.filter((member) -> read(MovingArea.keyOf(member), member, place.due()) != null)
					.count();
			}
			readable += good;
			this.unreadable.put(place, seen - good);
		}
		return readable;
	}

	/** How many entries were there to stay. */
	private long unreadable() {
		return this.source.countedPlaces().stream().mapToLong((place) -> this.unreadable.getOrDefault(place, 0L)).sum();
	}

	MigrationProgress progress() {
		return new MigrationProgress(this.migration.from(), this.migration.to(), this.area.total(MovingArea.MOVED),
				this.area.total(MovingArea.KNOWN),
				this.source.countedPlaces().stream().mapToLong(this.area::size).sum(), this.area.size(),
				this.unreadableRecords + unreadable());
	}

}
