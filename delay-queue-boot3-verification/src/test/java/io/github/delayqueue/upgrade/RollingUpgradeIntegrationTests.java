package io.github.delayqueue.upgrade;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;

import io.github.delayqueue.QueueStats;
import io.github.delayqueue.fixtures.DriverStores;
import io.github.delayqueue.fixtures.RedisStores;
import io.github.delayqueue.roles.QueueView;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.testsupport.ChildJvm;
import io.github.delayqueue.testsupport.Heavy;
import io.github.delayqueue.testsupport.Patience;
import io.github.delayqueue.testsupport.RedisServer;
import io.github.delayqueue.testsupport.TemporaryDatabase;
import io.github.delayqueue.testsupport.TestDatabase;
import io.github.delayqueue.testsupport.TestEffort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * An application on Spring Boot 3 and its next version on Spring Boot 4 schedule and
 * handle tasks of one queue; the first one is killed midway, and started again.
 */
class RollingUpgradeIntegrationTests {

	private static final Logger logger = LoggerFactory.getLogger(RollingUpgradeIntegrationTests.class);

	/** A module on Spring Boot 4, whose build writes down the class path of its tests. */
	private static final Path BOOT_4 = Path.of("..", "delay-queue-autoconfigure", "target");

	private static final Duration POLL = Duration.ofMillis(100);

	private static final String OLD = "old";

	private static final String NEW = "new";

	@TempDir
	private Path directory;

	@Test
	void eachTaskIsHandledWhoeverHasScheduledIt() throws IOException {
		try (RedisServer redis = RedisServer.startNew()) {
			upgrade(redis, TestEffort.pick(2_000, 50_000), TestEffort.pick(3, 20), List.of());
		}
	}

	@Test
	@Heavy
	void eachTaskIsHandledWithAJournal() throws IOException {
		try (RedisServer redis = RedisServer.startNew();
				TemporaryDatabase database = TestDatabase.POSTGRESQL.create()) {
			TestDatabase.POSTGRESQL.applyJournalSchema(database);
			upgrade(redis, 5_000, 10,
					List.of("--delay-queue.journal.enabled=true", "--spring.datasource.url=" + database.url(),
							"--spring.datasource.username=" + database.username()));
			assertThat(JdbcClient.create(database.dataSource())
				.sql("SELECT COUNT(*) FROM delay_queue_task")
				.query(Long.class)
				.single()).isZero();
		}
	}

	private void upgrade(RedisServer redis, int tasks, int seconds, List<String> properties) throws IOException {
		long start = System.nanoTime();
		List<String> arguments = new ArrayList<>(List.of(String.valueOf(tasks / 2), String.valueOf(seconds),
				"--spring.data.redis.port=" + redis.port(), "--delay-queue.listener.lease-duration=5s",
				"--delay-queue.listener.concurrency=4", "--delay-queue.command-timeout=5s"));
		arguments.addAll(properties);
		try (ChildJvm killed = start(OLD, arguments);
				ChildJvm other = start(NEW, arguments);
				RedisStores stores = DriverStores.on(redis)) {
			// neither handles all before the other is there
			assertThat(awaitReady(killed)).startsWith("3.5.");
			assertThat(awaitReady(other)).startsWith("4.");
			killed.send("go");
			other.send("go");
			await().pollInterval(POLL)
				.failFast(() -> assertAlive(killed, other))
				.until(() -> handled(OLD).size() + handled(NEW).size() >= tasks / 3 && count(OLD, NEW) > 0
						&& count(NEW, OLD) > 0);
			killed.kill();
			int atKill = handled(OLD).size();
			try (ChildJvm again = start(OLD, arguments)) {
				assertThat(awaitReady(again)).startsWith("3.5.");
				again.send("go");
				TaskStore store = stores.open();
				await().pollInterval(POLL).failFast(() -> assertAlive(again, other)).until(() -> {
					QueueStats stats = QueueView.of(store).stats(Worker.QUEUE);
					return stats.waiting() + stats.inFlight() == 0 && ids(OLD, NEW).size() == tasks;
				});
				assertThat(QueueView.of(store).stats(Worker.QUEUE).dead()).isZero();
				assertThat(again.endInput(Patience.LIMIT)).isTrue();
				assertThat(other.endInput(Patience.LIMIT)).isTrue();
			}
			check(tasks);
			logger.info("{} tasks, {} handled on 3.5 before it was killed, {} after, {} on 4.1, {} twice; in {}", tasks,
					atKill, handled(OLD).size() - atKill, handled(NEW).size(),
					handled(OLD).size() + handled(NEW).size() - tasks, Duration.ofNanos(System.nanoTime() - start));
		}
	}

	private void check(int tasks) throws IOException {
		List<String> all = new ArrayList<>(handled(OLD));
		all.addAll(handled(NEW));
		assertThat(all).allSatisfy((line) -> assertThat(line).endsWith(" " + Worker.OK));
		assertThat(ids(OLD, NEW)).isEqualTo(Set.copyOf(Stream.of(OLD, NEW)
			.flatMap((name) -> IntStream.range(0, tasks / 2).mapToObj((number) -> name + "-" + number))
			.toList()));
	}

	private ChildJvm start(String name, List<String> arguments) throws IOException {
		String classPath = name.equals(OLD) ? System.getProperty("java.class.path")
				: String.join(File.pathSeparator, Path.of("target", "test-classes").toAbsolutePath().toString(),
						BOOT_4.resolve("classes").toAbsolutePath().toString(),
						Files.readString(BOOT_4.resolve("boot4.classpath")));
		List<String> command = new ArrayList<>(
				List.of("-cp", classPath, Worker.class.getName(), this.directory.toString(), name));
		command.addAll(arguments);
		return ChildJvm.of(command).options("-Xmx256m", ChildJvm.ASSERTIONS).start();
	}

	/** Answers the version of Spring Boot. */
	private static String awaitReady(ChildJvm worker) {
		return worker.await(Pattern.compile(Pattern.quote(Worker.READY) + "(.*)\\R"), 1).group(1);
	}

	private static void assertAlive(ChildJvm... workers) {
		for (ChildJvm worker : workers) {
			assertThat(worker.isAlive()).as(worker::log).isTrue();
		}
	}

	/** How many tasks one has handled that it or the other has scheduled. */
	private long count(String handler, String producer) throws IOException {
		return handled(handler).stream().filter((line) -> line.startsWith(producer)).count();
	}

	private List<String> handled(String name) throws IOException {
		Path file = this.directory.resolve(name + ".handled");
		return Files.exists(file) ? Files.readAllLines(file) : List.of();
	}

	private Set<String> ids(String... names) {
		Set<String> ids = new HashSet<>();
		for (String name : names) {
			try {
				handled(name).forEach((line) -> ids.add(line.substring(0, line.indexOf(' '))));
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}
		return ids;
	}

}
