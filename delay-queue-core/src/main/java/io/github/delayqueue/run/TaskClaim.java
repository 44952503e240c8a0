package io.github.delayqueue.run;

import java.time.Duration;
import java.time.Instant;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.Names;
import io.github.delayqueue.run.ClaimTurns.ClaimTurn;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.ClaimRequest.LastChance;
import io.github.delayqueue.store.ClaimResult;
import io.github.delayqueue.store.ClaimedRecord;
import io.github.delayqueue.store.Partitions;

/**
 * One claim from one partition. Tells what it brought, and from its answer the store's
 * time: without asking again, and without comparing the clocks of two machines. For
 * wiring.
 */
public final class TaskClaim {

	private static final Logger logger = LoggerFactory.getLogger(TaskClaim.class);

	private final TaskRuns runs;

	private final String partition;

	private final String queue;

	private final ClaimTurn turn;

	private Instant claimedAt = Instant.EPOCH;

	private long sentAt;

	private long answeredAt;

	public TaskClaim(TaskRuns runs, String partition, ClaimTurn turn) {
		this.runs = runs;
		this.partition = partition;
		this.queue = Partitions.queue(partition);
		this.turn = turn;
	}

	/**
	 * Ask the store, once, and tell what it answered.
	 * @param lostLeaseLimit how many of them may be tasks whose lease has run out
	 * @param lastChance what to do with tasks that may lose no further lease
	 */
	public ClaimResult ask(int limit, int lostLeaseLimit, Duration ttr, LastChance lastChance) {
		ClaimRequest request = new ClaimRequest(this.turn.token(), limit, lostLeaseLimit, ttr,
				ClaimRequest.DEFAULT_MAX_BYTES, this.turn.oldestFirst(), this.runs.rules().retention(),
				this.runs.rules().limits(), lastChance);
		try {
			this.sentAt = this.runs.nanoTime().getAsLong();
			ClaimResult result = this.runs.store().claim(this.partition, request);
			this.answeredAt = this.runs.nanoTime().getAsLong();
			this.claimedAt = result.now();
			report(result);
			return result;
		}
		catch (RuntimeException | Error ex) {
			this.runs.events().publish((listener) -> listener.onPollError(this.queue, ex));
			throw ex;
		}
	}

	private void report(ClaimResult result) {
		for (ClaimedRecord record : result.tasks()) {
			if (record.leaseLost()) {
				logger.info("Task '{}' of queue '{}' is delivered again: its lease had run out ({} times by now)",
						Names.printable(record.id()), this.queue, record.leasesLost());
				this.runs.events()
					.publish((listener) -> listener.onLeaseLost(this.queue, record.id(), record.leasesLost()));
			}
		}
		int count = result.tasks().size();
		this.runs.events().publish((listener) -> listener.onClaim(this.queue, count));
		if (!result.purged().isEmpty()) {
			logger.warn("{} dead tasks of queue '{}' were removed, as dead-letter.max-size or dead-letter.retention "
					+ "demands: {}", result.purged().size(), this.queue, Names.printable(result.purged()));
			this.runs.events().publish((listener) -> listener.onPurge(this.queue, result.purged()));
		}
		if (!result.orphans().isEmpty()) {
			logger.error("{} ids of queue '{}' have no record and are dead now: {}", result.orphans().size(),
					this.queue, Names.printable(result.orphans()));
			this.runs.events().publish((listener) -> listener.onOrphan(this.queue, result.orphans()));
		}
	}

	TaskRuns runs() {
		return this.runs;
	}

	String partition() {
		return this.partition;
	}

	String queue() {
		return this.queue;
	}

	String token() {
		return this.turn.token();
	}

	/** When it was sent. */
	public long sentAt() {
		return this.sentAt;
	}

	/** When it had been answered. */
	public long answeredAt() {
		return this.answeredAt;
	}

	/** When the store answered, by its clock. */
	Instant claimedAt() {
		return this.claimedAt;
	}

	/** How long ago it was answered. */
	Duration age() {
		return Duration.ofNanos(this.runs.nanoTime().getAsLong() - this.answeredAt);
	}

	/** The time now, by the store's clock. */
	public Instant now() {
		return this.claimedAt.plus(age());
	}

}
