package io.github.delayqueue.listener;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.Names;
import io.github.delayqueue.options.QueueOptions;
import io.github.delayqueue.run.ClaimTurns;
import io.github.delayqueue.run.ClaimTurns.ClaimTurn;
import io.github.delayqueue.run.LostClaims;
import io.github.delayqueue.run.TaskClaim;
import io.github.delayqueue.run.Tending;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.ClaimResult;
import io.github.delayqueue.store.ClaimTerms;

/**
 * The claims of one container from one source: how many tasks, with which token, what to
 * tell of them, and when to claim again. Several may be under way at a time.
 */
final class Claims {

	private static final Logger logger = LoggerFactory.getLogger(Claims.class);

	/**
	 * A bounded number of old tasks is removed at once; others come to the store between.
	 */
	private static final Duration WAIT_TO_TRIM = Duration.ofMillis(5);

	private final SourceCalls calls;

	private final QueueOptions options;

	private final ClaimTerms terms;

	private final SourceSettlements settlements;

	private final Clock clock;

	private final ClaimTurns turns = new ClaimTurns();

	private final LastChances lastChances;

	private final LostClaims lost;

	private final Tending tending = new Tending();

	/** A claim has said that it is time to tend. */
	private final AtomicBoolean untended = new AtomicBoolean();

	private final Supplier<String> holder;

	private final Runnable claimAgain;

	private final Stagger stagger;

	private final RoundTrips roundTrips = new RoundTrips();

	private final AtomicLong answered = new AtomicLong();

	private final AtomicLong empty = new AtomicLong();

	private volatile @Nullable Instant lastSuccess;

	private volatile @Nullable Throwable lastError;

	private volatile boolean paused;

	/** Knows the time of the store. */
	private volatile @Nullable TaskClaim last;

	Claims(SourceCalls calls, QueueOptions options, SourceSettlements settlements, LastChances lastChances,
			Supplier<String> holder, Runnable claimAgain) {
		this.calls = calls;
		this.options = options;
		this.terms = ClaimTerms.of(options.leaseDuration(), options.limits(), options.maxLeaseLosses());
		this.settlements = settlements;
		this.clock = calls.threads().clock();
		this.stagger = new Stagger(calls.threads()::random);
		this.lastChances = lastChances;
		this.lost = new LostClaims(calls.store(), calls.source(), calls.threads()::nanoTime);
		this.holder = holder;
		this.claimAgain = claimAgain;
	}

	/**
	 * What a claim brought.
	 *
	 * @param next after what time to claim again, zero for at once
	 * @param from since when that time has been passing, by the local monotonic clock;
	 * {@code null} where it begins when the claim is over
	 * @param result what the store has answered, {@code null} if it was not asked
	 */
	record ClaimAnswer(List<HeldTask> tasks, Duration next, @Nullable Long from, @Nullable ClaimResult result) {

		/** How much is left of the time after which to claim again. */
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
	 */
	ClaimAnswer claim(int limit, int startable) {
		if (limit == 0) {
			this.stagger.skipped();
			if (this.lastError == null) {
				this.lastSuccess = this.clock.instant();
			}
			return new ClaimAnswer(List.of(), this.options.pollInterval(), null, null);
		}
		try {
			ClaimAnswer claimed = claimFromStore(limit, Math.min(startable, limit));
			succeeded();
			return claimed;
		}
		catch (RuntimeException | Error ex) {
			failed(ex);
			throw ex;
		}
	}

	private ClaimAnswer claimFromStore(int limit, int startable) {
		ClaimTurn turn = this.turns.next(this.holder.get());
		// under a permanent load of quick tasks nothing can ever start at once
		int lostLeaseLimit = turn.oldestFirst() ? Math.max(1, startable) : startable;
		boolean lastChance = this.lastChances.begin();
		List<HeldTask> tasks = List.of();
		boolean left = false;
		TaskClaim.Answered answered;
		try {
			answered = TaskClaim.ask(this.calls.runs(), this.calls.queue(), this.calls.source(),
					new ClaimRequest(turn.token(), limit, lostLeaseLimit, turn.oldestFirst(), lastChance, this.terms));
			tasks = answered.result()
				.tasks()
				.stream()
				.map((record) -> new HeldTask(answered.claim(), record, this.settlements::add,
						this.options.leaseDuration(), this.options.autoRenewLease()))
				.toList();
			left = answered.result().notes().leaves();
		}
		catch (RuntimeException | Error ex) {
			this.lost.add(turn.token(), this.options.leaseDuration());
			throw ex;
		}
		finally {
			this.lastChances.claimed(lastChance, tasks, left, this.claimAgain);
		}
		TaskClaim claim = answered.claim();
		ClaimResult result = answered.result();
		this.answered.incrementAndGet();
		this.empty.addAndGet(tasks.isEmpty() ? 1 : 0);
		this.paused = result.paused();
		if (result.notes().untended()) {
			this.untended.set(true);
		}
		// a journal has looked at the tasks in its table meanwhile
		long from = this.roundTrips.add(claim.sentAt(), claim.answeredAt(), tasks.isEmpty());
		this.last = claim;
		Duration later = this.stagger.claimed(result);
		Duration next = answered.next(this.options.pollInterval());
		return new ClaimAnswer(tasks, next.plus(later), (!next.isZero() && next.equals(result.wakeIn())) ? from : null,
				result);
	}

	/** This process may be a copy of one that has claimed. */
	void renewTokens() {
		this.turns.renew();
	}

	/**
	 * Tend the source, if a claim has said that it is time to.
	 * @param next after what time to claim again otherwise
	 * @return after what time to claim again
	 */
	Duration tend(Duration next) {
		boolean more = this.untended.getAndSet(false)
				&& this.tending.tend(this.calls.runs(), this.calls.queue(), this.calls.source());
		return (more && next.compareTo(WAIT_TO_TRIM) > 0) ? WAIT_TO_TRIM : next;
	}

	/** Hand back what claims took whose answer was lost. */
	void giveBack() {
		this.lost.giveBack();
	}

	/** A wake message has come: something is due after that time. */
	Duration woken(Duration in) {
		TaskClaim last = this.last;
		return (last != null) ? this.stagger.woken(in, last.now()) : in;
	}

	private void succeeded() {
		this.calls.suspect().set(false);
		this.lastSuccess = this.clock.instant();
		if (this.lastError != null) {
			this.lastError = null;
			logger.info("Queue '{}' is consumed again", this.calls.queue());
		}
	}

	private void failed(Throwable error) {
		this.calls.suspect().set(true);
		if (this.lastError == null) {
			logger.warn("Claiming tasks of queue '{}' failed; it will be tried again until Redis answers: {}",
					this.calls.queue(), Names.printable(error));
			logger.debug("Stack trace of the failed claim from queue '{}'", this.calls.queue(), error);
		}
		this.lastError = error;
	}

	String source() {
		return this.calls.source();
	}

	long answered() {
		return this.answered.get();
	}

	/** Number of claims that brought no task. */
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
