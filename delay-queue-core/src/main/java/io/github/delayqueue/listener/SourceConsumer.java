package io.github.delayqueue.listener;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.Names;
import io.github.delayqueue.options.QueueOptions;
import io.github.delayqueue.run.TaskRuns;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.store.WakeListener;
import io.github.delayqueue.store.WakeSubscription;

/**
 * What a container has for each source of its queue: a claim loop, leases and
 * settlements, so that a source that cannot be reached concerns no other.
 */
final class SourceConsumer implements WakeListener {

	private static final Logger logger = LoggerFactory.getLogger(SourceConsumer.class);

	/**
	 * With so many tasks that are handled and cannot be settled nothing more is claimed,
	 * or they would fill the memory.
	 */
	private static final int MAX_UNSETTLED = 10_000;

	/**
	 * With more than these no claim is made beside that of the loop: claims could bring
	 * more than settlements take away.
	 */
	private static final int MAX_UNSETTLED_BESIDE = 8 * TaskStore.MAX_BATCH;

	/** After so many claims beside the loop's, other queues have their turn. */
	private static final int CLAIMS_PER_TURN = 8;

	private final SourceCalls calls;

	private final Leases leases;

	private final SourceSettlements settlements;

	private final Claims claims;

	private final ClaimLoop loop;

	private final SharedParts shared;

	/** For the claims that are made beside those of the loop. */
	private final Semaphore besides = new Semaphore(PooledThreads.CALLS_BESIDE);

	private volatile boolean running;

	private @Nullable WakeSubscription subscription;

	SourceConsumer(String name, SharedParts shared) {
		ContainerThreads threads = shared.threads();
		QueueOptions options = shared.options();
		this.shared = shared;
		this.calls = new SourceCalls(shared.queue(), name, shared.runs(), threads, new AtomicBoolean());
		this.leases = new Leases(this.calls, options.handlerTimeout(), shared.onTick());
		this.settlements = new SourceSettlements(this.calls, this.leases);
		this.claims = new Claims(this.calls, options, this.settlements, shared.lastChances(), shared.holder(),
				this::wake);
		this.loop = new ClaimLoop("listener '" + shared.listenerId() + "' from '" + name + "'", this::claim,
				this.calls.suspect()::get, threads.claims(shared.listenerId(), name), threads::nanoTime,
				options.pollInterval(), threads::random);
	}

	/**
	 * What the sources of a container share.
	 *
	 * @param lastChances keeps dangerous tasks apart
	 * @param holder what the tokens of their claims begin with
	 * @param claimed takes what they have claimed, and what the store has answered
	 * @param onTick called now and then while they hold tasks
	 */
	record SharedParts(String listenerId, String queue, QueueOptions options, TaskRuns runs, ContainerThreads threads,
			Permits permits, LastChances lastChances, Supplier<String> holder,
			BiConsumer<String, Claims.ClaimAnswer> claimed, Runnable onTick) {

	}

	private void wake() {
		this.loop.wake(Duration.ZERO);
	}

	@Override
	public void wake(Duration in) {
		this.loop.wake(this.claims.woken(in));
	}

	Leases leases() {
		return this.leases;
	}

	SourceSettlements settlements() {
		return this.settlements;
	}

	Claims claims() {
		return this.claims;
	}

	/** Without effect if it runs. */
	void start() {
		if (this.running) {
			return;
		}
		this.running = true;
		this.claims.renewTokens();
		this.subscription = subscribe();
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

	/** Whether no claim is under way. */
	boolean isIdle() {
		return this.loop.isIdle() && this.besides.availablePermits() == PooledThreads.CALLS_BESIDE;
	}

	private Duration claim() {
		Permits permits = this.shared.permits();
		boolean onCredit = this.claims.lastError() != null;
		Permits.Grant grant = Permits.Grant.NONE;
		boolean more = false;
		boolean asks = this.settlements.pending() < MAX_UNSETTLED;
		try {
			if (asks) {
				grant = onCredit ? permits.credit() : permits.acquire(this.loop);
			}
			Duration next = this.claims.tend(claimAndHandOn(grant));
			this.claims.giveBack();
			more = next.isZero();
			if (more && this.besides.tryAcquire() && !this.shared.threads().beside(this::claimBeside)) {
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
			for (int i = 0; more && i < CLAIMS_PER_TURN && this.running && this.claims.lastError() == null
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
		Claims.ClaimAnswer claimed = this.claims.claim(grant.limit(), grant.startable());
		this.leases.add(claimed.tasks());
		this.shared.claimed().accept(this.calls.source(), claimed);
		return claimed.left(this.shared.threads().nanoTime());
	}

}
