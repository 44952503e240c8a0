package io.github.delayqueue.journal;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.Names;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.journal.Claim.Lease;
import io.github.delayqueue.store.Bounds;
import io.github.delayqueue.store.PartlySettledException;
import io.github.delayqueue.store.Settlement;
import io.github.delayqueue.store.Sources;

/**
 * What has been handled leaves the journal before it leaves the store. A delivery whose
 * row somebody has locked is not settled, and the others are. Thread-safe.
 */
final class Settlements extends JournalAccess {

	private static final Logger logger = LoggerFactory.getLogger(Settlements.class);

	private final Map<Lease, Claim> claimed;

	Settlements(JournalParts parts, Map<Lease, Claim> claimed) {
		super(parts);
		this.claimed = claimed;
	}

	List<Boolean> settle(String partition, List<Settlement> wanted) {
		Bounds.requireBatch(wanted);
		String queue = Sources.queue(partition);
		List<DeliveryEnd> ends = ends(queue, wanted);
		List<DeliveryEnd> later = some(ends, DeliveryEnd::isChangedLater);
		change(queue, some(ends, DeliveryEnd::isChangedFirst));
		probe(queue, later);
		judge(queue, some(ends, DeliveryEnd::isRowOpen));
		tell(partition, some(ends, (end) -> !end.isHeldBack()));
		// rows that somebody has locked since then stay: a loader sees what they are
		change(queue, some(later, DeliveryEnd::isAppliedWithRow));
		this.rechecks.some(queue, keys(some(ends, DeliveryEnd::isRepeatedInVain)));
		List<@Nullable Boolean> answers = ends.stream().map(DeliveryEnd::answer).toList();
		if (ends.stream().anyMatch(DeliveryEnd::isHeldBack)) {
			throw new PartlySettledException(queue, answers);
		}
		return answers;
	}

	private void change(String queue, List<DeliveryEnd> ends) {
		deadLetter(queue, some(ends, DeliveryEnd::isDeadLettered));
		delete(queue, some(ends, DeliveryEnd::isHandled));
		repeat(queue, some(ends, DeliveryEnd::isRepeated));
	}

	private List<DeliveryEnd> ends(String queue, List<Settlement> wanted) {
		Map<Lease, DeliveryEnd> deliveries = new HashMap<>();
		return wanted.stream().map((settlement) -> {
			Lease lease = lease(queue, settlement);
			DeliveryEnd end = end(lease, settlement, deliveries.get(lease));
			deliveries.putIfAbsent(lease, end);
			return end;
		}).toList();
	}

	private static Lease lease(String queue, Settlement settlement) {
		return new Lease(queue, settlement.taskId(), settlement.token());
	}

	private DeliveryEnd end(Lease lease, Settlement settlement, @Nullable DeliveryEnd earlier) {
		if (earlier != null || !DeliveryEnd.concernsRow(settlement)) {
			return new DeliveryEnd(settlement, null, null, earlier);
		}
		Claim claim = this.claimed.get(lease);
		long generation = (claim != null) ? claim.generation() : generationInStore(lease.queue(), lease.taskId());
		return new DeliveryEnd(settlement, (generation >= 0) ? new Key(lease.taskId(), generation) : null, claim, null);
	}

	/** Of a claim long ago. As long as its token is the right one, so is this. */
	private long generationInStore(String queue, String taskId) {
		return this.store.find(queue, taskId)
			.filter((task) -> task.state() == TaskState.IN_FLIGHT)
			.map(Row::generation)
			.orElse(-1L);
	}

	/** If the store cannot be told now, this holder's next attempt is no other's. */
	private void delete(String queue, List<DeliveryEnd> ends) {
		take(queue, this.table.changesAtOnce(), ends, (keys) -> this.table.delete(queue, keys))
			.forEach((end) -> this.claimed.computeIfPresent(lease(queue, end.settlement()),
					(lease, claim) -> new Claim(claim.generation(), true)));
	}

	/** What is delivered again afterwards is a run that was handled, and is put off. */
	private void repeat(String queue, List<DeliveryEnd> ends) {
		if (ends.isEmpty()) {
			return;
		}
		long now = this.parts.clock(queue).millis();
		take(queue, false, ends, (keys) -> {
			// of two that end at once, the later one counts
			Map<Key, Long> runs = ends.stream()
				.collect(Collectors.toMap(DeliveryEnd::key, (end) -> end.nextMillis(now), Math::max));
			runs.keySet().retainAll(this.table.tryLock(queue, runs.keySet()));
			this.table.repeat(queue, runs);
			return runs.keySet();
		});
	}

	/** See whether rows are free that are changed only after the store. */
	private void probe(String queue, List<DeliveryEnd> ends) {
		take(queue, this.table.autoCommit(), ends, (keys) -> this.table.tryLock(queue, keys));
	}

	private void judge(String queue, List<DeliveryEnd> ends) {
		if (ends.isEmpty()) {
			return;
		}
		List<String> ids = ends.stream().map((end) -> end.key().taskId()).distinct().toList();
		Map<String, Row> versions = this.transactions.apart(queue, this.table.autoCommit(),
				() -> this.table.versions(queue, ids));
		ends.forEach((end) -> end.judge(versions.get(end.key().taskId())));
	}

	private void tell(String partition, List<DeliveryEnd> ends) {
		if (ends.isEmpty()) {
			return;
		}
		List<Boolean> applied = this.store.settle(partition, ends.stream().map(DeliveryEnd::settlement).toList());
		for (int i = 0; i < applied.size(); i++) {
			DeliveryEnd end = ends.get(i);
			end.answered(applied.get(i));
			this.claimed.remove(lease(Sources.queue(partition), end.settlement()));
		}
	}

	/** Where this fails, a loader finds that the tasks are dead in the store. */
	private void deadLetter(String queue, List<DeliveryEnd> ends) {
		try {
			take(queue, false, ends, (keys) -> {
				Set<Key> free = this.table.tryLock(queue, keys);
				some(ends, (end) -> free.contains(end.key()))
					.forEach((end) -> this.table.deadLetter(queue, end.key(), end.settlement().end().description()));
				return free;
			});
		}
		catch (RuntimeException ex) {
			logger.warn("{} tasks of queue '{}' are dead, and the journal does not know it yet: {}", ends.size(), queue,
					Names.printable(ex));
		}
	}

	private static List<Key> keys(List<DeliveryEnd> ends) {
		return ends.stream().map(DeliveryEnd::key).toList();
	}

	/** Do something with rows in a transaction, and take those that were free for it. */
	private List<DeliveryEnd> take(String queue, boolean atOnce, List<DeliveryEnd> ends,
			Function<List<Key>, Set<Key>> step) {
		Set<Key> free = ends.isEmpty() ? Set.of()
				: this.transactions.apart(queue, atOnce, () -> step.apply(keys(ends)));
		List<DeliveryEnd> taken = some(ends, (end) -> free.contains(end.key()));
		taken.forEach(DeliveryEnd::takeRow);
		return taken;
	}

	private static List<DeliveryEnd> some(List<DeliveryEnd> ends, Predicate<DeliveryEnd> which) {
		return ends.stream().filter(which).toList();
	}

}
