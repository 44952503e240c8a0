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

	/** Notifications of expired keys. */
	public static final SystemType EXPIRY = new SystemType("expiry", "key expiry",
			"A key with an expiry for each task; consumers subscribe to the notifications of expired keys.", ALL_CALLS,
			Set.of(Trait.REDIS), ExpirySystem::new);

	/** Delayed queue of Redisson. */
	public static final SystemType REDISSON = new SystemType("redisson", "Redisson",
			"RDelayedQueue on RBlockingQueue: timers of the client move what is due to a list.", ALL_CALLS,
			Set.of(Trait.REDIS), RedissonSystem::new);

	/** Scheduled executor of Redisson. */
	public static final SystemType REDISSON_EXECUTOR = new SystemType("redisson-executor", "Redisson executor",
			"RScheduledExecutorService: tasks are serialized objects, run by registered workers.", EnumSet.of(Call.ONE),
			Set.of(Trait.REDIS), RedissonExecutorSystem::new);

	/** A table, polled. */
	public static final SystemType POSTGRES = new SystemType("postgres", "PostgreSQL table",
			"A table that is polled with FOR UPDATE SKIP LOCKED, in batches.", EnumSet.of(Call.ONE, Call.BULK),
			Set.of(Trait.POSTGRES), (servers) -> new PostgresSystem(servers.postgres()));

	/** The same table, where commits wait for the disk. */
	public static final SystemType SKIP_LOCKED = new SystemType("skip-locked", "PostgreSQL table, durable",
			"The same table and pollers, with commits that wait for the disk.", EnumSet.of(Call.ONE, Call.BULK),
			Set.of(Trait.POSTGRES, Trait.DURABLE), (servers) -> new PostgresSystem(servers.durablePostgres()));

	/** db-scheduler. */
	public static final SystemType DB_SCHEDULER = new SystemType("db-scheduler", "db-scheduler",
			"Scheduled tasks in a table of PostgreSQL, picked in batches with SKIP LOCKED, with commits that wait for "
					+ "the disk.",
			EnumSet.of(Call.ONE, Call.BULK), Set.of(Trait.POSTGRES, Trait.DURABLE),
			(servers) -> new DbSchedulerSystem(servers.durablePostgres()));

	/** JobRunr. */
	public static final SystemType JOBRUNR = new SystemType("jobrunr", "JobRunr",
			"Jobs in a table of PostgreSQL, which a server polls every 5 seconds, with commits that wait for the disk.",
			EnumSet.of(Call.ONE, Call.BULK), Set.of(Trait.POSTGRES, Trait.DURABLE),
			(servers) -> new JobRunrSystem(servers.durablePostgres()));

	/** Timers of the JVM. */
	public static final SystemType JVM_TIMER = new SystemType("jvm-timer", "ScheduledExecutorService",
			"Timers in memory: the bound without a server. Loses everything when the process ends.", ALL_CALLS,
			Set.of(Trait.IN_PROCESS), (servers) -> new JvmTimerSystem());

	private Peers() {
	}

}
