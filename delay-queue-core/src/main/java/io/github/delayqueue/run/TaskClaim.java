package io.github.delayqueue.run;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.Names;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.ClaimResult;
import io.github.delayqueue.store.ClaimedRecord;

/**
 * One claim from one source. Tells what it brought, and from its answer the store's time:
 * without asking again, and without comparing the clocks of two machines. For wiring.
 *
 * @param queue the queue that the source belongs to
 * @param sentAt when it was sent, by the local monotonic clock
 * @param answeredAt when it had been answered
 * @param claimedAt when the store answered, by its clock
 */
public record TaskClaim(TaskRuns runs, String source, String queue, String token, long sentAt, long answeredAt,
		Instant claimedAt) {

	/**
	 * While tasks that may lose no further lease wait their turn, the store may wake
	 * nobody for what comes: something is due already.
	 */
	public static final Duration WAIT_BESIDE_LAST_CHANCE = Duration.ofMillis(100);

	private static final Duration MIN_WAIT_AFTER_EMPTY = Duration.ofNanos(200_000);

	private static final Duration WAIT_AFTER_REFUSED = Duration.ofMillis(20);

	private static final Logger logger = LoggerFactory.getLogger(TaskClaim.class);

	/**
	 * A claim and its answer, apart: each task knows its claim for as long as it runs,
	 * and does not keep the others.
	 */
	public record Answered(TaskClaim claim, ClaimResult result) {

		/**
		 * After what time the next claim is worth making.
		 * @param pollInterval the time if the store names none
		 */
		public Duration next(Duration pollInterval) {
			Duration wakeIn = (this.result.wakeIn() != null) ? this.result.wakeIn() : pollInterval;
			if (!this.result.tasks().isEmpty()) {
				return wakeIn;
			}
			if (this.result.notes().leaves() && wakeIn.compareTo(WAIT_BESIDE_LAST_CHANCE) > 0) {
				return WAIT_BESIDE_LAST_CHANCE;
			}
			// what is due was not given to us: do not ask in a loop
			Duration least = wakeIn.isZero() ? WAIT_AFTER_REFUSED : MIN_WAIT_AFTER_EMPTY;
			return (wakeIn.compareTo(least) < 0) ? least : wakeIn;
		}

	}

	/** Ask the store, once, and tell what it answered. */
	public static Answered ask(TaskRuns runs, String queue, String source, ClaimRequest request) {
		try {
			long sentAt = runs.nanoTime().getAsLong();
			ClaimResult result = runs.store().claim(source, request);
			TaskClaim claim = new TaskClaim(runs, source, queue, request.token(), sentAt, runs.nanoTime().getAsLong(),
					result.now());
			claim.report(result);
			return new Answered(claim, result);
		}
		catch (RuntimeException | Error ex) {
			runs.events().publish((listener) -> listener.onPollError(queue, ex));
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
		List<String> orphans = result.notes().orphans();
		if (!orphans.isEmpty()) {
			logger.error("{} ids of queue '{}' have no record and are dead now: {}", orphans.size(), this.queue,
					Names.printable(orphans));
			this.runs.events().publish((listener) -> listener.onOrphan(this.queue, orphans));
		}
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
