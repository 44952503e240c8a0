package io.github.delayqueue.listener;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.Names;
import io.github.delayqueue.convert.TaskCodec;
import io.github.delayqueue.event.TaskEvents;
import io.github.delayqueue.options.OptionTable;
import io.github.delayqueue.options.QueueOptions;
import io.github.delayqueue.run.TaskRuns;
import io.github.delayqueue.store.TaskStore;

/**
 * A container: puts together the workers of one listener and what claims for them from
 * each source of its queue, and starts and stops them.
 */
final class DefaultListenerContainer implements DelayQueueListenerContainer, ConsumerPart.Consumer {

	private static final Logger logger = LoggerFactory.getLogger(DefaultListenerContainer.class);

	/**
	 * How long stopping waits for a claim or a settlement under way, beyond its timeout.
	 */
	private static final Duration GRACE = Duration.ofSeconds(5);

	private final DelayQueueListenerEndpoint endpoint;

	private final QueueOptions options;

	private final ContainerThreads threads;

	private final DeliveryRunner runner;

	private final Workers workers;

	private final Permits permits;

	/** What claims from each source of the queue. */
	private final List<SourceConsumer> consumers;

	private final List<ConsumerPart> parts;

	private final Object lifecycle = new Object();

	private volatile boolean running;

	private boolean destroyed;

	private volatile long changedAt;

	DefaultListenerContainer(DelayQueueListenerEndpoint endpoint, QueueOptions options, TaskStore store,
			TaskCodec codec, TaskEvents events, ContainerThreads threads, List<ConsumerPart> parts) {
		this.endpoint = endpoint;
		this.options = options;
		this.threads = threads;
		this.parts = parts;
		this.changedAt = threads.nanoTime();
		TaskRuns runs = new TaskRuns(store, codec, events, options.maxLeaseLosses(), options.expiresAfter(),
				!options.get(OptionTable.COMPLETED_RETENTION).isZero(), threads::nanoTime);
		this.runner = new DeliveryRunner(endpoint, options, runs, threads::handlerNanoTime);
		this.workers = new Workers(endpoint.id(), options, threads.handlers(), this.runner, this::onFree);
		this.permits = new Permits(this.workers, options, threads::nanoTime);
		Claims.Shared shared = new Claims.Shared(endpoint.id(), options, this.permits,
				first((part) -> part.guard(options)), this::tokenPrefix, () -> first(ConsumerPart::pace), this::accept,
				(source, token) -> parts.forEach((part) -> part.failed(this, source, token)));
		this.consumers = store.sources(endpoint.queue())
			.stream()
			.map((source) -> SourceConsumer.of(
					new SourceCalls(endpoint.queue(), source, runs, threads, new AtomicBoolean()), shared,
					this::onTick))
			.toList();
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
	public Duration getLeaseDuration() {
		return this.options.leaseDuration();
	}

	@Override
	public long changedAt() {
		return this.changedAt;
	}

	@Override
	public DelayQueueListenerEndpoint endpoint() {
		return this.endpoint;
	}

	@Override
	public QueueOptions options() {
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
			this.changedAt = this.threads.nanoTime();
			this.running = true;
			this.parts.forEach((part) -> part.started(this));
			this.consumers.forEach((consumer) -> consumer.claims().start());
			logger.info("Listener '{}' consumes queue '{}' (concurrency {}, lease duration {}, retry: {}): {}",
					this.endpoint.id(), this.endpoint.queue(), this.options.concurrency(),
					Names.printable(this.options.leaseDuration()), this.options.policy(), this.endpoint.description());
		}
	}

	@Override
	public void stop() {
		beginStop();
		if (this.runner.isCalledByHandler()) {
			// which cannot wait for its own end
			this.workers.release();
			logger.info("Listener '{}' has been stopped by its handler", this.endpoint.id());
			return;
		}
		awaitStop(this.threads.nanoTime());
	}

	/** Claim no more. */
	void beginStop() {
		synchronized (this.lifecycle) {
			boolean stops = this.running;
			if (stops) {
				this.running = false;
				this.changedAt = this.threads.nanoTime();
			}
			this.consumers.forEach((consumer) -> consumer.claims().stop());
			if (stops) {
				this.parts.forEach((part) -> part.stopped(this));
			}
		}
	}

