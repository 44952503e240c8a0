package io.github.delayqueue.listener;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.Names;
import io.github.delayqueue.run.InstanceOrder;
import io.github.delayqueue.run.InstanceTrace;
import io.github.delayqueue.run.Presence;

/**
 * Leaves the traces of this instance, whether or not its listeners run, and does what
 * other instances want of these. On threads of its own, because claims must not depend on
 * it, nor wait for it.
 */
final class InstanceBeats {

	private static final Logger logger = LoggerFactory.getLogger(InstanceBeats.class);

	private static final Duration TICK = Duration.ofSeconds(1);

	/** A last word is not worth more when an application ends. */
	private static final Duration LAST_WORD = Duration.ofSeconds(1);

	private final Presence presence;

	private final ContainerThreads threads;

	private final Supplier<? extends Collection<DefaultListenerContainer>> containers;

	private final AtomicBoolean ticking = new AtomicBoolean();

	private final Consumer<DefaultListenerContainer> starter;

	/** Of the latest reply that had any: they come again until they are too old. */
	private List<String> orders = List.of();

	private volatile boolean begun;

	InstanceBeats(Presence presence, ContainerThreads threads,
			Supplier<? extends Collection<DefaultListenerContainer>> containers,
			Consumer<DefaultListenerContainer> starter) {
		this.presence = presence;
		this.threads = threads;
		this.containers = containers;
		this.starter = starter;
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
				beat();
			}
		}
		finally {
			this.threads.watch().schedule(this::tick, TICK);
		}
	}

	private void beat() {
		if (leave(Presence.LATEST, consumers())) {
			// who gave orders waits to see that they are obeyed
			leave(Presence.LATEST, consumers());
		}
	}

	/** One after the other, and nothing after the last word. */
	private synchronized boolean leave(Duration latest, List<InstanceTrace.Consumer> consumers) {
		if (this.begun == latest.isZero()) {
			return false;
		}
		List<String> orders = this.presence.leave(latest, () -> consumers);
		List<String> known = this.orders;
		if (!this.begun || known.containsAll(orders)) {
			return false;
		}
		this.orders = orders;
		orders.stream().filter((order) -> !known.contains(order)).forEach(this::obey);
		return true;
	}

	private void obey(String text) {
		InstanceOrder order = InstanceOrder.read(text);
		try {
			this.containers.get()
				.stream()
				.filter((container) -> order != null && container.getId().equals(order.listener()))
				.forEach((container) -> {
					logger.info("Listener '{}' is to {}, as another instance asks", container.getId(),
							order.start() ? "start" : "stop");
					turn(container, order.start());
				});
		}
		catch (RuntimeException | Error ex) {
			logger.warn("This instance could not do as another one asks: {}", Names.printable(ex));
			logger.debug("Stack trace of the order that could not be obeyed", ex);
		}
	}

	private void turn(DefaultListenerContainer container, boolean on) {
		if (on) {
			this.starter.accept(container);
			return;
		}
		if (!container.isRunning()) {
			return;
		}
		container.beginStop();
		long since = this.threads.nanoTime();
		// handlers may take their time
		Thread thread = new Thread(() -> container.awaitStop(since), "delay-queue-stop-" + container.getId());
		thread.setDaemon(true);
		thread.start();
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
