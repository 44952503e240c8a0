package io.github.delayqueue.fleet;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.delayqueue.listener.ConsumerPart;
import io.github.delayqueue.listener.ContainerStatus;

/**
 * Leaves the traces of this instance, whether or not its listeners run. On threads of its
 * own, because claims must not depend on it, nor wait for it.
 */
final class InstanceBeats {

	private static final Duration TICK = Duration.ofSeconds(1);

	/** For the listeners that start to begin with. */
	private static final Duration FIRST = Duration.ofMillis(50);

	/** A last word is not worth more when an application ends. */
	private static final Duration LAST_WORD = Duration.ofSeconds(1);

	private final Presence presence;

	private final ConsumerPart.Scope scope;

	private final AtomicBoolean ticking = new AtomicBoolean();

	private volatile boolean begun;

	/** Done when the last word has been said. */
	private volatile Future<?> told = CompletableFuture.completedFuture(null);

	InstanceBeats(Presence presence, ConsumerPart.Scope scope) {
		this.presence = presence;
		this.scope = scope;
	}

	void begin() {
		this.begun = true;
		if (this.ticking.compareAndSet(false, true)) {
			this.scope.threads().watch().schedule(this::tick, FIRST);
		}
	}

	/** All listeners are to stop: say that they consumed until now. */
	void end() {
		boolean before = this.begun;
		this.begun = false;
		List<InstanceTrace.Consumer> last = consumers();
		if (before) {
			this.told = this.scope.threads().watch().schedule(() -> leave(Duration.ZERO, last), Duration.ZERO);
		}
	}

	/** Wait a little for the last word. */
	void await() {
		this.scope.threads().await(this.told::isDone, LAST_WORD);
	}

	private void tick() {
		try {
			if (this.begun && this.presence.isDue()) {
				leave(Presence.LATEST, consumers());
			}
		}
		finally {
			this.scope.threads().watch().schedule(this::tick, TICK);
		}
	}

	/** One after the other, and nothing after the last word. */
	private synchronized void leave(Duration latest, List<InstanceTrace.Consumer> consumers) {
		if (this.begun != latest.isZero()) {
			this.presence.leave(latest, () -> consumers);
		}
	}

	private List<InstanceTrace.Consumer> consumers() {
		return this.scope.consumers().get().stream().map((consumer) -> {
			ContainerStatus status = consumer.status();
			Instant polledAt = status.lastPollAt();
			return new InstanceTrace.Consumer(status.id(), status.queue(), status.running(), status.concurrency(),
					status.active(), this.presence.ago(consumer.changedAt()),
					(polledAt != null) ? Duration.between(polledAt, this.scope.threads().clock().instant()) : null);
		}).toList();
	}

}