	/**
	 * Release what has not been started, and wait for what has.
	 * @param since from when on the shutdown-timeout counts, of the local monotonic clock
	 */
	void awaitStop(long since) {
		// without the lock: a handler may stop or start its own container meanwhile
		if (this.running) {
			return;
		}
		this.workers.release();
		boolean idle = this.threads
			.await(() -> this.consumers.stream().allMatch((consumer) -> consumer.claims().isIdle()), GRACE);
		this.workers.release();
		// nobody waits for himself: a handler that stops all containers, or ends the
		// JVM, be it only now
		boolean ended = this.threads.await(
				() -> this.workers.reserved() <= this.runner.callsThatWaitForTheEnd() * this.options.batchSize(),
				left(since));
		Duration left = left(since);
		boolean settled = this.threads.await(() -> unsettled() == 0, (left.compareTo(GRACE) > 0) ? left : GRACE);
		if (idle && ended && settled) {
			logger.info("Listener '{}' has stopped", this.endpoint.id());
		}
		else if (Thread.currentThread().isInterrupted()) {
			logger.warn("Listener '{}' was interrupted while it stopped", this.endpoint.id());
		}
		else {
			logger.warn(
					"Listener '{}' no longer claims tasks, but after shutdown-timeout {} {} tasks still run "
							+ "and {} could not be settled; they are delivered again if the application ends now",
					this.endpoint.id(), Names.printable(this.options.shutdownTimeout()), this.runner.active(),
					unsettled());
		}
	}

	private Duration left(long since) {
		return this.options.shutdownTimeout().minusNanos(this.threads.nanoTime() - since);
	}

	/**
	 * If the current thread is in a handler of this container, which closes the
	 * application, settle its tasks as done: later nothing can be settled.
	 */
	void settleOwnCall() {
		if (this.runner.endCallOfThisThread()) {
			this.threads.await(() -> unsettled() == 0, GRACE);
		}
	}

	/** Give up the handlers that still run. */
	void destroy() {
		synchronized (this.lifecycle) {
			this.destroyed = true;
		}
		if (!this.runner.isCalledByHandler()) {
			this.runner.abandon();
		}
	}

	/** Whether it does not run, and all that it has claimed is settled. */
	boolean isAtRest() {
		return !this.running && this.consumers.stream().allMatch((consumer) -> consumer.claims().isIdle())
				&& this.workers.reserved() == 0 && unsettled() == 0;
	}

	/** Whether all that it has claimed is settled. */
	boolean isEmpty() {
		return this.consumers.stream().allMatch((consumer) -> consumer.leases().size() == 0);
	}

	/**
	 * Whether no worker has anything to do, and all that they did is settled and told.
	 */
	boolean isIdle() {
		return this.workers.isIdle() && this.consumers.stream().allMatch((consumer) -> consumer.settlements().isIdle());
	}

	/** Number of tasks that are through the handler and not settled. */
	private int unsettled() {
		return this.consumers.stream().mapToInt((consumer) -> consumer.settlements().pending()).sum();
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	@Override
	public Collection<String> sources() {
		return this.consumers.stream().map((consumer) -> consumer.claims().source()).toList();
	}

	@Override
	public ContainerStatus status() {
		List<Claims> claims = this.consumers.stream().map(SourceConsumer::claims).toList();
		return new ContainerStatus(this.endpoint.id(), this.endpoint.queue(), this.running,
				claims.stream().anyMatch(Claims::isPaused), this.options.concurrency(), this.runner.active(),
				this.runner.stuck(), lastPollAt(claims),
				claims.stream().map(Claims::lastError).filter(Objects::nonNull).findFirst().orElse(null),
				this.options.pollInterval(), claims.stream().mapToLong(Claims::answered).sum(),
				claims.stream().mapToLong(Claims::empty).sum());
	}

	@Override
	public Map<String, Duration> longest(int most) {
		return this.runner.longest(most);
	}

	/** Of the source that was last asked with success the longest time ago. */
	private static @Nullable Instant lastPollAt(List<Claims> claims) {
		List<@Nullable Instant> polls = claims.stream().<@Nullable Instant>map(Claims::lastSuccess).toList();
		return polls.contains(null) ? null : polls.stream().min(Comparator.naturalOrder()).orElse(null);
	}

	/** What the one part says that has something to say. */
	private String tokenPrefix() {
		String prefix = "";
		for (ConsumerPart part : this.parts) {
			prefix = prefix.concat(part.tokenPrefix());
		}
		return prefix;
	}

	private <T> @Nullable T first(Function<ConsumerPart, @Nullable T> what) {
		return this.parts.stream().map(what).filter(Objects::nonNull).findFirst().orElse(null);
	}

	private void accept(String source, ClaimAnswer claimed) {
		List<HeldTask> tasks = claimed.tasks();
		if (this.running) {
			this.workers.accept(tasks);
		}
		else {
			tasks.forEach((task) -> task.endWith(task.release(null)));
		}
		if (!this.running) {
			this.workers.release();
		}
		for (ConsumerPart part : this.parts) {
			part.claimed(this, source, claimed.result());
		}
	}

	private void onFree() {
		this.permits.freed();
	}

	/**
	 * While tasks are held, by any source: ends handlers whose time is over, and releases
	 * what was claimed in advance for a handler that has become slow.
	 */
	private void onTick() {
		this.runner.endOverdueCalls();
		this.parts.forEach((part) -> part.ticked(this));
		if (this.workers.releaseWhatWaits(this.threads.nanoTime())) {
			// nothing else may end that would say so
			this.permits.freed();
		}
	}

}
