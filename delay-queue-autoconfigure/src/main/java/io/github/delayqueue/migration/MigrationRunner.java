package io.github.delayqueue.migration;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
		Map<Where, Migration> known = new HashMap<>();
		for (Migration migration : migrations) {
			RedisConnectionFactory own = migration.connectionFactory();
			RedisConnectionFactory factory = (own != null) ? own : connectionFactory;
			Where where = new Where(factory, MovingKeys.area(settings.keyPrefix(), migration.from()));
			requireOwnArea(migration, known.put(where, migration), where.area());
			MovingArea area = new MovingArea(factory, new MovingKeys(settings.keyPrefix(), migration.from()), lease);
			Mover mover = new Mover(migration, area, new Reader(migration, area, destination),
					new HandingOver(migration.to(), area, destination, after), () -> this.stopping);
			this.migrations.add(new Running(migration, mover));
		}
	}

	private static void requireOwnArea(Migration migration, @Nullable Migration other, String area) {
		if (other == null) {
			return;
		}
		String message = migration.from().equals(other.from()) ? "Two migrations move '" + migration.from() + "'"
				: "The migrations from '" + other.from() + "' and '" + migration.from() + "' would share the key '"
						+ area + "': move one after the other";
		throw new DelayQueueException(migration.to(), null, message);
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
			running.counted = false;
			this.executor.scheduleWithFixedDelay(this.settings.dryRun() ? () -> count(running) : () -> round(running),
					0, interval, TimeUnit.NANOSECONDS);
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

	/** Once, but as often as it takes. */
	private void count(Running running) {
		if (running.counted) {
			return;
		}
		try {
			Mover.Count count = running.mover.count(this.settings.batchSize());
			if (!this.stopping) {
				running.report.counted(count);
				running.counted = true;
			}
		}
		catch (Throwable ex) {
			running.report.failed(ex, this.settings.interval());
		}
	}

	/**
	 * What tells migrations apart: on two servers, the same name is not the same.
	 *
	 * @param factory connections to the server
	 * @param area the key of the moving area
	 */
	private record Where(RedisConnectionFactory factory, String area) {

	}

	private static final class Running {

		private final Mover mover;

		private final MigrationReport report;

		/** Of a dry run, only looked at by the thread of the runner. */
		private volatile boolean counted;

		Running(Migration migration, Mover mover) {
			this.mover = mover;
			this.report = new MigrationReport(migration, System::nanoTime);
		}

	}

}
