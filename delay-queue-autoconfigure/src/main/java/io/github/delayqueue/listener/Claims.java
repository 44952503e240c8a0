package io.github.delayqueue.listener;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.Names;
import io.github.delayqueue.event.TaskEvents;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.ClaimResult;
import io.github.delayqueue.store.ClaimedRecord;
import io.github.delayqueue.store.TaskStore;

/**
 * The claims of one container: how many tasks, with which token, what to tell of them,
 * and when to claim again. Called by one thread at a time.
 */
final class Claims {

	private static final Logger logger = LoggerFactory.getLogger(Claims.class);

	/**
	 * One claim in so many takes the oldest tasks whatever their priority, and one that
	 * has cost a lease also in advance.
	 */
	private static final int OLDEST_FIRST_EVERY = 8;

	private static final Duration MIN_WAIT_AFTER_EMPTY = Duration.ofNanos(200_000);

	private static final Duration WAIT_AFTER_REFUSED = Duration.ofMillis(20);

	private static final Duration ANNOUNCE_EVERY = Duration.ofMinutes(5);

	private static final Duration ANNOUNCE_AGAIN_AFTER = Duration.ofSeconds(30);

	private final String queue;

	private final ContainerOptions options;

	private final TaskStore store;

	private final TaskEvents events;

	private final Clock clock;

	private final String tokenPrefix = Long.toString(UUID.randomUUID().getMostSignificantBits() >>> 4, 36) + "-";

	private long calls;

	private volatile @Nullable Instant lastSuccess;

	private volatile @Nullable Throwable lastError;

	private volatile boolean paused;

	private @Nullable Instant announceAt;

	Claims(String queue, ContainerOptions options, TaskStore store, TaskEvents events, Clock clock) {
		this.queue = queue;
		this.options = options;
		this.store = store;
		this.events = events;
		this.clock = clock;
	}

	/**
	 * What a claim brought.
	 *
	 * @param tasks the tasks
	 * @param next after what time to claim again, zero for at once
	 */
	record Claimed(List<Held> tasks, Duration next) {

	}

	/**
	 * Claim.
	 * @param limit how many tasks at most; zero if there is no worker free, which counts
	 * as a success
	 * @param startable how many of them can start at once; tasks that have cost a lease
	 * are not claimed in advance
	 * @return what it brought
	 */
	Claimed claim(int limit, int startable) {
		if (limit == 0) {
			this.lastSuccess = this.clock.instant();
			return new Claimed(List.of(), this.options.pollInterval());
		}
		try {
			Claimed claimed = claimFromStore(limit, Math.min(startable, limit));
			succeeded();
			return claimed;
		}
		catch (RuntimeException | Error ex) {
			failed(ex);
			throw ex;
		}
	}

	private Claimed claimFromStore(int limit, int startable) {
		this.calls++;
		String token = this.tokenPrefix + Long.toString(this.calls, 36);
		long sentAt = System.nanoTime();
		boolean turn = this.calls % OLDEST_FIRST_EVERY == 0;
		// under a permanent load of quick tasks nothing can ever start at once
		int expiredLimit = turn ? Math.max(1, startable) : startable;
		ClaimResult result = this.store.claim(this.queue, new ClaimRequest(token, limit, expiredLimit,
				this.options.ttr(), ClaimRequest.DEFAULT_MAX_BYTES, turn, this.options.retention()));
		StoreTime storeTime = new StoreTime(result.now(), System.nanoTime());
		List<Held> tasks = new ArrayList<>(result.tasks().size());
		for (ClaimedRecord record : result.tasks()) {
			tasks.add(new Held(record, token, storeTime, sentAt, this.options.ttr(), this.options.renew()));
			if (record.leaseExpired()) {
				logger.info("Task '{}' of queue '{}' is delivered again: its lease had run out ({} times by now)",
						Names.printable(record.id()), this.queue, record.expiries());
				this.events.publish((listener) -> listener.onLeaseExpired(this.queue, record.id(), record.expiries()));
			}
		}
		report(result);
		this.paused = result.paused();
		return new Claimed(tasks, next(result));
	}

	private Duration next(ClaimResult result) {
		Duration wakeIn = result.wakeIn();
		if (wakeIn == null) {
			return this.options.pollInterval();
		}
		if (!result.tasks().isEmpty()) {
			return wakeIn;
		}
		// what is due was not given to us: do not ask in a loop
		Duration least = wakeIn.isZero() ? WAIT_AFTER_REFUSED : MIN_WAIT_AFTER_EMPTY;
		return (wakeIn.compareTo(least) < 0) ? least : wakeIn;
	}

	private void report(ClaimResult result) {
		if (!result.purged().isEmpty()) {
			logger.warn(
					"{} dead tasks of queue '{}' were removed because dead-letter.max-size or "
							+ "dead-letter.retention says so: {}",
					result.purged().size(), this.queue, Names.printable(result.purged()));
			this.events.publish((listener) -> listener.onPurge(this.queue, result.purged()));
		}
		if (!result.orphans().isEmpty()) {
			logger.error("{} ids of queue '{}' have no record and are dead now: {}", result.orphans().size(),
					this.queue, Names.printable(result.orphans()));
			this.events.publish((listener) -> listener.onOrphan(this.queue, result.orphans()));
		}
	}

	/**
	 * Now and then, make the queue known to those who look for queues. Apart from claims,
	 * which must not depend on it.
	 */
	void announce() {
		Instant now = this.clock.instant();
		if (this.announceAt != null && now.isBefore(this.announceAt)) {
			return;
		}
		try {
			this.store.announce(this.queue);
			this.announceAt = now.plus(ANNOUNCE_EVERY);
		}
		catch (RuntimeException ex) {
			this.announceAt = now.plus(ANNOUNCE_AGAIN_AFTER);
			logger.debug("Queue '{}' could not be announced; it is consumed nevertheless", this.queue, ex);
		}
	}

	private void succeeded() {
		this.lastSuccess = this.clock.instant();
		if (this.lastError != null) {
			this.lastError = null;
			logger.info("Queue '{}' is consumed again", this.queue);
		}
	}

	private void failed(Throwable error) {
		if (this.lastError == null) {
			logger.warn("Queue '{}' could not be asked for tasks; it will be tried again until it answers: {}",
					this.queue, error.toString());
			logger.debug("Where queue '{}' could not be asked", this.queue, error);
		}
		this.lastError = error;
		this.events.publish((listener) -> listener.onPollError(this.queue, error));
	}

	@Nullable Instant lastSuccess() {
		return this.lastSuccess;
	}

	@Nullable Throwable lastError() {
		return this.lastError;
	}

	boolean isPaused() {
		return this.paused;
	}

}
