package io.github.delayqueue.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.util.FileSystemUtils;

import io.github.delayqueue.testsupport.CLibrary;
import io.github.delayqueue.testsupport.Heavy;
import io.github.delayqueue.testsupport.OwnPostgres;
import io.github.delayqueue.testsupport.RedisServer;
import io.github.delayqueue.testsupport.TemporaryDatabase;
import io.github.delayqueue.testsupport.TestDatabase;
import io.github.delayqueue.testsupport.TestEffort;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Two applications with a journal, in processes of their own, while Redis is emptied and
 * replaced by older copies, Redis and the database are paused, the database is restarted,
 * an instance with another database comes and goes, and the applications are killed, also
 * between what they do in the database and what they do in Redis thereupon. The clocks of
 * Redis, of the database, and of one of the applications are apart all the time. What was
 * rolled back is never handled, what was cancelled or finished never afterwards, nothing
 * early, and everything that was committed is handled, and not only because it was looked
 * for in the end.
 * <p>
 * Each kind of fault once; {@code -Djournal.faults.seconds=300} goes on with random ones,
 * as {@code mvn verify -Pfaults} does. {@code -Dfaults.seed=42} for what random choices
 * begin with, {@code -Dfaults.first=RESTORED} for the first fault.
 */
@Heavy
class JournalFaultsIntegrationTests {

	private static final Duration TIME = Duration.ofSeconds(Long.getLong("journal.faults.seconds", 0));

	private static final int FAULTS = JournalFaults.Kind.values().length - 1;

	private static final long SEED = Long.getLong("faults.seed", TestEffort.seed(1));

	/** So many show something, however little a busy machine gets done between faults. */
	private static final int ORDERS = 100;

	/** More than a task may be early, and less than hides a task that is late. */
	private static final Duration APART = Duration.ofSeconds(4);

	@Test
	void handlesWhatWasCommittedAndNothingElse() throws Exception {
		Path directory = Path.of("target", "faults", "journal-" + SEED).toAbsolutePath();
		FileSystemUtils.deleteRecursively(directory);
		Files.createDirectories(directory);
		JournalHistory history;
		boolean apart = RedisServer.canAdjustClock() && CLibrary.canCompile();
		try (RedisServer redis = apart ? RedisServer.builder().adjustableClock().build()
				: RedisServer.builder().build();
				OwnPostgres postgres = OwnPostgres.start();
				TemporaryDatabase database = postgres.database();
				TemporaryDatabase other = postgres.newDatabase("other");
				HistoryLog log = HistoryLog.open(directory, "driver")) {
			redis.start();
			if (apart) {
				redis.shiftClock(APART);
			}
			TestDatabase.POSTGRESQL.applyJournalSchema(database);
			TestDatabase.POSTGRESQL.applyJournalSchema(other);
			database.execute("CREATE TABLE app_order (id VARCHAR(100) PRIMARY KEY, cancelled BOOLEAN NOT NULL)");
			Slots of = new Slots(redis, directory, log);
			try (ProcessSlot first = of.slot("first", Duration.ZERO, JournalApplication.THREADS, database);
					ProcessSlot second = of.slot("second", apart ? APART.negated() : Duration.ZERO,
							JournalApplication.THREADS, database)) {
				List<ProcessSlot> slots = List.of(first, second);
				slots.forEach(ProcessSlot::start);
				slots.forEach((slot) -> slot.awaitReady(null));
				Random random = new Random(SEED);
				inflict(new JournalFaults(slots, redis, postgres, database,
						() -> of.slot("stranger", Duration.ZERO, 0, other), directory, log, random), random);
				JdbcClient jdbc = JdbcClient.create(database.dataSource());
				Awaitility.await("orders")
					.atMost(ProcessSlot.START_TIMEOUT)
					.ignoreExceptions()
					.until(() -> JournalHistory.committed(jdbc).size() > ORDERS);
				history = JournalHistory.end(directory, jdbc);
			}
		}
		history.requireNoViolations("-Dfaults.seed=" + SEED + ", histories in " + directory);
		assertThat(history.restorations).isPositive();
		assertThat(history.halts).containsKeys(HaltingStore.BETWEEN_COMMIT_AND_HAND_OVER,
				HaltingStore.BETWEEN_ROW_AND_SETTLEMENT);
	}

	/** What processes are given. */
	private record Slots(RedisServer redis, Path directory, HistoryLog log) {

		ProcessSlot slot(String name, Duration clockOffset, int threads, TemporaryDatabase database) {
			List<String> line = new ArrayList<>(
					List.of(String.valueOf(SEED), String.valueOf(clockOffset.toMillis()), String.valueOf(threads)));
			line.addAll(JournalApplication.properties(this.redis.host(), this.redis.port(), database.url(),
					database.username()));
			return new ProcessSlot(name, JournalApplication.class, this.directory, line, this.log,
					(jvm) -> jvm.clockOffset(clockOffset));
		}

	}

	private static void inflict(JournalFaults faults, Random random) throws IOException, InterruptedException {
		List<JournalFaults.Kind> kinds = new ArrayList<>(Arrays.asList(JournalFaults.Kind.values()));
		String first = System.getProperty("faults.first", "");
		if (!first.isEmpty()) {
			JournalFaults.Kind kind = JournalFaults.Kind.valueOf(first);
			kinds.remove(kind);
			kinds.add(0, kind);
		}
		long end = System.nanoTime() + TIME.toNanos();
		for (int i = 0; i < FAULTS || end - System.nanoTime() > 0; i++) {
			faults.inflict((i < FAULTS) ? kinds.get(i) : kinds.get(random.nextInt(kinds.size())));
		}
	}

}
