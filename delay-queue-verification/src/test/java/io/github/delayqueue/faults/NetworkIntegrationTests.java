package io.github.delayqueue.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Timer;
import java.util.TimerTask;
import java.util.function.Function;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.util.FileSystemUtils;

import io.github.delayqueue.testsupport.ClusterServers;
import io.github.delayqueue.testsupport.DatabaseOnDisk;
import io.github.delayqueue.testsupport.ForgetfulDisk;
import io.github.delayqueue.testsupport.Heavy;
import io.github.delayqueue.testsupport.Machine;
import io.github.delayqueue.testsupport.Machines;
import io.github.delayqueue.testsupport.Patience;
import io.github.delayqueue.testsupport.RedisServer;
import io.github.delayqueue.testsupport.SentinelServers;
import io.github.delayqueue.testsupport.ShiftedClock;
import io.github.delayqueue.testsupport.TemporaryDatabase;
import io.github.delayqueue.testsupport.TestEffort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Servers and applications on five machines, while the network between them is parted, in
 * both directions or in one, slow, or loses packets. Clocks are apart all the time.
 * {@code -Dnetwork.seconds=600} for how long, {@code -Dfaults.seed=42} for what random
 * choices begin with.
 */
@Heavy
class NetworkIntegrationTests {

	private static final int MACHINES = 5;

	/** Of a primary or a cluster; applications are on the others. */
	private static final int SERVERS = 3;

	private static final Duration TIME = Duration.ofSeconds(Long.getLong("network.seconds", 60));

	private static final long SEED = Long.getLong("faults.seed", TestEffort.seed(1));

	/** So many show something, however little a busy machine gets done. */
	private static final int SOME = 100;

	/** Until a driver has given up connections, and what it had not sent by them. */
	private static final int FAILURES = 5;

	private static final long WATCH_MILLIS = 200;

	private static final Duration APART = Duration.ofSeconds(4);

	/**
	 * Redis on one machine, the database on another: what was committed is handled, and
	 * nothing else, nothing early, and nothing once more after its end was confirmed.
	 */
	@Test
	void journalLosesNothing() throws Exception {
		Path directory = directory("journal");
		JournalHistory history;
		try (Machines machines = Machines.start(MACHINES);
				RedisServer redis = RedisServer.builder()
					.on(machines.all().get(0))
					.environment(ShiftedClock.environment(APART))
					.build();
				ForgetfulDisk disk = ForgetfulDisk.create();
				DatabaseOnDisk postgres = DatabaseOnDisk.postgres(disk, machines.all().get(1), "fsync=off");
				TemporaryDatabase database = postgres.database();
				HistoryLog log = HistoryLog.open(directory, "driver")) {
			redis.start();
			database.execute("CREATE TABLE app_order (id VARCHAR(100) PRIMARY KEY, cancelled BOOLEAN NOT NULL)");
			List<String> properties = JournalApplication.properties(redis.host(), redis.port(), database.url(),
					database.username());
			try (ProcessSlot first = journal(machines.all().get(2), Duration.ZERO, directory, properties, log);
					ProcessSlot second = journal(machines.all().get(3), APART.negated(), directory, properties, log);
					ProcessSlot third = journal(machines.all().get(4), APART, directory, properties, log)) {
				start(List.of(first, second, third));
				new NetworkFaults(machines, log, new Random(SEED), () -> {
				}).inflictFor(TIME);
				history = JournalHistory.end(directory, JdbcClient.create(database.dataSource()));
			}
		}
		System.out.println("Network, journal: " + history);
		history.requireNoViolations(run(directory));
		assertThat(history.committed).hasSizeGreaterThan(SOME);
	}

	/** A primary, two replicas and five Sentinels. */
	@Test
	void sentinelLosesNothingThatAllReplicasHave() throws Exception {
		Path directory = directory("sentinel");
		try (Machines machines = Machines.start(MACHINES); SentinelServers servers = sentinel(machines)) {
			NetworkHistory history = new Run(machines, directory, properties(servers), servers::awaitComplete,
					(key) -> servers.primary(), false)
				.under((faults) -> faults.inflictFor(TIME));
			history.requireNoViolations(run(directory));
			assertThat(history.accepted(NetworkApplication.PAID)).isGreaterThan(SOME);
		}
	}

	/** Else it would prove nothing that others lose nothing. */
	@Test
	void producerThatCountsTasksAsAcceptedBeforeTheAnswerLosesSome() throws Exception {
		Path directory = directory("early");
		try (Machines machines = Machines.start(MACHINES); SentinelServers servers = sentinel(machines)) {
			NetworkHistory history = new Run(machines, directory, properties(servers), servers::awaitComplete,
					(key) -> servers.primary(), true)
				.under((faults) -> {
					List<Machine> reached = machines.all().subList(0, SERVERS);
					machines.cut(machines.all().subList(SERVERS, MACHINES), reached);
					Awaitility.await("failures")
						.atMost(Patience.LIMIT)
						.until(() -> NetworkHistory.read(directory, APART).failed(NetworkApplication.PAID) >= FAILURES);
					machines.heal();
				});
			assertThatThrownBy(() -> history.requireNoViolations("early")).hasMessageContaining("lost: ");
			assertThat(history.lost(NetworkApplication.PAID)).isPositive();
		}
	}

	/** Three primaries, each with a replica on another machine. */
	@Test
	void clusterLosesNothingThatTheReplicaHas() throws Exception {
		Path directory = directory("cluster");
		try (Machines machines = Machines.start(MACHINES);
				ClusterServers servers = ClusterServers
					.startNew((i) -> builder(machines, (i + i / SERVERS) % SERVERS))) {
			List<String> properties = List.of("spring.data.redis.cluster.nodes=" + servers.addresses(), minReplicas(1));
			NetworkHistory history = new Run(machines, directory, properties, servers::awaitComplete,
					servers::primaryOf, false)
				.under((faults) -> faults.inflictFor(TIME));
			history.requireNoViolations(run(directory));
			assertThat(history.accepted(NetworkApplication.PAID)).isGreaterThan(SOME);
		}
	}

