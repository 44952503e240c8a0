package io.github.delayqueue.journal;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.Names;
import io.github.delayqueue.convert.TaskCodec;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.ClaimResult;
import io.github.delayqueue.store.ClaimedRecord;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.Generation;
import io.github.delayqueue.store.Partitions;
import io.github.delayqueue.store.Settlement;
import io.github.delayqueue.store.Settlement.Action;
import io.github.delayqueue.store.StoredTask;
import io.github.delayqueue.store.TaskStore;

/**
 * Claims and settlements of queues with a journal: nothing is delivered that the journal
 * does not have in this generation, and what has been handled leaves the journal before
 * it leaves the store. Thread-safe.
 */
final class Deliveries {

	private static final Logger logger = LoggerFactory.getLogger(Deliveries.class);

	private final TaskStore store;

	private final JournalTable table;

	private final Transactions transactions;

	private final Marks marks;

	private final Clock clock;

	private final Claimed claimed = new Claimed();

	/** The last check failed: ask the database before tasks are claimed in vain. */
	private volatile boolean suspect;

	Deliveries(TaskStore store, JournalTable table, Transactions transactions, Marks marks, Clock clock) {
		this.store = store;
		this.table = table;
		this.transactions = transactions;
		this.marks = marks;
		this.clock = clock;
	}

	ClaimResult claim(String partition, ClaimRequest request) {
		String queue = Partitions.queue(partition);
		if (this.suspect) {
			this.transactions.apart(queue, () -> {
				this.table.probe();
				return true;
			});
		}
		ClaimResult result = this.store.claim(partition, request);
		Instant answered = this.clock.instant();
		if (!result.purged().isEmpty()) {
			forgetPurged(queue, result.purged());
		}
		List<ClaimedRecord> tasks = result.tasks().isEmpty() ? List.of()
				: check(partition, queue, request.token(), result);
		return answer(result, tasks, Duration.between(answered, this.clock.instant()));
	}

	/** The answer of the store, as it would be if it had come only now. */
	private static ClaimResult answer(ClaimResult result, List<ClaimedRecord> tasks, Duration since) {
		Duration wakeIn = result.wakeIn();
		if (since.isNegative() || since.isZero()) {
			since = Duration.ZERO;
		}
		else if (wakeIn != null && !wakeIn.isZero()) {
			// zero would mean that there is more already
			wakeIn = (wakeIn.compareTo(since) > 0) ? wakeIn.minus(since) : Duration.ofNanos(1000);
		}
		return new ClaimResult(tasks, result.now().plus(since), wakeIn, result.paused(), result.purged(),
				result.orphans(), result.partitions(), result.untrimmed(), result.leaves());
	}

	private void forgetPurged(String queue, List<String> ids) {
		try {
			for (int first = 0; first < ids.size(); first += TaskStore.MAX_BATCH) {
				List<String> batch = ids.subList(first, Math.min(first + TaskStore.MAX_BATCH, ids.size()));
				this.transactions.apart(queue, () -> this.table.deleteDead(queue, batch));
			}
		}
		catch (RuntimeException ex) {
			// then they are restored, and purged once more
			logger.warn("{} dead tasks of queue '{}' that were purged are still in the journal: {}", ids.size(), queue,
					Names.printable(ex));
		}
	}

	private List<ClaimedRecord> check(String partition, String queue, String token, ClaimResult result) {
		List<ClaimedRecord> tasks = result.tasks();
		Map<String, Version> versions;
		try {
			List<String> ids = tasks.stream().map(ClaimedRecord::id).toList();
			versions = this.transactions.apart(queue, this.table.isAutoCommit(), () -> this.table.versions(queue, ids));
			this.suspect = false;
		}
		catch (RuntimeException ex) {
			this.suspect = true;
			giveBack(partition, token, tasks, ex);
			throw ex;
		}
		List<ClaimedRecord> valid = new ArrayList<>(tasks.size());
		List<Settlement> others = new ArrayList<>();
		for (ClaimedRecord record : tasks) {
			OptionalLong generation = Generation.of(record.envelope());
			Version version = versions.get(record.id());
			if (generation.isEmpty()) {
				// from before the queue had a journal
				valid.add(record);
			}
			else if (version == null || version.generation() != generation.getAsLong()) {
				others.add(Settlement.drop(record.id(), token));
			}
			else if (version.state() == RowState.DEAD) {
				others.add(Settlement.bury(record.id(), token, false, version.failure()));
			}
			else if (isRunDone(record, version) && version.dueMillis() > result.now().toEpochMilli()) {
				// the store has not learnt of it
				others.add(Settlement.skip(record.id(), token, false, null, dueAt(version)));
			}
			else {
				this.claimed.put(queue, record.id(), token, version.generation());
				valid.add(unmarked(isRunDone(record, version) ? nextRun(record, version) : record));
			}
		}
		if (!others.isEmpty()) {
			settleInvalid(partition, others);
		}
		return valid;
	}

	/**
	 * Whether this run of a recurring task was handled, and the next one is due later.
	 */
	private static boolean isRunDone(ClaimedRecord record, Version version) {
		return version.dueMillis() > record.dueAt().toEpochMilli()
				&& TaskCodec.isRecurring(Generation.unmark(record.envelope()));
	}

