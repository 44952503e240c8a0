package io.github.delayqueue.benchmark.peers;

import java.util.EnumSet;
import java.util.Set;

import io.github.delayqueue.benchmark.Call;
import io.github.delayqueue.benchmark.SystemType;
import io.github.delayqueue.benchmark.SystemType.Trait;

/**
 * The systems of this package.
 */
public final class Peers {

	private static final Set<Call> ALL_CALLS = EnumSet.allOf(Call.class);

	/** Job pool, buckets, timers, ready list, ttr. */
	public static final SystemType BUCKETS = new SystemType("buckets", "bucket design",
			"A pool of jobs, ten sorted sets with a timer each, a ready list, consumers in BRPOP, a time to run.",
			ALL_CALLS, Set.of(Trait.REDIS, Trait.SURVIVES_KILL), BucketSystem::new);

	/** Notifications of expired keys. */
	public static final SystemType EXPIRY = new SystemType("expiry", "key expiry",
			"A key with an expiry for each task; consumers subscribe to the notifications of expired keys.", ALL_CALLS,
			Set.of(Trait.REDIS), ExpirySystem::new);

	/** Delayed queue of Redisson. */
	public static final SystemType REDISSON = new SystemType("redisson", "Redisson",
			"RDelayedQueue on RBlockingQueue: timers of the client move what is due to a list.", ALL_CALLS,
			Set.of(Trait.REDIS), RedissonSystem::new);

	/** A table, polled. */
	public static final SystemType POSTGRES = new SystemType("postgres", "PostgreSQL table",
			"A table that is polled with FOR UPDATE SKIP LOCKED, in batches.", EnumSet.of(Call.ONE, Call.BULK),
			Set.of(Trait.POSTGRES, Trait.SURVIVES_KILL), (servers) -> new PostgresSystem(servers.postgres()));

	/** The same table, where commits wait for the disk. */
	public static final SystemType SKIP_LOCKED = new SystemType("skip-locked", "PostgreSQL table, durable",
			"The same table and pollers, with commits that wait for the disk.", EnumSet.of(Call.ONE, Call.BULK),
			Set.of(Trait.POSTGRES, Trait.SURVIVES_KILL, Trait.DURABLE),
			(servers) -> new PostgresSystem(servers.durablePostgres()));

	/** db-scheduler. */
	public static final SystemType DB_SCHEDULER = new SystemType("db-scheduler", "db-scheduler",
			"Scheduled tasks in a table of PostgreSQL, picked in batches with SKIP LOCKED, with commits that wait for "
					+ "the disk.",
			EnumSet.of(Call.ONE, Call.BULK), Set.of(Trait.POSTGRES, Trait.SURVIVES_KILL, Trait.DURABLE),
			(servers) -> new DbSchedulerSystem(servers.durablePostgres()));

	/** Timers of the JVM. */
	public static final SystemType JVM_TIMER = new SystemType("jvm-timer", "ScheduledExecutorService",
			"Timers in memory: the bound without a server. Loses everything when the process ends.", ALL_CALLS,
			Set.of(Trait.IN_PROCESS), (servers) -> new JvmTimerSystem());

	private Peers() {
	}

}
