package io.github.delayqueue.faults;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.util.FileSystemUtils;

import io.github.delayqueue.testsupport.RedisServer;
import io.github.delayqueue.testsupport.TemporaryDatabase;
import io.github.delayqueue.testsupport.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Two applications with a journal, in processes of their own, while Redis is flushed and
 * replaced, connections of the database are ended, and the applications are killed, also
 * between what they do in the database and what they do in Redis thereupon. What was
 * rolled back is never handled, what was cancelled or finished never afterwards, nothing
 * early, and everything that was committed is handled.
 * <p>
 * {@code -Djournal.faults.seconds=300} for how long, {@code -Dfaults.seed=42} for what
 * random choices begin with.
 */
class JournalFaultsIntegrationTests {

	private static final Logger logger = LoggerFactory.getLogger(JournalFaultsIntegrationTests.class);

	private static final long SECONDS = Long.getLong("journal.faults.seconds", 15);

	private static final long SEED = Long.getLong("faults.seed", System.nanoTime() & 0xffff_ffffL);

	/** A sweep finds what got lost unnoticed after 60 seconds. */
	private static final Duration PATIENCE = Duration.ofSeconds(100);

	private static final int SHOWN = 5;

	@Test
	void handlesWhatWasCommittedAndNothingElse() throws Exception {
		Path directory = Path.of("target", "faults", "journal-" + SEED).toAbsolutePath();
		FileSystemUtils.deleteRecursively(directory);
		Files.createDirectories(directory);
		JournalHistory history;
		try (RedisServer redis = RedisServer.startNew();
				TemporaryDatabase database = TestDatabase.POSTGRESQL.create();
				HistoryLog log = HistoryLog.open(directory, "driver")) {
			TestDatabase.POSTGRESQL.applyJournalSchema(database);
			database.execute("CREATE TABLE app_order (id VARCHAR(100) PRIMARY KEY, cancelled BOOLEAN NOT NULL)");
			List<String> line = new ArrayList<>(List.of(String.valueOf(SEED)));
			line.addAll(JournalApplication.properties(redis.host(), redis.port(), database.url(), database.username()));
			try (ProcessSlot first = new ProcessSlot("one", JournalApplication.class, directory, line, log);
					ProcessSlot second = new ProcessSlot("two", JournalApplication.class, directory, line, log)) {
				first.start();
				second.start();
				first.awaitReady(null);
				second.awaitReady(null);
				inflict(List.of(first, second), redis, database, log);
				Files.createFile(directory.resolve(JournalApplication.END));
				JdbcClient jdbc = JdbcClient.create(database.dataSource());
				await(jdbc);
				history = JournalHistory.read(directory);
				history.left = left(jdbc);
				history.committed.addAll(jdbc.sql("SELECT id FROM app_order").query(String.class).list());
				history.cancelled
					.addAll(jdbc.sql("SELECT id FROM app_order WHERE cancelled").query(String.class).list());
			}
		}
		List<String> violations = history.violations();
		logger.info("{} orders, {} committed, {} cancelled, {} recoveries, halted {}", history.size(),
				history.committed.size(), history.cancelled.size(), history.restorations, history.halts);
		assertThat(violations)
			.as(() -> "-Dfaults.seed=" + SEED + ", histories in " + directory + ":\n"
					+ String.join("\n", violations.subList(0, Math.min(SHOWN, violations.size()))))
			.isEmpty();
		assertThat(history.committed).hasSizeGreaterThan((int) (10 * SECONDS));
		assertThat(history.restorations).isPositive();
	}

	private static void inflict(List<ProcessSlot> slots, RedisServer redis, TemporaryDatabase database, HistoryLog log)
			throws InterruptedException {
		Random random = new Random(SEED);
		long end = System.nanoTime() + Duration.ofSeconds(SECONDS).toNanos();
		for (int i = 0; end - System.nanoTime() > 0; i++) {
			new CountDownLatch(1).await(1500 + random.nextInt(2500), TimeUnit.MILLISECONDS);
			switch ((i < 4) ? i : random.nextInt(4)) {
				case 0 -> {
					log.write("flushed");
					redis.cli("FLUSHALL");
				}
				case 1 -> slots.get(random.nextInt(slots.size())).signal("KILL");
				case 2 -> {
					log.write("replaced");
					redis.kill();
					redis.start();
				}
				default -> {
					log.write("disconnected");
					database.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
							+ "WHERE datname = current_database() AND pid <> pg_backend_pid()");
				}
			}
		}
	}

	private static void await(JdbcClient jdbc) {
		Awaitility.await("drain")
			.atMost(PATIENCE)
			.pollInterval(Duration.ofMillis(500))
			.ignoreExceptions()
			.until(() -> left(jdbc) == 0);
	}

	private static long left(JdbcClient jdbc) {
		return jdbc.sql("SELECT COUNT(*) FROM delay_queue_task").query(Long.class).single();
	}

}