	private static ClaimedRecord nextRun(ClaimedRecord record, Version version) {
		return new ClaimedRecord(record.id(), record.envelope(), record.priority(), dueAt(version), 0,
				record.expiries(), record.leaseExpired());
	}

	private static Instant dueAt(Version version) {
		return Instant.ofEpochMilli(version.dueMillis());
	}

	private static ClaimedRecord unmarked(ClaimedRecord record) {
		return new ClaimedRecord(record.id(), Generation.unmark(record.envelope()), record.priority(), record.dueAt(),
				record.failures(), record.expiries(), record.leaseExpired());
	}

	/** What fails here is claimed again when its lease runs out, and judged anew. */
	private void settleInvalid(String partition, List<Settlement> settlements) {
		try {
			this.store.settle(partition, settlements);
			logger.debug("{} tasks of {} that are no longer in the journal, or dead, were not delivered",
					settlements.size(), partition);
		}
		catch (RuntimeException ex) {
			logger.debug("{} tasks of {} that are not to be delivered stay in flight until their leases run out",
					settlements.size(), partition, ex);
		}
	}

	private void giveBack(String partition, String token, List<ClaimedRecord> tasks, RuntimeException error) {
		try {
			this.store.settle(partition,
					tasks.stream().map((task) -> Settlement.release(task.id(), token, null)).toList());
		}
		catch (RuntimeException ex) {
			error.addSuppressed(ex);
		}
	}

	List<Boolean> settle(String partition, List<Settlement> wanted) {
		String queue = Partitions.queue(partition);
		List<Settlement> settlements = new ArrayList<>(withoutFinished(queue, wanted));
		List<@Nullable Key> keys = new ArrayList<>(settlements.size());
		List<Key> handled = new ArrayList<>();
		Map<Key, Long> repeated = new LinkedHashMap<>();
		boolean[] forgotten = new boolean[settlements.size()];
		Set<Holder> seen = new HashSet<>();
		for (Settlement settlement : settlements) {
			// the second settlement of a delivery is stale
			boolean first = seen.add(new Holder(settlement.taskId(), settlement.token()));
			Key key = (first && ends(settlement)) ? key(queue, settlement) : null;
			if (key != null && settlement.action() != Action.BURY) {
				if (!knows(queue, settlement)) {
					forgotten[keys.size()] = true;
				}
				else if (isRepeated(settlement)) {
					repeated.merge(key, nextMillis(settlement), Math::max);
				}
				else {
					handled.add(key);
				}
			}
			keys.add(key);
		}
		List<Key> missing = delete(queue, handled);
		finish(queue, settlements, keys, missing);
		long notedAt = repeat(queue, repeated);
		dropOutdated(queue, settlements, keys, missing);
		List<Boolean> applied = this.store.settle(partition, settlements);
		List<Boolean> answers = new ArrayList<>(applied);
		List<Key> late = new ArrayList<>();
		Map<Key, Long> repeatedLate = new LinkedHashMap<>();
		Map<Key, Long> handed = new LinkedHashMap<>();
		for (int i = 0; i < settlements.size(); i++) {
			Settlement settlement = settlements.get(i);
			if (settlement != wanted.get(i)) {
				// finished before by another holder, or replaced or moved while it
				// was being claimed
				answers.set(i, false);
			}
			this.claimed.remove(queue, settlement.taskId(), settlement.token());
			Key key = keys.get(i);
			if (key != null && applied.get(i)) {
				if (isRepeated(settlement) && repeated.containsKey(key)) {
					handed.put(key, repeated.get(key));
				}
				if (forgotten[i] && isRepeated(settlement)) {
					repeatedLate.merge(key, nextMillis(settlement), Math::max);
				}
				else if (forgotten[i]) {
					late.add(key);
				}
				else if (settlement.action() == Action.BURY) {
					bury(queue, key, settlement.failure());
				}
			}
		}
		delete(queue, late);
		repeat(queue, repeatedLate);
		markHanded(queue, handed, notedAt);
		return answers;
	}

	private static boolean isRepeated(Settlement settlement) {
		return settlement.action() == Action.REPEAT || settlement.action() == Action.SKIP;
	}

	/** After a delay by the clock of this instance, which is good enough for a loader. */
	private long nextMillis(Settlement settlement) {
		if (settlement.next() != null) {
			return DueTime.at(settlement.next()).millis();
		}
		Duration delay = Objects.requireNonNull(settlement.delay());
		return DueTime.in(delay).resolveMillis(this.clock.millis() * 1000);
	}

	/**
	 * Another holder, whose lease was lost, may have handled a task all the same: it is
	 * not to be dead then. Neither is a task to be repeated that was cancelled.
	 */
	private List<Settlement> withoutFinished(String queue, List<Settlement> settlements) {
		List<String> going = settlements.stream().filter(Deliveries::leavesTask).map(Settlement::taskId).toList();
		if (going.isEmpty()) {
			return settlements;
		}
		Map<String, Version> versions = this.transactions.apart(queue, () -> this.table.versions(queue, going));
		return settlements.stream().map((settlement) -> {
			Key key = leavesTask(settlement) ? key(queue, settlement) : null;
			Version version = versions.get(settlement.taskId());
			boolean finished = key != null && (version == null || version.generation() != key.generation());
			return finished ? Settlement.drop(settlement.taskId(), settlement.token()) : settlement;
		}).toList();
	}

