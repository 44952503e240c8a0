package io.github.delayqueue.journal;

import java.time.Clock;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.Names;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.journal.Claimed.Claim;
import io.github.delayqueue.store.Bounds;
import io.github.delayqueue.store.Generation;
import io.github.delayqueue.store.Partitions;
import io.github.delayqueue.store.PartlySettledException;
import io.github.delayqueue.store.Settlement;
import io.github.delayqueue.store.StoredTask;
import io.github.delayqueue.store.TaskStore;

/**
 * Settlements of queues with a journal: what has been handled leaves the journal before
 * it leaves the store. Whatever becomes of a row that somebody else has locked is not
 * waited for: its delivery is not settled, and the others are. Thread-safe.
 */
final class Settlements {

	private static final Logger logger = LoggerFactory.getLogger(Settlements.class);

	private final TaskStore store;

	private final JournalTable table;

	private final Transactions transactions;

	private final Claimed claimed;

	private final Clock clock;

	Settlements(TaskStore store, JournalTable table, Transactions transactions, Claimed claimed, Clock clock) {
		this.store = store;
		this.table = table;
		this.transactions = transactions;
		this.claimed = claimed;
		this.clock = clock;
	}

	List<Boolean> settle(String partition, List<Settlement> wanted) {
		Bounds.requireBatch(wanted);
		String queue = Partitions.queue(partition);
		List<Ending> endings = endings(queue, wanted);
		List<Ending> deleted = some(endings, Ending::isDeletedFirst);
		List<Ending> repeated = some(endings, Ending::isRepeatedFirst);
		List<Ending> later = some(endings, Ending::isChangedLater);
		long now = this.clock.millis();
		delete(queue, deleted);
		repeat(queue, repeated, now);
		probe(queue, later);
		judge(queue, some(endings, Ending::isRowOpen));
		tell(partition, some(endings, (ending) -> !ending.isHeldBack()));
		change(queue, some(later, Ending::isAppliedWithRow), now);
		recheck(queue, some(repeated, Ending::isStaleWithRow));
		return answers(queue, endings);
	}

	private List<Ending> endings(String queue, List<Settlement> wanted) {
		Map<Holder, Ending> deliveries = new HashMap<>();
		return wanted.stream().map((settlement) -> {
			Holder holder = new Holder(settlement.taskId(), settlement.token());
			Ending ending = ending(queue, settlement, deliveries.get(holder));
			deliveries.putIfAbsent(holder, ending);
			return ending;
		}).toList();
	}

	private Ending ending(String queue, Settlement settlement, @Nullable Ending earlier) {
		if (earlier != null || !Ending.concernsRow(settlement)) {
			return new Ending(settlement, null, null, earlier);
		}
		String taskId = settlement.taskId();
		Claim claim = this.claimed.get(queue, taskId, settlement.token());
		OptionalLong generation = (claim != null) ? OptionalLong.of(claim.generation())
				: generationInStore(queue, taskId);
		return new Ending(settlement, generation.isPresent() ? new Key(taskId, generation.getAsLong()) : null, claim,
				null);
	}

	/**
	 * Of a claim long ago. As long as its token is the right one, so is this.
	 * @return nothing for a task that is not in the journal
	 */
	private OptionalLong generationInStore(String queue, String taskId) {
		return this.store.find(queue, taskId)
			.filter((task) -> task.state() == TaskState.IN_FLIGHT)
			.map(StoredTask::envelope)
			.map(Generation::of)
			.orElse(OptionalLong.empty());
	}

	/** If the store cannot be told now, this holder's next attempt is no other's. */
	private void delete(String queue, List<Ending> endings) {
		if (endings.isEmpty()) {
			return;
		}
		List<Key> keys = keys(endings);
		int[] deleted = this.transactions.apart(queue, this.table.changesAtOnce(),
				() -> this.table.delete(queue, keys));
		Set<Key> gone = IntStream.range(0, deleted.length)
			.filter((i) -> deleted[i] == 1)
			.mapToObj(keys::get)
			.collect(Collectors.toSet());
		for (Ending ending : take(endings, gone)) {
			this.claimed.finish(queue, ending.key().taskId(), ending.settlement().token());
		}
	}

