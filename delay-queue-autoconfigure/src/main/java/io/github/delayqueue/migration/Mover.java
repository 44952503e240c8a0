package io.github.delayqueue.migration;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves the entries of one source, some with each round. Not for several threads at once.
 */
final class Mover {

	private static final Logger logger = LoggerFactory.getLogger(Mover.class);

	/** Entries that cannot be moved are passed by, but not too many in a round. */
	private static final int LOOKS_PER_MOVE = 10;

	private final Migration migration;

	private final MovingArea area;

	private final Reader reader;

	private final HandingOver handingOver;

	private final BooleanSupplier stopping;

	private final List<Place> places;

	/** By place: how many entries at its beginning are there to stay. */
	private final Map<Place, Long> skipped = new HashMap<>();

	/** By place: how many of all its entries were there to stay. */
	private final Map<Place, Long> unreadable = new ConcurrentHashMap<>();

	private volatile long unreadableRecords;

	Mover(Migration migration, MovingArea area, Reader reader, HandingOver handingOver, BooleanSupplier stopping) {
		this.migration = migration;
		this.area = area;
		this.reader = reader;
		this.handingOver = handingOver;
		this.stopping = stopping;
		this.places = migration.source().places();
	}

	/**
	 * Resume what is in the moving area, and move some entries more, unless another
	 * instance does so.
	 * @param limit how many entries to take at most
	 * @return how many entries have arrived
	 */
	long round(int limit) {
		if (!this.area.hold()) {
			return 0;
		}
		try {
			long arrived = resume();
			int left = limit;
			for (Place place : this.places) {
				if (left > 0 && !this.stopping.getAsBoolean()) {
					int moved = move(place, left);
					left -= moved;
					arrived += moved;
				}
			}
			return arrived;
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

	private long resume() {
		List<MovingRecord> records = this.area.records();
		long unreadable = 0;
		List<Taken> taken = new ArrayList<>();
		List<MovingRecord> stored = new ArrayList<>();
		for (MovingRecord record : records) {
			if (record.state() == MovingRecord.State.STORED) {
				stored.add(record);
				continue;
			}
			boolean due = record.state() == MovingRecord.State.TAKEN_DUE;
			Candidate candidate = this.reader.read(record.key(), record.content(), due);
			if (candidate != null) {
				taken.add(new Taken(candidate, dueAt(record.score())));
			}
			else {
				unreadable++;
			}
		}
		this.unreadableRecords = unreadable;
		long arrived = this.handingOver.resume(stored, (record) -> dueAt(record.score()));
		for (int from = 0; from < taken.size(); from += HandingOver.MAX_BATCH) {
			arrived += this.handingOver
				.handOver(taken.subList(from, Math.min(taken.size(), from + HandingOver.MAX_BATCH)));
		}
		return arrived;
	}

	private int move(Place place, int limit) {
		int moved = 0;
		int looks = limit * LOOKS_PER_MOVE;
		while (moved < limit && looks > 0 && !this.stopping.getAsBoolean()) {
			long skip = this.skipped.getOrDefault(place, 0L);
			int size = limit - moved;
			List<byte[]> page = this.area.on((connection) -> place.page(connection, skip, size));
			if (page.isEmpty()) {
				this.unreadable.put(place, skip);
				this.skipped.put(place, 0L);
				return moved;
			}
			looks -= page.size();
			List<Taken> taken = take(place, skip + page.size(), page);
			this.handingOver.handOver(taken);
			moved += taken.size();
			this.skipped.put(place, skip + page.size() - taken.size());
		}
		return moved;
	}

	private List<Taken> take(Place place, long depth, List<byte[]> page) {
		List<Candidate> candidates = new ArrayList<>();
		for (byte[] member : distinct(place, page)) {
			String key = place.isDue() ? EntryKeys.next() : EntryKeys.of(member);
			Candidate candidate = this.reader.read(key, member, place.isDue());
			if (candidate != null) {
				candidates.add(candidate);
			}
		}
		if (candidates.isEmpty()) {
			return List.of();
		}
		List<@Nullable String> scores = this.area.take(place, depth, candidates);
		List<Taken> taken = new ArrayList<>();
		for (int i = 0; i < candidates.size(); i++) {
			String score = scores.get(i);
			if (score != null) {
				taken.add(new Taken(candidates.get(i), dueAt(score)));
			}
		}
		this.handingOver.after(Step.TAKEN);
		return taken;
	}

	/** Of those with a due time, none is there twice; of those that are due, some may. */
	private static Iterable<byte[]> distinct(Place place, List<byte[]> page) {
		if (place.isDue()) {
			return page;
		}
		Map<ByteBuffer, byte[]> distinct = new LinkedHashMap<>();
		page.forEach((member) -> distinct.putIfAbsent(ByteBuffer.wrap(member), member));
		return distinct.values();
	}

	private Instant dueAt(String score) {
		return Scores.dueAt(score, this.migration.source().millisPerScore());
	}

	/**
	 * Look at all entries without taking any.
	 * @param pageSize how many to look at with each call
	 * @return how many could be moved, and how many not
	 */
	Count count(int pageSize) {
		long readable = 0;
		long unreadable = 0;
		for (Place place : this.places) {
			if (!place.holdsAll()) {
				continue;
			}
			long seen = 0;
			long bad = 0;
			while (!this.stopping.getAsBoolean()) {
				long from = seen;
				List<byte[]> page = this.area.on((connection) -> place.page(connection, from, pageSize));
				if (page.isEmpty()) {
					break;
				}
				long good = page.stream()
					.filter((member) -> this.reader.read(EntryKeys.of(member), member, place.isDue()) != null)
					.count();
				readable += good;
				bad += page.size() - good;
				seen += page.size();
			}
			unreadable += bad;
			this.unreadable.put(place, bad);
		}
		return new Count(readable, unreadable);
	}

	MigrationProgress progress() {
		long left = this.area.on((connection) -> this.places.stream()
			.filter(Place::holdsAll)
			.mapToLong((place) -> place.size(connection))
			.sum());
		long unreadable = this.unreadableRecords + this.unreadable.entrySet()
			.stream()
			.filter((place) -> place.getKey().holdsAll())
			.mapToLong(Map.Entry::getValue)
			.sum();
		return new MigrationProgress(this.migration.from(), this.migration.to(),
				this.area.total(MovingArea.Total.MOVED), this.area.total(MovingArea.Total.KNOWN), left,
				this.area.size(), unreadable);
	}

	/**
	 * What was found.
	 *
	 * @param readable how many entries could be moved
	 * @param unreadable how many could not
	 */
	record Count(long readable, long unreadable) {

	}

}
