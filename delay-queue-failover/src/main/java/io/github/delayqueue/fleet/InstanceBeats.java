package io.github.delayqueue.fleet;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;

import io.github.delayqueue.listener.ConsumerPart;
import io.github.delayqueue.listener.ContainerStatus;
import io.github.delayqueue.options.QueueOptions;

/** Leaves the traces of this instance, on threads that no claim waits for. */
final class InstanceBeats {

	private static final Duration TICK = Duration.ofSeconds(1);

	/** For the listeners that start to begin with. */
	private static final Duration FIRST = Duration.ofMillis(50);

	/** A trace names so many calls that run, and one of each consumer. */
	private static final int MANY_CALLS = 200;

	/** A last word is not worth more when an application ends. */
	private static final Duration LAST_WORD = Duration.ofSeconds(1);

	private final Presence presence;

	private final ConsumerPart.Scope scope;

	/** Used by one beginning at a time. */
	private volatile boolean ticking;

	private volatile boolean begun;

	/** Done when the last word has been said. */
	private volatile Future<?> told = CompletableFuture.completedFuture(null);

	InstanceBeats(Presence presence, ConsumerPart.Scope scope) {
		this.presence = presence;
		this.scope = scope;
	}

	void begin() {
		this.begun = true;
		if (!this.ticking) {
			this.scope.threads().watch().schedule(this::tick, FIRST);
			this.ticking = true;
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
		List<ConsumerPart.Consumer> all = this.scope.consumers().get();
		int calls = Math.min(InstanceTrace.MAX_CALLS, MANY_CALLS / Math.max(1, all.size()) + 1);
		return all.stream().map((consumer) -> {
			ContainerStatus status = consumer.status();
			Instant polledAt = status.lastPollAt();
			return new InstanceTrace.Consumer(status.id(), status.queue(), status.running(), status.concurrency(),
					status.active(), this.presence.ago(consumer.changedAt()),
					(polledAt != null) ? Duration.between(polledAt, this.scope.threads().clock().instant()) : null,
					calls(consumer, calls));
		}).toList();
	}

	private static List<InstanceTrace.Call> calls(ConsumerPart.Consumer consumer, int most) {
		QueueOptions options = consumer.options();
		Duration patience = Collections.min(List.of(options.handlerTimeout(), options.leaseDuration())).dividedBy(2);
		return consumer.longest(most)
			.entrySet()
			.stream()
			.filter((call) -> call.getValue().compareTo(TICK) >= 0)
			.limit(most)
			.map((call) -> new InstanceTrace.Call(call.getKey(), call.getValue(), patience))
			.toList();
	}

}
