package io.github.delayqueue.journal;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.Names;
import io.github.delayqueue.convert.TaskCodec;
import io.github.delayqueue.journal.Claim.Lease;
import io.github.delayqueue.roles.Generation;
import io.github.delayqueue.roles.Retention;
import io.github.delayqueue.roles.TaskRetention;
import io.github.delayqueue.roles.Tended;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.ClaimResult;
import io.github.delayqueue.store.ClaimedRecord;
import io.github.delayqueue.store.OtherTableException;
import io.github.delayqueue.store.Settlement;
import io.github.delayqueue.store.Sources;
import io.github.delayqueue.store.TaskStore;

/**
 * Claims of queues with a journal: nothing is delivered that the journal does not have in
 * this generation. Thread-safe.
 */
final class JournaledClaims extends JournalAccess {

	private static final Logger logger = LoggerFactory.getLogger(JournaledClaims.class);

	/**
	 * What was written so recently may be missing because a replica was asked that lags
	 * behind.
	 */
	static final Duration LAG = Duration.ofSeconds(5);

	private static final Duration SECOND_LOOK = Duration.ofMillis(50);

	private final Map<Lease, Claim> claimed;

	private final UnknownTasks unknown = new UnknownTasks();

	/** The last check failed: ask the database before tasks are claimed in vain. */
	private volatile boolean suspect;

	JournaledClaims(JournalParts parts, Map<Lease, Claim> claimed) {
		super(parts);
		this.claimed = claimed;
	}

	ClaimResult claim(String partition, ClaimRequest request) {
		String queue = Sources.queue(partition);
		if (this.suspect) {
			this.transactions.apart(queue, this.table::probe);
		}
		ClaimResult result = claimOwn(partition, queue, request);
		Instant answered = this.clock.instant();
		List<ClaimedRecord> tasks = result.tasks().isEmpty() ? List.of()
				: check(partition, queue, request.token(), result);
		return answer(result, tasks, Duration.between(answered, this.clock.instant()));
	}

	private ClaimResult claimOwn(String partition, String queue, ClaimRequest request) {
		Ownership ownership = this.parts.ownership();
		ownership.require(queue);
		try {
			ClaimResult result = this.store.claim(partition, request.on(request.terms().in(ownership.table())));
			ownership.allowed(queue);
			return result;
		}
		catch (OtherTableException ex) {
			throw ownership.refused(queue, ex.getTable());
		}
	}

	/** The answer of the store, as it would be if it had come only now. */
	private static ClaimResult answer(ClaimResult result, List<ClaimedRecord> tasks, Duration since) {
		Duration wakeIn = result.wakeIn();
		if (since.isNegative()) {
			since = Duration.ZERO;
		}
		if (wakeIn != null && !wakeIn.isZero()) {
			// zero would mean that there is more already
			wakeIn = (wakeIn.compareTo(since) > 0) ? wakeIn.minus(since) : Duration.ofNanos(1000);
		}
		return new ClaimResult(tasks, result.now().plus(since), wakeIn, result.paused(), result.notes());
	}

	Tended tend(String partition, Retention retention) {
		Tended tended = this.store.requireRole(TaskRetention.class).tend(partition, retention);
		if (!tended.purged().isEmpty()) {
			forgetPurged(Sources.queue(partition), tended.purged());
		}
		return tended;
	}

	private void forgetPurged(String queue, List<String> ids) {
		try {
			Sql.parts(ids, TaskStore.MAX_BATCH)
				.forEach((batch) -> this.transactions.apart(queue,
						() -> this.table.deleteDead(queue, batch, (row) -> true)));
		}
		catch (RuntimeException ex) {
			// then they are restored, and purged once more
			logger.warn("{} dead letters of queue '{}' that were deleted are still in the journal: {}", ids.size(),
					queue, Names.printable(ex));
		}
	}

