package io.github.delayqueue.listener;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.Names;
import io.github.delayqueue.options.QueueOptions;
import io.github.delayqueue.run.ClaimTurns.ClaimTurn;
import io.github.delayqueue.run.ClaimTurns;
import io.github.delayqueue.run.TaskClaim;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.ClaimResult;
import io.github.delayqueue.store.ClaimTerms;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.store.WakeListener;
import io.github.delayqueue.store.WakeSubscription;

/**
 * The claims of one container from one source: how many tasks, with which token, what to
 * tell of them, and when to claim again. Several may be under way at a time.
 */
final class Claims implements WakeListener {

	private static final Logger logger = LoggerFactory.getLogger(Claims.class);

	/** With more unsettled nothing is claimed: they would fill the memory. */
	private static final int MAX_UNSETTLED = 10_000;

	/** With more, claims beside could bring more than settlements take away. */
	private static final int MAX_UNSETTLED_BESIDE = 8 * TaskStore.MAX_BATCH;

	/** After so many claims beside the loop's, other queues have their turn. */
	private static final int CLAIMS_PER_TURN = 8;

	private final SourceCalls calls;

	private final Shared shared;

	private final ClaimTerms terms;

	private final Leases leases;

	private final SourceSettlements settlements;

	private final ClaimLoop loop;

	private final Runnable claimAgain;

	private final ClaimTurns turns = new ClaimTurns();

	/** For the claims that are made beside those of the loop. */
	private final Semaphore besides = new Semaphore(ContainerThreads.CALLS_BESIDE);

	private final @Nullable ClaimPace pace;

	private final RoundTrips roundTrips = new RoundTrips();

	private final AtomicLong answered = new AtomicLong();

	private final AtomicLong empty = new AtomicLong();

	private @Nullable WakeSubscription subscription;

	private volatile @Nullable Instant lastSuccess;

	private volatile @Nullable Throwable lastError;

	private volatile boolean paused;

	private volatile boolean running;

	/** Knows the time of the store. */
	private volatile @Nullable TaskClaim last;

	Claims(SourceCalls calls, Shared shared, Leases leases, SourceSettlements settlements) {
		ContainerThreads threads = calls.threads();
		QueueOptions options = shared.options();
		this.calls = calls;
		this.shared = shared;
		this.terms = ClaimTerms.of(options.leaseDuration(), options.claimParts(), options.maxLeaseLosses());
		this.leases = leases;
		this.settlements = settlements;
		this.pace = shared.pace().get();
		this.loop = new ClaimLoop("listener '" + shared.listenerId() + "' from '" + calls.source() + "'", this::claim,
				calls.suspect()::get, threads.claims(shared.listenerId(), calls.source()), threads::nanoTime,
				options.pollInterval(), threads::random);
		this.claimAgain = () -> this.loop.wake(Duration.ZERO);
	}

	/**
	 * What the sources of a container share.
	 *
	 * @param guard says which claims may bring a dangerous task
	 * @param holder what the tokens of their claims begin with
	 * @param pace of the claims from one of them
	 * @param claimed takes what they have claimed, and what the store has answered
	 */
	record Shared(String listenerId, QueueOptions options, Permits permits, @Nullable ClaimGuard guard,
			Supplier<String> holder, Supplier<@Nullable ClaimPace> pace, BiConsumer<String, ClaimAnswer> claimed,
			BiConsumer<String, String> failed) {

	}

	void start() {
		this.subscription = subscribe();
		// this process may be a copy of one that has claimed
		this.turns.renew();
		this.running = true;
		this.loop.start();
	}

	private @Nullable WakeSubscription subscribe() {
		try {
			return this.calls.store().subscribe(this.calls.source(), this);
		}
		catch (RuntimeException ex) {
			logger.warn("Listener '{}' gets no wake messages for '{}'; it asks for tasks every {}: {}",
					this.shared.listenerId(), this.calls.source(),
					Names.printable(this.shared.options().pollInterval()), Names.printable(ex));
			logger.debug("Stack trace of the failed subscription of listener '{}'", this.shared.listenerId(), ex);
			return null;
		}
	}

	/** Claim no more. A claim under way goes on. */
	void stop() {
		this.running = false;
		this.loop.stop();
		this.shared.permits().leave(this.loop);
		if (this.subscription != null) {
			this.subscription.close();
			this.subscription = null;
		}
	}

