package io.github.delayqueue.benchmark.peers;

import java.util.Set;

import io.github.delayqueue.benchmark.SystemType;
import io.github.delayqueue.benchmark.SystemType.Trait;

/**
 * The systems of this package.
 */
public final class Peers {

	/** Delayed queue of Redisson. */
	public static final SystemType REDISSON = new SystemType("redisson", "Redisson",
			"RDelayedQueue on RBlockingQueue: timers of the client move what is due to a list.", Set.of(Trait.REDIS),
			RedissonSystem::new);

	/** A table, polled. */
	public static final SystemType POSTGRES = new SystemType("postgres", "PostgreSQL table",
			"A table that is polled with FOR UPDATE SKIP LOCKED, in batches.", Set.of(Trait.POSTGRES),
			(servers) -> new PostgresSystem(servers.postgres()));

	/** The same table, where commits wait for the disk. */
	public static final SystemType SKIP_LOCKED = new SystemType("skip-locked", "PostgreSQL table, durable",
			"The same table and pollers, with commits that wait for the disk.", Set.of(Trait.POSTGRES, Trait.DURABLE),
			(servers) -> new PostgresSystem(servers.durablePostgres()));

	/** db-scheduler. */
	public static final SystemType DB_SCHEDULER = new SystemType("db-scheduler", "db-scheduler",
			"Scheduled tasks in a table of PostgreSQL, picked in batches with SKIP LOCKED, with commits that wait for "
					+ "the disk.",
			Set.of(Trait.POSTGRES, Trait.DURABLE), (servers) -> new DbSchedulerSystem(servers.durablePostgres()));

	/** Timers of the JVM. */
	public static final SystemType JVM_TIMER = new SystemType("jvm-timer", "ScheduledExecutorService",
			"Timers in memory: the bound without a server. Loses everything when the process ends.", Set.of(),
			(servers) -> new JvmTimerSystem());

	private Peers() {
	}

}
