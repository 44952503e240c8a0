package io.github.delayqueue.listener;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

import io.github.delayqueue.run.InstanceTrace;
import io.github.delayqueue.run.Presence;

/**
 * Leaves the traces of this instance, whether or not its listeners run. On threads of its
 * own, because claims must not depend on it, nor wait for it.
 */
final class InstanceBeats {

	private static final Duration TICK = Duration.ofSeconds(1);

	/** A last word is not worth more when an application ends. */
	private static final Duration LAST_WORD = Duration.ofSeconds(1);

	private final Presence presence;

	private final ContainerThreads threads;

	private final Supplier<? extends Collection<DefaultListenerContainer>> containers;

	private final AtomicBoolean ticking = new AtomicBoolean();

	private volatile boolean begun;

	InstanceBeats(Presence presence, ContainerThreads threads,
			Supplier<? extends Collection<DefaultListenerContainer>> containers) {
		this.presence = presence;
		this.threads = threads;
		this.containers = containers;
	}

	/** There are listeners. */
	void begin() {
		this.begun = true;
		if (this.ticking.compareAndSet(false, true)) {
			this.threads.watch().schedule(this::tick, Duration.ZERO);
		}
	}

	/**
	 * All listeners are to stop: say that they consumed until now. Returns before that is
	 * said.
	 * @return done when it has been said
	 */
	Future<?> end() {
		boolean before = this.begun;
		this.begun = false;
		List<InstanceTrace.Consumer> last = consumers();
		return before ? this.threads.watch().schedule(() -> leave(Duration.ZERO, last), Duration.ZERO)
				: CompletableFuture.completedFuture(null);
	}

	/** Wait a little for the last word. */
	void await(Future<?> told) {
		this.threads.await(told::isDone, LAST_WORD);
	}

	private void tick() {
		try {
			if (this.begun && this.presence.isDue()) {
				leave(Presence.LATEST, consumers());
			}
		}
		finally {
			this.threads.watch().schedule(this::tick, TICK);
		}
	}

	/** One after the other, and nothing after the last word. */
	private synchronized void leave(Duration latest, List<InstanceTrace.Consumer> consumers) {
		if (this.begun != latest.isZero()) {
			this.presence.leave(latest, () -> consumers);
		}
	}

	private List<InstanceTrace.Consumer> consumers() {
		return this.containers.get().stream().map((container) -> {
			ContainerStatus status = container.status();
			Instant polledAt = status.lastPollAt();
			return new InstanceTrace.Consumer(container.getId(), container.getQueue(), status.running(),
					status.concurrency(), status.active(), this.presence.ago(container.changedAt()),
					(polledAt != null) ? Duration.between(polledAt, this.threads.clock().instant()) : null);
		}).toList();
	}

}
