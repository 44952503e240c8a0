package io.github.delayqueue.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import org.awaitility.Awaitility;

import io.github.delayqueue.testsupport.OwnPostgres;
import io.github.delayqueue.testsupport.RedisServer;
import io.github.delayqueue.testsupport.TemporaryDatabase;

/**
 * What is done to applications with a journal, to their Redis and their PostgreSQL.
 */
final class JournalFaults {

	private final List<ProcessSlot> slots;

	private final RedisServer redis;

	private final OwnPostgres postgres;

	private final TemporaryDatabase database;

	/** An instance that is wrongly given another database. */
	private final Supplier<ProcessSlot> stranger;

	private final Path directory;

	private final HistoryLog log;

	private final Random random;

	JournalFaults(List<ProcessSlot> slots, RedisServer redis, OwnPostgres postgres, TemporaryDatabase database,
			Supplier<ProcessSlot> stranger, Path directory, HistoryLog log, Random random) {
		this.slots = slots;
		this.redis = redis;
		this.postgres = postgres;
		this.database = database;
		this.stranger = stranger;
		this.directory = directory;
		this.log = log;
		this.random = random;
	}

	/**
	 * Let things go on for a moment, then inflict a fault and undo it. What the fault
	 * before has ended is there again by then, and has restored what there was to be:
	 * rows that a loader dies with are late, as promised.
	 */
	void inflict(Kind kind) throws IOException, InterruptedException {
		pause(Duration.ofMillis(500));
		this.slots.forEach((slot) -> slot.awaitReady(null));
		pause(Duration.ofMillis(800 + this.random.nextInt(1500)));
		this.log.write("fault", kind.name().toLowerCase(Locale.ROOT));
		switch (kind) {
			case FLUSHED -> this.redis.cli("FLUSHALL");
			case KILLED -> this.slots.get(this.random.nextInt(this.slots.size())).signal("KILL");
			case REDIS_PAUSED -> {
				this.redis.pause();
				pause(Duration.ofMillis(1000 + this.random.nextInt(4000)));
				this.redis.resume();
			}
			case OTHER_DATABASE -> {
				try (ProcessSlot slot = this.stranger.get()) {
					slot.start();
					slot.awaitReady(null);
					pause(Duration.ofMillis(2000));
				}
			}
			case EMPTIED -> {
				this.redis.kill();
				Files.deleteIfExists(dump());
				this.redis.start();
			}
			case DISCONNECTED -> this.database.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
					+ "WHERE datname = current_database() AND pid <> pg_backend_pid()");
			case DATABASE_PAUSED -> {
				this.postgres.pause();
				pause(Duration.ofMillis(3000 + this.random.nextInt(1500)));
				this.postgres.resume();
			}
			case DATABASE_RESTARTED -> this.postgres.restart(Duration.ofMillis(this.random.nextInt(1500)));
			case HALTED_BEFORE_HAND_OVER -> haltOne(HaltingStore.BETWEEN_COMMIT_AND_HAND_OVER);
			case HALTED_BEFORE_SETTLEMENT -> haltOne(HaltingStore.BETWEEN_ROW_AND_SETTLEMENT);
			case RESTORED -> goBackBy(Duration.ofMillis(6000));
			case REWOUND -> goBackBy(Duration.ofMillis(200 + this.random.nextInt(900)));
		}
		this.log.write("undone", kind.name().toLowerCase(Locale.ROOT));
	}

	private static void pause(Duration time) throws InterruptedException {
		new CountDownLatch(1).await(time.toMillis(), TimeUnit.MILLISECONDS);
	}

	/** Until one has halted, which only what hangs never does. */
	private void haltOne(String where) throws IOException {
		Path request = HaltingStore.request(this.directory, where);
		Files.createFile(request);
		Awaitility.await(where).atMost(ProcessSlot.START_TIMEOUT).until(() -> !Files.exists(request));
	}

	/** What has happened in Redis since a moment ago has not. */
	private void goBackBy(Duration time) throws IOException, InterruptedException {
		this.redis.cli("SAVE");
		Path copy = this.redis.directory().resolve("copy.rdb");
		Files.copy(dump(), copy, StandardCopyOption.REPLACE_EXISTING);
		pause(time);
		this.redis.kill();
		Files.move(copy, dump(), StandardCopyOption.REPLACE_EXISTING);
		this.redis.start();
		Files.deleteIfExists(dump());
	}

	private Path dump() {
		return this.redis.directory().resolve("dump.rdb");
	}

	/** What can go wrong. */
	enum Kind {

		/** Redis is emptied. */
		FLUSHED,

		/** {@code kill -9} of an application. */
		KILLED,

		/**
		 * An application halts after a commit, before the task is handed over to Redis.
		 */
		HALTED_BEFORE_HAND_OVER,

		/** Redis is replaced by what it was six seconds ago. */
		RESTORED,

		/**
		 * An application halts after the row has gone, before the task is settled in
		 * Redis.
		 */
		HALTED_BEFORE_SETTLEMENT,

		/** All connections of the database are ended. */
		DISCONNECTED,

		/** SIGSTOP of all processes of the database, for seconds. */
		DATABASE_PAUSED,

		/** SIGSTOP of Redis, for seconds. */
		REDIS_PAUSED,

		/** An instance with another database comes, and goes. */
		OTHER_DATABASE,

		/** Redis is killed and comes back empty. */
		EMPTIED,

		/** All processes of the database are ended at once, and started again. */
		DATABASE_RESTARTED,

		/**
		 * Redis is replaced by what it was less than a second ago, as by a fail-over. So
		 * little may be lost that no beat is missing.
		 */
		REWOUND

	}

}