	/** Whether no call is under way. */
	boolean isIdle() {
		return this.loop.isIdle() && this.besides.availablePermits() == ContainerThreads.CALLS_BESIDE;
	}

	@Override
	public void wake(Duration in) {
		TaskClaim last = this.last;
		this.loop.wake((last != null && this.pace != null) ? this.pace.woken(in, last.now()) : in);
	}

	@Override
	public void withdrawn() {
		this.leases.check();
	}

	private Duration claim() {
		Permits permits = this.shared.permits();
		boolean onCredit = this.lastError != null;
		Permits.Grant grant = Permits.Grant.NONE;
		boolean more = false;
		boolean asks = this.settlements.pending() < MAX_UNSETTLED;
		try {
			if (asks) {
				grant = onCredit ? permits.credit() : permits.acquire(this.loop);
			}
			Duration next = claimAndHandOn(grant);
			more = next.isZero();
			if (more && this.besides.tryAcquire() && !this.calls.threads().beside(this::claimBeside)) {
				this.besides.release();
			}
			return (grant.limit() > 0) ? next : permits.retryAfter(next, asks && !onCredit);
		}
		finally {
			if (!onCredit && grant.limit() > 0) {
				permits.release(this.loop, grant, more);
			}
		}
	}

	/**
	 * While more is due than a large claim takes, makes claims beside those of the loop:
	 * while the answer to one is read, the store is busy with the other.
	 */
	private void claimBeside() {
		try {
			boolean more = true;
			for (int i = 0; more && i < CLAIMS_PER_TURN && this.running && this.lastError == null
					&& this.settlements.pending() < MAX_UNSETTLED_BESIDE; i++) {
				Permits.Grant grant = this.shared.permits().acquireSpare(this.loop);
				if (grant.limit() == 0) {
					break;
				}
				try {
					more = claimAndHandOn(grant).isZero();
				}
				finally {
					this.shared.permits().release(this.loop, grant, false);
				}
			}
		}
		catch (RuntimeException | Error ex) {
			// the loop sees the same, and goes on
			logger.debug("A claim from '{}' beside the others failed", this.calls.source(), ex);
		}
		finally {
			this.besides.release();
		}
	}

	private Duration claimAndHandOn(Permits.Grant grant) {
		ClaimAnswer claimed = claim(grant.limit(), grant.startable());
		this.leases.add(claimed.tasks());
		this.shared.claimed().accept(this.calls.source(), claimed);
		return claimed.left(this.calls.threads().nanoTime());
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
			if (this.pace != null) {
				this.pace.skipped();
			}
			if (this.lastError == null) {
				this.lastSuccess = this.calls.threads().clock().instant();
			}
			return new ClaimAnswer(List.of(), this.shared.options().pollInterval(), null, null);
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
		ClaimTurn turn = this.turns.next(this.shared.holder().get());
		// under a permanent load of quick tasks nothing can ever start at once
		int lostLeaseLimit = turn.oldestFirst() ? Math.max(1, startable) : startable;
		ClaimGuard guard = this.shared.guard();
		boolean lastChance = guard == null || guard.begin();
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
						this.shared.options().leaseDuration(), this.shared.options().autoRenewLease()))
				.toList();
			left = answered.result().notes().leaves();
		}
		catch (RuntimeException | Error ex) {
			this.shared.failed().accept(this.calls.source(), turn.token());
			throw ex;
		}
		finally {
			if (guard != null) {
				guard.claimed(lastChance, tasks, left, this.claimAgain);
			}
		}
		TaskClaim claim = answered.claim();
		ClaimResult result = answered.result();
		this.answered.incrementAndGet();
		this.empty.addAndGet(tasks.isEmpty() ? 1 : 0);
		this.paused = result.paused();
		// a journal has looked at the tasks in its table meanwhile
		long from = this.roundTrips.add(claim.sentAt(), claim.answeredAt(), tasks.isEmpty());
		this.last = claim;
		Duration later = (this.pace != null) ? this.pace.claimed(result) : Duration.ZERO;
		Duration next = answered.next(this.shared.options().pollInterval());
		return new ClaimAnswer(tasks, next.plus(later), (!next.isZero() && next.equals(result.wakeIn())) ? from : null,
				result);
	}

	private void succeeded() {
		this.calls.suspect().set(false);
		this.lastSuccess = this.calls.threads().clock().instant();
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
