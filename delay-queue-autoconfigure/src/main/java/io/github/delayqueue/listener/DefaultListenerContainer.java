package io.github.delayqueue.listener;

import java.time.Clock;
import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.convert.TaskCodec;
import io.github.delayqueue.event.TaskEvents;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.store.WakeSubscription;

/**
 * A container: puts together the claim loop, the workers, the leases and the settlements
 * of one listener, and starts and stops them.
 */
final class DefaultListenerContainer implements DelayQueueListenerContainer {

	private static final Logger logger = LoggerFactory.getLogger(DefaultListenerContainer.class);

	/**
	 * How long stopping waits for a claim or a settlement under way, beyond its time-out.
	 */
	private static final Duration GRACE = Duration.ofSeconds(5);

	/**
	 * With so many tasks that are handled and cannot be settled nothing more is claimed,
	 * or they would fill the memory.
	 */
	private static final int MAX_UNSETTLED = 10_000;

	private final DelayQueueListenerEndpoint endpoint;

	private final ContainerOptions options;

	private final TaskStore store;

	private final ContainerThreads threads;

	private final ContainerThreads.HandlerThreads handlerThreads;

	private final Leases leases;

	private final Settlements settlements;

	private final DeliveryRunner runner;

	private final Workers workers;

	private final Claims claims;

	private final LastChances lastChances;

	private final ClaimLoop loop;

	private final Object lifecycle = new Object();

	private volatile boolean running;

	private boolean destroyed;

	/** Set while the loop waits for a worker to become free. */
	private volatile boolean hungry;

	private @Nullable WakeSubscription subscription;

	/** Of the last tick: how many tasks had been finished. */
	private long finishedAtLastTick;

	DefaultListenerContainer(DelayQueueListenerEndpoint endpoint, ContainerOptions options, TaskStore store,
			TaskCodec codec, TaskEvents events, ContainerThreads threads, Clock clock) {
		this.endpoint = endpoint;
		this.options = options;
		this.store = store;
		this.threads = threads;
		this.handlerThreads = threads.handlers(endpoint.id(), options.concurrency());
		this.leases = new Leases(endpoint.queue(), store, threads.leases(), options.timeout(), this::onTick);
		this.settlements = new Settlements(endpoint.queue(), store, events, this.leases, threads.settlements());
		this.runner = new DeliveryRunner(endpoint, options, store, codec, events, this.settlements::add);
		this.workers = new Workers(options, this.handlerThreads.executor(), this.runner, this::onFree);
		this.claims = new Claims(endpoint.queue(), options, store, events, clock);
		this.lastChances = new LastChances(endpoint.queue(), options.maxExpiries(), store, this.leases,
				this.settlements);
		this.loop = new ClaimLoop("listener '" + endpoint.id() + "'", this::claim, threads.timers(),
				options.pollInterval());
	}

	@Override
	public String getId() {
		return this.endpoint.id();
	}

	@Override
	public String getQueue() {
		return this.endpoint.queue();
	}

	@Override
	public Duration getTtr() {
		return this.options.ttr();
	}

	DelayQueueListenerEndpoint endpoint() {
		return this.endpoint;
	}

	ContainerOptions options() {
		return this.options;
	}

	@Override
	public void start() {
		synchronized (this.lifecycle) {
			if (this.running) {
				return;
			}
			if (this.destroyed) {
				throw new DelayQueueException(this.endpoint.queue(), null, "Listener '" + this.endpoint.id()
						+ "' has been unregistered and cannot start again: register it anew");
			}
			this.running = true;
			this.subscription = subscribe();
			this.loop.start();
			logger.info("Listener '{}' consumes queue '{}' (concurrency {}, ttr {}): {}", this.endpoint.id(),
					this.endpoint.queue(), this.options.concurrency(), this.options.ttr(), this.endpoint.description());
		}
	}

	private @Nullable WakeSubscription subscribe() {
		try {
			return this.store.subscribe(this.endpoint.queue(), this.loop::wake);
		}
		catch (RuntimeException ex) {
			logger.warn("Listener '{}' gets no wake messages for queue '{}'; it asks for tasks every {}",
					this.endpoint.id(), this.endpoint.queue(), this.options.pollInterval(), ex);
			return null;
		}
	}