	/**
	 * Note when tasks are due next. What is delivered again after that is a run that was
	 * handled, and is put off.
	 */
	private void repeat(String queue, List<Ending> endings, long now) {
		if (endings.isEmpty()) {
			return;
		}
		Map<Key, Long> free = new HashMap<>();
		this.transactions.apart(queue, () -> {
			// all of them: this may be repeated
			free.putAll(nextRuns(endings, now));
			free.keySet().retainAll(this.table.tryLock(queue, free.keySet()));
			this.table.repeat(queue, free);
			return true;
		});
		take(endings, free.keySet());
	}

	/** Of two that end at once, the later one counts. */
	private static Map<Key, Long> nextRuns(List<Ending> endings, long now) {
		return endings.stream().collect(Collectors.toMap(Ending::key, (ending) -> ending.nextMillis(now), Math::max));
	}

	/** See whether rows are free that are changed only after the store. */
	private void probe(String queue, List<Ending> endings) {
		if (!endings.isEmpty()) {
			List<Key> keys = keys(endings);
			take(endings,
					this.transactions.apart(queue, this.table.isAutoCommit(), () -> this.table.tryLock(queue, keys)));
		}
	}

	private void judge(String queue, List<Ending> endings) {
		if (endings.isEmpty()) {
			return;
		}
		List<String> ids = endings.stream().map((ending) -> ending.key().taskId()).distinct().toList();
		Map<String, Version> versions = this.transactions.apart(queue, this.table.isAutoCommit(),
				() -> this.table.versions(queue, ids));
		endings.forEach((ending) -> ending.judge(versions.get(ending.key().taskId())));
	}

	private void tell(String partition, List<Ending> endings) {
		if (endings.isEmpty()) {
			return;
		}
		List<Boolean> applied = this.store.settle(partition, endings.stream().map(Ending::settlement).toList());
		for (int i = 0; i < applied.size(); i++) {
			Ending ending = endings.get(i);
			ending.answered(applied.get(i));
			this.claimed.remove(Partitions.queue(partition), ending.settlement().taskId(), ending.settlement().token());
		}
	}

	/** Rows that somebody has locked since then stay: a loader sees what they are. */
	private void change(String queue, List<Ending> endings, long now) {
		bury(queue, some(endings, Ending::isBuried));
		delete(queue, some(endings, Ending::isHandled));
		repeat(queue, some(endings, Ending::isRepeated), now);
	}

	/** Where this fails, a loader finds that the tasks are dead in the store. */
	private void bury(String queue, List<Ending> endings) {
		if (endings.isEmpty()) {
			return;
		}
		try {
			this.transactions.apart(queue, () -> {
				Set<Key> free = this.table.tryLock(queue, keys(endings));
				some(endings, (ending) -> free.contains(ending.key()))
					.forEach((ending) -> this.table.bury(queue, ending.key(), ending.settlement().failure()));
				return free;
			});
		}
		catch (RuntimeException ex) {
			logger.warn("{} tasks of queue '{}' are dead, and the journal does not know it yet: {}", endings.size(),
					queue, Names.printable(ex));
		}
	}

	/** The store may have been lost, and have been given a run that is over. */
	private void recheck(String queue, List<Ending> endings) {
		if (endings.isEmpty()) {
			return;
		}
		try {
			this.transactions.apart(queue, () -> {
				this.table.loader().recheck(queue, List.copyOf(this.table.tryLock(queue, keys(endings))));
				return true;
			});
		}
		catch (RuntimeException ex) {
			logger.debug("{} recurring tasks of queue '{}' are looked at when they are overdue", endings.size(), queue,
					ex);
		}
	}

	private static List<Boolean> answers(String queue, List<Ending> endings) {
		List<@Nullable Boolean> answers = endings.stream().map(Ending::answer).toList();
		if (endings.stream().anyMatch(Ending::isHeldBack)) {
			throw new PartlySettledException(queue, answers);
		}
		return answers;
	}

	/** What is done to rows goes by their ids. */
	private static List<Key> keys(List<Ending> endings) {
		return endings.stream().map(Ending::key).distinct().sorted(Key.ORDER).toList();
	}

	private static List<Ending> take(List<Ending> endings, Collection<Key> free) {
		List<Ending> taken = some(endings, (ending) -> free.contains(ending.key()));
		taken.forEach(Ending::takeRow);
		return taken;
	}

	private static List<Ending> some(List<Ending> endings, Predicate<Ending> which) {
		return endings.stream().filter(which).toList();
	}

	private record Holder(String taskId, String token) {

	}

}
