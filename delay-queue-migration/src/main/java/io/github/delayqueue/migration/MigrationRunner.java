package io.github.delayqueue.migration;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.context.SmartLifecycle;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

import io.github.delayqueue.DelayQueueException;

/**
 * Carries migrations out while the application runs: some entries of each source with
 * each round, on a thread of its own. May run on all instances; one at a time moves the
 * entries of a source. A process that ends half-way, in whatever way, is resumed by the
 * next round of any instance. Its lock runs out after half a minute. No entry is lost by
 * that; those of its last batch may be delivered twice.
 * <p>
 * With Spring Boot there is one if {@code delay-queue.migration.enabled} is set; without,
 * declare a bean of this type. Thread-safe; can be started again after it was stopped.
 */
public final class MigrationRunner implements SmartLifecycle, AopInfrastructureBean {

	private static final Logger logger = LoggerFactory.getLogger(MigrationRunner.class);

	private static final Duration LEASE = Duration.ofSeconds(30);

	private final MigrationSettings settings;

	private final List<Mover> movers = new ArrayList<>();

	private volatile @Nullable ThreadPoolTaskScheduler scheduler;

	/**
	 * Create a runner.
	 * @param connectionFactory where it is, unless a migration says otherwise
	 * @throws DelayQueueException if two migrations move the same
	 */
	public MigrationRunner(Collection<Migration> migrations, RedisConnectionFactory connectionFactory,
			Destination destination, MigrationSettings settings) {
		this(migrations, connectionFactory, destination, settings, LEASE);
	}

	/** For tests: with another lease. */
	MigrationRunner(Collection<Migration> migrations, RedisConnectionFactory connectionFactory, Destination destination,
			MigrationSettings settings, Duration lease) {
		this.settings = settings;
		// on two servers, the same name is not the same
		Map<List<Object>, Migration> known = new HashMap<>();
		for (Migration migration : migrations) {
			RedisConnectionFactory own = migration.connectionFactory();
			RedisConnectionFactory factory = (own != null) ? own : connectionFactory;
			String area = MovingArea.key(settings.keyPrefix(), migration.from());
			Migration other = known.put(List.of(factory, area), migration);
			if (other != null) {
				throw new DelayQueueException(migration.to(), null,
						migration.from().equals(other.from()) ? "Two migrations move '" + migration.from() + "'"
								: "The migrations from '" + other.from() + "' and '" + migration.from()
										+ "' would share the key '" + area + "': move one after the other");
			}
			this.movers.add(new Mover(migration, new MovingArea(factory, area, lease), destination, settings,
					new MigrationReport(logger, migration, System::nanoTime), this::isRunning));
		}
	}

	/**
	 * How far the migrations have come: a snapshot of each, in the order they were given.
	 * @throws org.springframework.dao.DataAccessException if Redis cannot be asked
	 */
	public List<MigrationProgress> progress() {
		return this.movers.stream().map(Mover::progress).toList();
	}

	@Override
	public synchronized void start() {
		if (this.scheduler != null) {
			return;
		}
		if (this.movers.isEmpty()) {
			logger.warn("delay-queue.migration.enabled is set, but there is no bean of type {} that says what to move",
					Migration.class.getName());
		}
		ThreadPoolTaskScheduler scheduler = new ThreadPoolTaskScheduler();
		scheduler.setThreadNamePrefix("delay-queue-migration-");
		scheduler.setDaemon(true);
		scheduler.setWaitForTasksToCompleteOnShutdown(true);
		scheduler.setAwaitTerminationSeconds(10);
		scheduler.initialize();
		this.scheduler = scheduler;
		this.movers.forEach((mover) -> scheduler.scheduleWithFixedDelay(mover.begin(), this.settings.interval()));
	}

	@Override
	public synchronized void stop() {
		ThreadPoolTaskScheduler scheduler = this.scheduler;
		if (scheduler != null) {
			// tells the movers, for which it waits then
			this.scheduler = null;
			scheduler.shutdown();
		}
	}

	@Override
	public boolean isRunning() {
		return this.scheduler != null;
	}

}
