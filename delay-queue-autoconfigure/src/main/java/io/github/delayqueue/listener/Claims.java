package io.github.delayqueue.listener;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.DoubleSupplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.Names;
import io.github.delayqueue.event.TaskEvents;
import io.github.delayqueue.options.QueueOptions;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.ClaimRequest.LastChance;
import io.github.delayqueue.store.ClaimResult;
import io.github.delayqueue.store.ClaimedRecord;
import io.github.delayqueue.store.Partitions;
import io.github.delayqueue.store.TaskStore;

/**
 * The claims of one container from one partition: how many tasks, with which token, what
 * to tell of them, and when to claim again. Several may be under way at a time.
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

	/** Claims remove a bounded number of old tasks; others come to the store between. */
	private static final Duration WAIT_TO_TRIM = Duration.ofMillis(5);

	private static final Duration ANNOUNCE_EVERY = Duration.ofMinutes(5);

	private static final Duration ANNOUNCE_AGAIN_AFTER = Duration.ofSeconds(30);

	private final String partition;

	private final String queue;

	private final QueueOptions options;

	private final TaskStore store;

	private final TaskEvents events;

	private final Clock clock;

	private final String tokenPrefix = Long.toString(UUID.randomUUID().getMostSignificantBits() >>> 4, 36) + "-";

	private final LastChances lastChances;

	private final Runnable claimAgain;

	private final Stagger stagger;

	private final RoundTrips roundTrips = new RoundTrips();

	private final AtomicLong calls = new AtomicLong();

	private final AtomicLong answered = new AtomicLong();

	private final AtomicLong empty = new AtomicLong();

	private volatile @Nullable Instant lastSuccess;

	private volatile @Nullable Throwable lastError;

	private volatile boolean paused;

	private volatile @Nullable StoreTime storeTime;

	private volatile @Nullable Instant announceAt;

	Claims(String partition, QueueOptions options, TaskStore store, TaskEvents events, Clock clock,
			DoubleSupplier random, LastChances lastChances, Runnable claimAgain) {
		this.partition = partition;
		this.queue = Partitions.queue(partition);
		this.options = options;
		this.store = store;
		this.events = events;
		this.clock = clock;
		this.stagger = new Stagger(random);
		this.lastChances = lastChances;
		this.claimAgain = claimAgain;
	}

	/**
	 * What a claim brought.
	 *
	 * @param tasks the tasks
	 * @param next after what time to claim again, zero for at once
	 * @param from since when that time has been passing, by the local monotonic clock;
	 * {@code null} where it begins when the claim is over
	 */
	record Claimed(List<Held> tasks, Duration next, @Nullable Long from) {

		/**
		 * How much is left of the time after which to claim again.
		 * @param now the local monotonic clock
		 * @return the time, zero only for at once
		 */
		Duration left(long now) {
			return (this.from != null) ? Duration.ofNanos(Math.max(1, this.next.toNanos() - (now - this.from)))
					: this.next;
		}

	}

	/**
	 * Claim.
	 * @param limit how many tasks at most; zero if there is no worker free, which counts
	 * as a success unless the last claim failed: nobody has been asked
	 * @param startable how many of them can start at once; tasks that have cost a lease
	 * are not claimed in advance
	 * @return what it brought
	 */
	Claimed claim(int limit, int startable) {
		if (limit == 0) {
			this.stagger.skipped();
			if (this.lastError == null) {
				this.lastSuccess = this.clock.instant();
			}
			return new Claimed(List.of(), this.options.pollInterval(), null);
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

	/**
	 * What a claim of a container that is driven brought.
	 *
	 * @param tasks the tasks
	 * @param wakeIn after what time another claim is worth making, {@code null} if
	 * nothing is waiting
	 */
	record Taken(List<Held> tasks, @Nullable Duration wakeIn) {

	}

	/**
	 * Claim strictly by priority and due time, for a container that is driven: no claim
	 * has its turn to take the oldest tasks, and the store's clock stands still until
	 * what has been claimed is handled.
	 * @param limit how many tasks at most
	 * @return what it brought
	 */
	Taken take(int limit) {
		try {
			Answer answer = claimFromStore(token(this.calls.incrementAndGet()), limit, limit, false, true);
			succeeded();
			return new Taken(answer.tasks(), answer.result().wakeIn());
		}
		catch (RuntimeException | Error ex) {
			failed(ex);
			throw ex;
		}
	}

	private Claimed claimFromStore(int limit, int startable) {
		long call = this.calls.incrementAndGet();
		boolean turn = call % OLDEST_FIRST_EVERY == 0;
		// under a permanent load of quick tasks nothing can ever start at once
		int expiredLimit = turn ? Math.max(1, startable) : startable;
		Answer answer = claimFromStore(token(call), limit, expiredLimit, turn, false);
		ClaimResult result = answer.result();
		// a journal has looked at the tasks in its table meanwhile
		long from = this.roundTrips.add(answer.sentAt(), answer.at(), result.tasks().isEmpty());
		this.storeTime = answer.storeTime();
		Duration later = this.stagger.claimed(result);
		Duration wakeIn = result.wakeIn();
		Duration next = next(result);
		return new Claimed(answer.tasks(), next.plus(later), (!next.isZero() && next.equals(wakeIn)) ? from : null);
	}

	private String token(long call) {
		return this.tokenPrefix + Long.toString(call, 36);
	}

	/** Times of the local monotonic clock. */
	private record Answer(ClaimResult result, List<Held> tasks, StoreTime storeTime, long sentAt, long at) {

	}

	private Answer claimFromStore(String token, int limit, int expiredLimit, boolean oldestFirst, boolean driven) {
		LastChance lastChance = this.lastChances.begin();
		boolean answered = false;
		try {
			long sentAt = System.nanoTime();
			ClaimResult result = this.store.claim(this.partition,
					new ClaimRequest(token, limit, expiredLimit, this.options.ttr(), ClaimRequest.DEFAULT_MAX_BYTES,
							oldestFirst, this.options.retention(), this.options.limits(), lastChance));
			long at = System.nanoTime();
			StoreTime storeTime = new StoreTime(result.now(), driven ? null : at);
			List<Held> tasks = hold(result, token, sentAt, storeTime);
			answered = true;
			this.lastChances.claimed(lastChance, tasks, result.leaves(), this.claimAgain);
			return new Answer(result, tasks, storeTime, sentAt, at);
		}
		finally {
			if (!answered) {
				this.lastChances.failed(lastChance);
			}
		}
	}

	private List<Held> hold(ClaimResult result, String token, long sentAt, StoreTime storeTime) {
		List<Held> tasks = new ArrayList<>(result.tasks().size());
		for (ClaimedRecord record : result.tasks()) {
			tasks.add(new Held(this.partition, record, token, storeTime, sentAt, this.options.ttr(),
					this.options.renew()));
			if (record.leaseExpired()) {
				logger.info("Task '{}' of queue '{}' is delivered again: its lease had run out ({} times by now)",
						Names.printable(record.id()), this.queue, record.expiries());
				this.events.publish((listener) -> listener.onLeaseExpired(this.queue, record.id(), record.expiries()));
			}
		}
		report(result);
		this.paused = result.paused();
		return tasks;
	}

	private Duration next(ClaimResult result) {
		Duration next = nextTask(result);
		return (result.untrimmed() && next.compareTo(WAIT_TO_TRIM) > 0) ? WAIT_TO_TRIM : next;
	}

	private Duration nextTask(ClaimResult result) {
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
		int count = result.tasks().size();
		this.answered.incrementAndGet();
		if (count == 0) {
			this.empty.incrementAndGet();
		}
		this.events.publish((listener) -> listener.onClaim(this.queue, count));
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
	 * A wake message has come.
	 * @param in after what time something is due
	 * @return after what time to claim
	 */
	Duration woken(Duration in) {
		StoreTime storeTime = this.storeTime;
		return (storeTime != null) ? this.stagger.woken(in, storeTime.now()) : in;
	}

	/**
	 * Now and then, make the queue known to those who look for queues. Apart from claims,
	 * which must not depend on it.
	 */
	void announce() {
		Instant now = this.clock.instant();
		Instant announceAt = this.announceAt;
		if (announceAt != null && now.isBefore(announceAt)) {
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
					this.queue, Names.printable(error));
			logger.debug("Where queue '{}' could not be asked", this.queue, error);
		}
		this.lastError = error;
		this.events.publish((listener) -> listener.onPollError(this.queue, error));
	}

	/**
	 * Number of claims that were answered.
	 * @return the number
	 */
	long answered() {
		return this.answered.get();
	}

	/**
	 * Number of claims that brought no task.
	 * @return the number
	 */
	long empty() {
		return this.empty.get();
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
