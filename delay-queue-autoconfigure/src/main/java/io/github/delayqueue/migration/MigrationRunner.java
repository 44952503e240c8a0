package io.github.delayqueue.migration;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

import io.github.delayqueue.DelayQueueException;

/**
 * Carries migrations out while the application runs: some entries of each source with
 * each round, on a thread of its own. May run on all instances; one at a time moves the
 * entries of a source. A process that ends half-way, in whatever way, is resumed by the
 * next round of any instance, at the latest when its lock has run out after half a
 * minute.
 * <p>
 * With Spring Boot there is one if {@code delay-queue.migration.enabled} is set; without,
 * declare a bean of this type. Thread-safe; can be started again after it was stopped.
 */
public final class MigrationRunner implements SmartLifecycle {

	private static final Logger logger = LoggerFactory.getLogger(MigrationRunner.class);

	private static final Duration LEASE = Duration.ofSeconds(30);

	private static final Duration STOP_TIMEOUT = Duration.ofSeconds(10);

	private final MigrationSettings settings;

	private final List<Running> migrations = new ArrayList<>();

	private @Nullable ScheduledExecutorService executor;

	private volatile boolean stopping;

	/**
	 * Create a runner.
	 * @param migrations what to move
	 * @param connectionFactory where it is, unless a migration says otherwise
	 * @param destination where to
	 * @param settings how
	 * @throws DelayQueueException if two migrations move the same
	 */
	public MigrationRunner(Collection<Migration> migrations, RedisConnectionFactory connectionFactory,
			Destination destination, MigrationSettings settings) {
		this(migrations, connectionFactory, destination, settings, LEASE, (step) -> {
		});
	}

	/**
	 * For tests: with another lease, and told after each step.
	 * @param migrations what to move
	 * @param connectionFactory where it is, unless a migration says otherwise
	 * @param destination where to
	 * @param settings how
	 * @param lease for how long the lock of a source outlives who has it
	 * @param after told after each step
	 */
	MigrationRunner(Collection<Migration> migrations, RedisConnectionFactory connectionFactory, Destination destination,
			MigrationSettings settings, Duration lease, Consumer<Step> after) {
		this.settings = settings;
		Set<String> sources = new HashSet<>();
		for (Migration migration : migrations) {
			if (!sources.add(migration.from())) {
				throw new DelayQueueException(migration.to(), null, "Two migrations move '" + migration.from() + "'");
			}
			RedisConnectionFactory own = migration.connectionFactory();
			MovingArea area = new MovingArea((own != null) ? own : connectionFactory,
					new MovingKeys(settings.keyPrefix(), migration.from()), lease);
			Mover mover = new Mover(migration, area, new Reader(migration, area, destination),
					new HandingOver(migration.to(), area, destination, after), () -> this.stopping);
			this.migrations.add(new Running(migration, mover));
		}
	}

	/**
	 * How far the migrations have come.
	 * @return a snapshot of each, in the order they were given
	 * @throws org.springframework.dao.DataAccessException if Redis cannot be asked
	 */
	public List<MigrationProgress> progress() {
		return this.migrations.stream().map((running) -> running.mover.progress()).toList();
	}

	@Override
	public synchronized void start() {
		if (this.executor != null) {
			return;
		}
		if (this.migrations.isEmpty()) {
			logger.warn("delay-queue.migration.enabled is set, but there is no bean of type {} that says what to move",
					Migration.class.getName());
		}
		this.stopping = false;
		CustomizableThreadFactory threads = new CustomizableThreadFactory("delay-queue-migration-");
		threads.setDaemon(true);
		this.executor = Executors.newSingleThreadScheduledExecutor(threads);
		long interval = this.settings.interval().toNanos();
		for (Running running : this.migrations) {
			if (this.settings.dryRun()) {
				this.executor.execute(() -> count(running));
			}
			else {
				this.executor.scheduleWithFixedDelay(() -> round(running), 0, interval, TimeUnit.NANOSECONDS);
			}
		}
	}

	@Override
	public synchronized void stop() {
		ScheduledExecutorService executor = this.executor;
		if (executor == null) {
			return;
		}
		this.executor = null;
		this.stopping = true;
		executor.shutdown();
		try {
			if (!executor.awaitTermination(STOP_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
				executor.shutdownNow();
			}
		}
		catch (InterruptedException ex) {
			executor.shutdownNow();
			Thread.currentThread().interrupt();
		}
	}

	@Override
	public synchronized boolean isRunning() {
		return this.executor != null;
	}

	/** Nothing may end it but being stopped. */
	private void round(Running running) {
		try {
			long arrived = running.mover.round(this.settings.batchSize());
			running.report.succeeded(arrived, running.mover::progress);
		}
		catch (Throwable ex) {
			running.report.failed(ex, this.settings.interval());
		}
	}

	private void count(Running running) {
		try {
			running.report.counted(running.mover.count(this.settings.batchSize()));
		}
		catch (Throwable ex) {
			logger.warn("{} could not be tried out: {}", running.migration, ex.toString());
			logger.debug("Where {} could not be tried out", running.migration, ex);
		}
	}

	private static final class Running {

		private final Migration migration;

		private final Mover mover;

		private final MigrationReport report;

		Running(Migration migration, Mover mover) {
			this.migration = migration;
			this.mover = mover;
			this.report = new MigrationReport(migration, System::nanoTime);
		}

	}

}