	private static boolean leavesTask(Settlement settlement) {
		return settlement.action() == Action.BURY || isRepeated(settlement);
	}

	private static boolean ends(Settlement settlement) {
		return isHandled(settlement) || leavesTask(settlement);
	}

	private static boolean isHandled(Settlement settlement) {
		return settlement.action() == Action.COMPLETE || settlement.action() == Action.COMPLETE_AND_KEEP
				|| settlement.action() == Action.DROP;
	}

	private boolean knows(String queue, Settlement settlement) {
		return this.claimed.generation(queue, settlement.taskId(), settlement.token()).isPresent();
	}

	/** {@code null} for a task that is not in the journal. */
	private @Nullable Key key(String queue, Settlement settlement) {
		OptionalLong generation = this.claimed.generation(queue, settlement.taskId(), settlement.token());
		if (generation.isEmpty()) {
			// Of a claim long ago. As long as its token is the right one, so is this
			generation = this.store.find(queue, settlement.taskId())
				.filter((task) -> task.state() == TaskState.IN_FLIGHT)
				.map(StoredTask::envelope)
				.map(Generation::of)
				.orElse(OptionalLong.empty());
		}
		return generation.isPresent() ? new Key(settlement.taskId(), generation.getAsLong()) : null;
	}

	/**
	 * Delete rows.
	 * @return those that are not there
	 */
	private List<Key> delete(String queue, List<Key> keys) {
		if (keys.isEmpty()) {
			return List.of();
		}
		this.marks.forget(queue, keys);
		List<Key> ordered = keys.stream().sorted(Key.ORDER).toList();
		int[] deleted = this.transactions.apart(queue, this.table.changesAtOnce(),
				() -> this.table.delete(queue, ordered));
		return IntStream.range(0, deleted.length).filter((i) -> deleted[i] == 0).mapToObj(ordered::get).toList();
	}

	/** If the store cannot be told now, this holder's next attempt is no other's. */
	private void finish(String queue, List<Settlement> settlements, List<@Nullable Key> keys, List<Key> missing) {
		Set<Key> missed = Set.copyOf(missing);
		for (int i = 0; i < settlements.size(); i++) {
			Key key = keys.get(i);
			if (key != null && isHandled(settlements.get(i)) && !missed.contains(key)) {
				this.claimed.finish(queue, key.taskId(), settlements.get(i).token());
			}
		}
	}

	/**
	 * What was replaced or moved while it was being claimed is not finished by what it
	 * was before: whoever did so was told that it is delivered as it is now.
	 */
	private void dropOutdated(String queue, List<Settlement> settlements, List<@Nullable Key> keys, List<Key> missing) {
		if (missing.isEmpty()) {
			return;
		}
		List<String> ids = missing.stream().map(Key::taskId).distinct().toList();
		Map<String, Version> versions = this.transactions.apart(queue, () -> this.table.versions(queue, ids));
		for (int i = 0; i < settlements.size(); i++) {
			Settlement settlement = settlements.get(i);
			Version version = versions.get(settlement.taskId());
			Key key = keys.get(i);
			if (key != null && isHandled(settlement) && version != null && version.generation() > key.generation()
					&& !this.claimed.isFinished(queue, key.taskId(), settlement.token())) {
				settlements.set(i, Settlement.drop(settlement.taskId(), settlement.token()));
			}
		}
	}

	/** What is delivered again after that is a run that was handled, and is put off. */
	private long repeat(String queue, Map<Key, Long> runs) {
		if (runs.isEmpty()) {
			return 0;
		}
		this.marks.forget(queue, runs.keySet());
		return this.transactions.apart(queue, () -> this.table.repeat(queue, runs));
	}

	/**
	 * What was handed over a moment ago may still be written down as waiting. The store
	 * may have lost it since, of which a loader has made a note that stays.
	 */
	private void markHanded(String queue, Map<Key, Long> runs, long notedAt) {
		if (runs.isEmpty()) {
			return;
		}
		try {
			this.transactions.apart(queue, () -> {
				this.table.markRepeated(queue, runs, notedAt);
				return true;
			});
		}
		catch (RuntimeException ex) {
			logger.debug("{} recurring tasks of queue '{}' could not be marked as handed over; a loader will do it",
					runs.size(), queue, ex);
		}
	}

	/** Where this fails, a loader finds that the task is dead in the store. */
	private void bury(String queue, Key key, byte @Nullable [] failure) {
		try {
			this.transactions.apart(queue, () -> this.table.bury(queue, key, failure));
		}
		catch (RuntimeException ex) {
			logger.warn("Task '{}' of queue '{}' is dead, and the journal does not know it yet: {}",
					Names.printable(key.taskId()), queue, Names.printable(ex));
		}
	}

	private record Holder(String taskId, String token) {

	}

}