	private static SentinelServers sentinel(Machines machines) {
		return SentinelServers.startNew(SERVERS - 1, MACHINES, (i) -> builder(machines, i),
				"--repl-diskless-sync-delay", "0");
	}

	private static List<String> properties(SentinelServers servers) {
		return List.of("spring.data.redis.sentinel.master=" + SentinelServers.MASTER,
				"spring.data.redis.sentinel.nodes=" + servers.nodes(), minReplicas(SERVERS - 1));
	}

	private static String minReplicas(int replicas) {
		return "delay-queue.queues." + NetworkApplication.PAID + ".producer.min-replicas=" + replicas;
	}

	/** The clock of the second one is ahead. */
	private static RedisServer.Builder builder(Machines machines, int machine) {
		return RedisServer.builder()
			.on(machines.all().get(machine))
			.environment(ShiftedClock.environment((machine == 1) ? APART : Duration.ZERO));
	}

	private static ProcessSlot journal(Machine machine, Duration clockOffset, Path directory, List<String> properties,
			HistoryLog log) {
		List<String> line = new ArrayList<>(List.of(String.valueOf(SEED), String.valueOf(clockOffset.toMillis()),
				String.valueOf(JournalApplication.THREADS)));
		line.addAll(properties);
		return slot(JournalApplication.class, machine, clockOffset, directory, line, log);
	}

	private static ProcessSlot slot(Class<?> main, Machine machine, Duration clockOffset, Path directory,
			List<String> line, HistoryLog log) {
		return new ProcessSlot("machine-" + machine.number(), main, directory, line, log,
				(jvm) -> jvm.on(machine).clockOffset(clockOffset));
	}

	private static void start(List<ProcessSlot> slots) {
		slots.forEach(ProcessSlot::start);
		slots.forEach((slot) -> slot.awaitReady(null));
	}

	private static Path directory(String name) throws IOException {
		Path directory = Path.of("target", "faults", "network-" + name + "-" + SEED).toAbsolutePath();
		FileSystemUtils.deleteRecursively(directory);
		return Files.createDirectories(directory);
	}

	private static String run(Path directory) {
		return "-Dfaults.seed=" + SEED + ", histories in " + directory;
	}

	/**
	 * Two applications without a journal.
	 *
	 * @param calm waits until the servers agree
	 * @param primary which server has a key
	 * @param early whether tasks count as accepted before the answer: a defect
	 */
	private record Run(Machines machines, Path directory, List<String> properties, Runnable calm,
			Function<String, RedisServer> primary, boolean early) {

		NetworkHistory under(Disturbance disturbance) throws Exception {
			Timer timer = new Timer("primaries", true);
			try (HistoryLog log = HistoryLog.open(this.directory, "driver");
					ProcessSlot first = application(SERVERS, APART.negated(), "lettuce", log);
					ProcessSlot second = application(SERVERS + 1, APART, "jedis", log)) {
				timer.schedule(new TimerTask() {
					@Override
					public void run() {
						writePrimaries(log);
					}
				}, 0, WATCH_MILLIS);
				start(List.of(first, second));
				disturbance.inflict(new NetworkFaults(this.machines, log, new Random(SEED), this.calm));
				Files.createFile(this.directory.resolve(NetworkApplication.END));
				Awaitility.await("drain")
					.atMost(Patience.LIMIT)
					.pollInterval(Duration.ofMillis(500))
					.ignoreExceptions()
					.until(this::isDrained);
			}
			finally {
				timer.cancel();
			}
			NetworkHistory history = NetworkHistory.read(this.directory, APART);
			System.out.println("Network, " + this.directory.getFileName() + ": " + history);
			return history;
		}

		private void writePrimaries(HistoryLog log) {
			try {
				for (String queue : NetworkApplication.QUEUES) {
					log.write("primary", queue, this.primary.apply(key(queue)).port());
				}
			}
			catch (RuntimeException ex) {
				// they do not agree at the moment
			}
		}

		private ProcessSlot application(int machine, Duration clockOffset, String driver, HistoryLog log) {
			List<String> line = new ArrayList<>(
					List.of(String.valueOf(clockOffset.toMillis()), String.valueOf(this.early)));
			List<String> all = new ArrayList<>(this.properties);
			all.addAll(List.of("spring.data.redis.client-type=" + driver,
					"delay-queue.listener.lease-duration=" + SuiteSettings.LEASE_DURATION.toMillis(),
					"delay-queue.retry.max-lease-losses=" + SuiteSettings.MAX_LEASE_LOSSES));
			all.forEach((property) -> line.add("--" + property));
			return slot(NetworkApplication.class, this.machines.all().get(machine), clockOffset, this.directory, line,
					log);
		}

		/** Nothing more is sent, and nothing of what was is left. */
		private boolean isDrained() throws IOException {
			return NetworkHistory.read(this.directory, APART).ended() == 2 * NetworkApplication.QUEUES.size()
					&& NetworkApplication.QUEUES.stream()
						.map(Run::key)
						.allMatch((key) -> Long.valueOf(0).equals(this.primary.apply(key).cli("HLEN", key)));
		}

		private static String key(String queue) {
			return Observer.KEY_PREFIX + "{" + queue + "}:tasks";
		}

	}

	@FunctionalInterface
	private interface Disturbance {

		void inflict(NetworkFaults faults) throws InterruptedException;

	}

}