	private List<ClaimedRecord> check(String partition, String queue, String token, ClaimResult result) {
		Map<String, Row> versions = versions(partition, queue, token, result.tasks());
		List<ClaimedRecord> valid = new ArrayList<>(result.tasks().size());
		List<Settlement> others = new ArrayList<>();
		List<Key> newer = new ArrayList<>();
		List<String> gone = new ArrayList<>();
		for (ClaimedRecord record : result.tasks()) {
			Row row = versions.get(record.id());
			OptionalLong generation = Generation.of(record.envelope());
			if (generation.isEmpty()) {
				// from before the queue had a journal
				valid.add(record);
			}
			else if (row == null || row.generation() != generation.getAsLong()) {
				Duration lookAgain = lookAgain(row, generation.getAsLong());
				others.add(new Settlement(record.id(), token,
						(lookAgain != null) ? new Settlement.Release(lookAgain) : new Settlement.Drop()));
				if (row == null && lookAgain == null) {
					gone.add(record.id());
				}
				else if (row != null && row.dueMillis() <= this.handOver.untilMillis()) {
					newer.add(new Key(record.id(), row.generation()));
				}
			}
			else if (mayBeDelivered(record, row, result.now())) {
				this.claimed.put(new Lease(queue, record.id(), token), new Claim(row.generation(), false));
				valid.add(isRunDone(record, row) ? delivered(record, dueAt(row), 0)
						: delivered(record, record.dueAt(), record.failures()));
			}
			else {
				others.add(end(record, token, row));
			}
		}
		this.unknown.dropped(queue, gone);
		settleInvalid(partition, others);
		// what was dropped may have kept the store from taking what the row says
		this.rechecks.some(queue, newer);
		return valid;
	}

	/** Later and later, as long as a replica may lag behind. */
	private @Nullable Duration lookAgain(@Nullable Row row, long generation) {
		// perhaps by a clock that is ahead
		long age = Math.abs(this.clock.millis() - generation / 1000);
		if (age >= LAG.toMillis() || (row != null && row.generation() > generation)) {
			return null;
		}
		return Duration.ofMillis(Math.min(Math.max(age, SECOND_LOOK.toMillis()), LAG.toMillis() - age));
	}

	private static boolean mayBeDelivered(ClaimedRecord record, Row row, Instant now) {
		return !row.dead() && !(isRunDone(record, row) && dueAt(row).isAfter(now));
	}

	/** The store has not learnt of it. */
	private static Settlement end(ClaimedRecord record, String token, Row row) {
		return new Settlement(record.id(), token, row.dead() ? new Settlement.DeadLetter(false, row.failure())
				: new Settlement.Skip(false, null, dueAt(row)));
	}

	/** A plain look, which waits for nobody who has locked one of the rows. */
	private Map<String, Row> versions(String partition, String queue, String token, List<ClaimedRecord> tasks) {
		try {
			List<String> ids = tasks.stream().map(ClaimedRecord::id).toList();
			Map<String, Row> versions = this.transactions.apart(queue, this.table.autoCommit(),
					() -> this.table.versions(queue, ids));
			this.suspect = false;
			return versions;
		}
		catch (RuntimeException ex) {
			this.suspect = true;
			giveBack(partition, token, tasks, ex);
			throw ex;
		}
	}

	/** Whether this run of a recurring task was handled, and the next is due later. */
	private static boolean isRunDone(ClaimedRecord record, Row row) {
		return row.dueMillis() > record.dueAt().toEpochMilli()
				&& TaskCodec.isRecurring(Generation.unmark(record.envelope()));
	}

	private static Instant dueAt(Row row) {
		return Instant.ofEpochMilli(row.dueMillis());
	}

	private static ClaimedRecord delivered(ClaimedRecord record, Instant dueAt, int failures) {
		return new ClaimedRecord(record.id(), Generation.unmark(record.envelope()), record.priority(), dueAt, failures,
				record.leasesLost(), record.leaseLost(), record.failure());
	}

	/** What fails here is claimed again when its lease runs out, and judged anew. */
	private void settleInvalid(String partition, List<Settlement> settlements) {
		if (settlements.isEmpty()) {
			return;
		}
		try {
			this.store.settle(partition, settlements);
			logger.debug("{} tasks of {} that are not in the journal, or dead, were not delivered", settlements.size(),
					partition);
		}
		catch (RuntimeException ex) {
			logger.debug("{} tasks of {} that are not to be delivered stay in flight until their leases run out",
					settlements.size(), partition, ex);
		}
	}

	private void giveBack(String partition, String token, List<ClaimedRecord> tasks, RuntimeException error) {
		try {
			this.store.settle(partition,
					tasks.stream()
						.map((task) -> new Settlement(task.id(), token, new Settlement.Release(null)))
						.toList());
		}
		catch (RuntimeException ex) {
			error.addSuppressed(ex);
		}
	}

}