	@Override
	public void stop() {
		beginStop();
		if (this.runner.isCalledByHandler()) {
			// which cannot wait for its own end
			handBack();
			logger.info("Listener '{}' has been stopped by its handler", this.endpoint.id());
			return;
		}
		awaitStop(System.nanoTime());
	}

	/**
	 * Claim no more.
	 */
	void beginStop() {
		synchronized (this.lifecycle) {
			this.running = false;
			this.loop.stop();
			if (this.subscription != null) {
				this.subscription.close();
				this.subscription = null;
			}
		}
	}

	/**
	 * Hand back what has not been started, and wait for what has.
	 * @param since from when on the shutdown-timeout counts, of the local monotonic clock
	 */
	void awaitStop(long since) {
		// without the lock: a handler may stop or start its own container meanwhile
		if (this.running) {
			return;
		}
		try {
			handBack();
			long deadline = since + this.options.shutdownTimeout().toNanos();
			boolean idle = this.loop.awaitIdle(System.nanoTime() + GRACE.toNanos());
			handBack();
			boolean ended = this.threads.await(this.workers::isIdle, deadline);
			boolean settled = this.threads.await(() -> unsettled() == 0,
					Math.max(deadline, System.nanoTime() + GRACE.toNanos()));
			if (idle && ended && settled) {
				logger.info("Listener '{}' has stopped", this.endpoint.id());
			}
			else {
				logger.warn(
						"Listener '{}' has stopped to claim, but after shutdown-timeout {} {} tasks still run "
								+ "and {} could not be settled; they are delivered again if the application ends now",
						this.endpoint.id(), this.options.shutdownTimeout(), this.workers.active(), unsettled());
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			logger.warn("Listener '{}' was interrupted while it stopped", this.endpoint.id());
		}
	}

	/**
	 * Give up the threads of the handlers; those that still run are interrupted, and
	 * their tasks handed back.
	 */
	void destroy() {
		synchronized (this.lifecycle) {
			this.destroyed = true;
		}
		if (!this.runner.isCalledByHandler()) {
			this.runner.abandon();
			this.handlerThreads.release().run();
		}
	}

	/**
	 * Whether it holds no task.
	 * @return whether all it has claimed is settled
	 */
	boolean isEmpty() {
		return this.leases.size() == 0;
	}

	/** Number of tasks that are through the handler and not settled. */
	private int unsettled() {
		return Math.max(0, this.leases.size() - this.workers.outstanding());
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	@Override
	public ContainerStatus status() {
		return new ContainerStatus(this.endpoint.id(), this.endpoint.queue(), this.running, this.claims.isPaused(),
				this.options.concurrency(), this.workers.active(), this.claims.lastSuccess(), this.claims.lastError(),
				this.options.pollInterval());
	}

	private Duration claim() {
		// set before looking, so that a worker that becomes free in between wakes the
		// loop
		this.hungry = true;
		int limit = (unsettled() < MAX_UNSETTLED) ? this.workers.claimable() : 0;
		if (limit > 0) {
			this.hungry = false;
		}
		Claims.Claimed claimed = this.claims.claim(limit, this.workers.idle());
		List<Held> tasks = this.lastChances.admit(claimed.tasks());
		this.leases.add(tasks);
		if (this.running) {
			this.workers.accept(tasks);
		}
		else {
			release(tasks);
		}
		if (!this.running) {
			handBack();
		}
		this.claims.announce();
		return claimed.next();
	}

	private void handBack() {
		release(this.workers.drain());
	}

	private void release(List<Held> tasks) {
		tasks.forEach((held) -> this.settlements.add(Outcome.release(held, null)));
	}

	private void onFree() {
		if (this.hungry && this.workers.claimable() > 0) {
			this.loop.wake(Duration.ZERO);
		}
	}

	/**
	 * While tasks are held: ends handlers whose time is over, and hands back what was
	 * claimed in advance for a handler that has become slow.
	 */
	private void onTick() {
		this.runner.endOverdueCalls();
		long finished = this.workers.finished();
		if (this.workers.hasBuffered() && finished == this.finishedAtLastTick) {
			release(this.workers.drainAsSlow());
		}
		this.finishedAtLastTick = finished;
	}

}
