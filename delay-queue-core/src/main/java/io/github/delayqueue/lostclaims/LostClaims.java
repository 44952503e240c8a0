package io.github.delayqueue.lostclaims;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.LongSupplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.Names;
import io.github.delayqueue.roles.ClaimedTokens;
import io.github.delayqueue.store.Settlement;
import io.github.delayqueue.store.TaskStore;

/**
 * The claims from one source that have failed. The store may have carried them out, or
 * may still do so: nobody handles what they took, so it is released untried, and need not
 * wait until its leases run out. For wiring. Thread-safe.
 */
public final class LostClaims {

	private static final Logger logger = LoggerFactory.getLogger(LostClaims.class);

	/** In a long outage, the leases of others run out. */
	static final int MOST = 100;

	/** From the first look to the next: a claim may come to the store after the first. */
	static final Duration FIRST_PAUSE = Duration.ofSeconds(1);

	private final TaskStore store;

	private final String source;

	private final LongSupplier nanoTime;

	/** Tokens, and when their leases are over. */
	private final Map<String, Long> tokens = new LinkedHashMap<>();

	private Duration pause = FIRST_PAUSE;

	private long lookAt;

	private boolean looking;

	public LostClaims(TaskStore store, String source, LongSupplier nanoTime) {
		this.store = store;
		this.source = source;
		this.nanoTime = nanoTime;
	}

	/**
	 * A claim has failed, so nothing of it is handled.
	 * @param leaseDuration how long its leases last
	 */
	public synchronized void add(String token, Duration leaseDuration) {
		this.lookAt = this.nanoTime.getAsLong();
		this.pause = FIRST_PAUSE;
		this.tokens.put(token, this.lookAt + leaseDuration.toNanos());
		if (this.tokens.size() > MOST) {
			this.tokens.remove(this.tokens.keySet().iterator().next());
		}
	}

	/** Whether there is nothing to look for any more. */
	synchronized boolean isEmpty() {
		long now = this.nanoTime.getAsLong();
		this.tokens.values().removeIf((end) -> end - now <= 0);
		return this.tokens.isEmpty();
	}

	/**
	 * Look for what they took, and release it. To be called when the store has answered;
	 * costs nothing if no claim has failed.
	 * @param threads nothing is looked for now if there is none
	 */
	public void release(Executor threads) {
		Set<String> due = due();
		try {
			if (!due.isEmpty()) {
				threads.execute(() -> release(due));
			}
		}
		catch (RejectedExecutionException | OutOfMemoryError ex) {
			looked();
		}
	}

	private void release(Set<String> due) {
		try {
			ClaimedTokens tokens = this.store.role(ClaimedTokens.class);
			Map<String, String> found = (tokens != null) ? tokens.claimedWith(this.source, due) : Map.of();
			if (!found.isEmpty()) {
				this.store.settle(this.source,
						found.entrySet()
							.stream()
							.map((task) -> new Settlement(task.getKey(), task.getValue(), new Settlement.Release(null)))
							.toList());
				logger.info("{} tasks of '{}' are released: they were claimed, and the answer was lost", found.size(),
						this.source);
				given(found);
			}
		}
		catch (RuntimeException ex) {
			logger.debug("Lost claims from '{}' are looked for again: {}", this.source, Names.printable(ex));
		}
		finally {
			looked();
		}
	}

	private synchronized void looked() {
		this.looking = false;
	}

	private synchronized Set<String> due() {
		long now = this.nanoTime.getAsLong();
		if (isEmpty() || this.looking || this.lookAt - now > 0) {
			return Set.of();
		}
		this.looking = true;
		this.lookAt = now + this.pause.toNanos();
		this.pause = this.pause.multipliedBy(2);
		return Set.copyOf(this.tokens.keySet());
	}

	/** A claim takes all that it takes at once: nothing more can be found. */
	private synchronized void given(Map<String, String> found) {
		if (found.size() < TaskStore.MAX_BATCH) {
			this.tokens.keySet().removeAll(Set.copyOf(found.values()));
		}
		else {
			this.lookAt = this.nanoTime.getAsLong();
		}
	}

}
