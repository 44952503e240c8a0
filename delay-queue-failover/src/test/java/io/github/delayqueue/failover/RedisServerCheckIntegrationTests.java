package io.github.delayqueue.failover;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.lettuce.core.ReadFrom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisPassword;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.github.delayqueue.failover.ServerReport;
import io.github.delayqueue.fixtures.DriverStores;
import io.github.delayqueue.fixtures.RedisStores;
import io.github.delayqueue.roles.QueueView;
import io.github.delayqueue.store.redis.RedisTaskStore;
import io.github.delayqueue.testsupport.Connections;
import io.github.delayqueue.testsupport.Driver;
import io.github.delayqueue.testsupport.RedisServer.AppendOnly;
import io.github.delayqueue.testsupport.RedisServer;

import static io.github.delayqueue.testsupport.Connections.configuration;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link RedisServerCheck}, with real servers in all the states it warns of.
 */
@ExtendWith(OutputCaptureExtension.class)
class RedisServerCheckIntegrationTests {

	private static final String NO_PERSISTENCE = "Redis writes nothing to disk: when it restarts, all tasks are lost, "
			+ "except those of queues with a journal;";

	private final List<RedisStores> open = new ArrayList<>();

	private final AtomicLong nanoTime = new AtomicLong();

	@BeforeEach
	void showInformation() {
		logger().setLevel(Level.INFO);
	}

	private static Logger logger() {
		return (Logger) LoggerFactory.getLogger(RedisServerCheck.class);
	}

	@AfterEach
	void close() {
		logger().setLevel(null);
		this.open.forEach(RedisStores::close);
	}

	@ParameterizedTest
	@EnumSource
	void serverThatKeepsTasksSafeIsNotWarnedOf(Driver driver, CapturedOutput output) throws Exception {
		try (RedisServer server = RedisServer.builder().appendOnly(AppendOnly.ALWAYS).build().start()) {
			ServerReport report = report(driver, configuration(server));
			assertThat(report.version()).matches("(Redis|Valkey) \\d+\\.\\d+\\.\\d+");
			assertThat(report).isEqualTo(new ServerReport(List.of(), report.version(), "primary", "noeviction",
					"aof always", false, List.of()));
			assertThat(output).doesNotContain("RedisServerCheck");
		}
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			LETTUCE | allkeys-lru      | deletes keys, and with them whole queues of tasks
			JEDIS   | allkeys-random   | deletes keys, and with them whole queues of tasks
			LETTUCE | volatile-lru     | deletes keys that have an expiry
			""")
	void evictionIsWarnedOf(Driver driver, String policy, String consequence, CapturedOutput output) throws Exception {
		try (RedisServer server = RedisServer.builder()
			.appendOnly(AppendOnly.EVERYSEC)
			.arguments("--maxmemory-policy", policy)
			.build()
			.start()) {
			ServerReport report = report(driver, configuration(server));
			assertThat(report.maxmemoryPolicy()).isEqualTo(policy);
			assertThat(report.persistence()).isEqualTo("aof everysec");
			assertThat(report.warnings()).singleElement()
				.asString()
				.contains("maxmemory-policy " + policy)
				.contains(consequence)
				.contains("set maxmemory-policy to noeviction");
			assertThat(output).containsOnlyOnce(report.warnings().get(0));
		}
	}

	@Test
	void missingPersistenceIsNoLossOfTasksWhereAllQueuesHaveAJournal() throws Exception {
		try (RedisServer server = RedisServer.startNew()) {
			RedisServerCheck check = new RedisServerCheck(store(Driver.LETTUCE.connect(configuration(server))), true,
					this.nanoTime::get);
			assertThat(check.report()).hasValueSatisfying((report) -> assertThat(report.warnings()).singleElement()
				.asString()
				.contains("writes nothing to disk")
				.contains("the journal restores all tasks")
				.doesNotContain("all tasks are lost"));
		}
	}

	@ParameterizedTest
	@EnumSource
	void missingPersistenceIsWarnedOfButNotSnapshots(Driver driver, CapturedOutput output) throws Exception {
		try (RedisServer server = RedisServer.startNew()) {
			RedisServerCheck check = check(driver, configuration(server));
			assertThat(check.report()).hasValueSatisfying((report) -> {
				assertThat(report.persistence()).isEqualTo("none");
				assertThat(report.warnings()).singleElement().asString().startsWith(NO_PERSISTENCE);
			});
			server.cli("CONFIG", "SET", "save", "3600 1 300 100");
			this.nanoTime.addAndGet(Duration.ofSeconds(61).toNanos());
			assertThat(check.report()).hasValueSatisfying((report) -> {
				assertThat(report.persistence()).isEqualTo("rdb");
				assertThat(report.warnings()).isEmpty();
			});
			assertThat(output).containsOnlyOnce(NO_PERSISTENCE);
		}
	}

	@Test
	void serverIsAskedOnceAMinuteAndEachDangerLoggedOnce(CapturedOutput output) throws Exception {
		try (RedisServer server = RedisServer.startNew()) {
			RedisServerCheck check = check(Driver.LETTUCE, configuration(server));
			for (int i = 0; i < 100; i++) {
				check.report();
			}
			assertThat(commandStatistics(server)).contains("cmdstat_info:calls=1,");
			this.nanoTime.addAndGet(Duration.ofSeconds(61).toNanos());
			check.report();
			assertThat(commandStatistics(server)).contains("cmdstat_info:calls=3,");
			assertThat(output).containsOnlyOnce(NO_PERSISTENCE);
		}
	}

	@ParameterizedTest
	@EnumSource
	void whatTheServerRefusesToTellIsUnknown(Driver driver, CapturedOutput output) throws Exception {
		try (RedisServer server = RedisServer.builder()
			.arguments("--maxmemory-policy", "allkeys-lru")
			.build()
			.start()) {
			server.cli("ACL", "SETUSER", "blind", "on", ">secret", "~*", "&*", "+@all", "-info", "-config");
			server.cli("ACL", "SETUSER", "managed", "on", ">secret", "~*", "&*", "+@all", "-config");
			RedisStandaloneConfiguration configuration = configuration(server);
			configuration.setPassword(RedisPassword.of("secret"));
			configuration.setUsername("blind");
			assertThat(report(driver, configuration))
				.isEqualTo(new ServerReport(List.of(), "unknown", "unknown", "unknown", "unknown", false, List.of()));
			assertThat(output).containsOnlyOnce("Redis refuses INFO").doesNotContainPattern("WARN.*RedisServerCheck");
			configuration.setUsername("managed");
			ServerReport managed = report(driver, configuration);
			assertThat(managed.maxmemoryPolicy()).isEqualTo("allkeys-lru");
			assertThat(managed.persistence()).isEqualTo("unknown");
			assertThat(managed.warnings()).hasSize(1);
			server.cli("CONFIG", "SET", "appendonly", "yes");
			assertThat(report(driver, configuration).persistence()).isEqualTo("aof");
		}
	}

	@Test
	void readsFromReplicasAreWarnedOf() throws Exception {
		try (RedisServer server = RedisServer.builder().appendOnly(AppendOnly.ALWAYS).build().start()) {
			ServerReport report = report(readFrom(server, ReadFrom.REPLICA_PREFERRED));
			assertThat(report.readsFromReplicas()).isTrue();
			assertThat(report.warnings()).singleElement()
				.asString()
				.contains("spring.data.redis.lettuce.read-from")
				.contains("always uses the primary");
			assertThat(report(readFrom(server, ReadFrom.UPSTREAM)).warnings()).isEmpty();
			assertThat(report(Connections.start(new LettuceConnectionFactory(configuration(server)) {
			})).readsFromReplicas()).isNull();
		}
	}

	private static LettuceConnectionFactory readFrom(RedisServer server, ReadFrom nodes) {
		return Connections.start(new LettuceConnectionFactory(configuration(server),
				LettuceClientConfiguration.builder().readFrom(nodes).build()));
	}

	@Test
	void replicaIsWarnedOf() throws Exception {
		try (RedisServer primary = RedisServer.startNew();
				RedisServer replica = RedisServer.builder()
					.appendOnly(AppendOnly.ALWAYS)
					.arguments("--replicaof", primary.host() + " " + primary.port())
					.build()
					.start()) {
			ServerReport report = report(Driver.LETTUCE, configuration(replica));
			assertThat(report.role()).isEqualTo("replica");
			assertThat(report.warnings()).singleElement().asString().startsWith("Redis is a replica");
		}
	}

	@ParameterizedTest
	@EnumSource
	void eachPrimaryOfAClusterIsLookedAt(Driver driver) throws Exception {
		try (RedisServer first = node("allkeys-lru"); RedisServer second = node("noeviction")) {
			first.cli("CLUSTER", "ADDSLOTSRANGE", "0", "9999");
			second.cli("CLUSTER", "ADDSLOTSRANGE", "10000", "16383");
			first.cli("CLUSTER", "MEET", second.host(), String.valueOf(second.port()));
			await().until(() -> List.of(first, second)
				.stream()
				.allMatch((node) -> node.cli("CLUSTER", "INFO").toString().contains("cluster_state:ok")));
			RedisClusterConfiguration cluster = new RedisClusterConfiguration(
					List.of(first.host() + ":" + first.port()));
			ServerReport report = report(driver.connect(cluster));
			assertThat(report.servers()).containsExactlyInAnyOrder(address(first), address(second));
			assertThat(report.maxmemoryPolicy()).isEqualTo("allkeys-lru, noeviction");
			assertThat(report.role()).isEqualTo("primary");
			assertThat(report.warnings()).singleElement()
				.asString()
				.startsWith("Redis at " + address(first) + " has the maxmemory-policy allkeys-lru");
		}
	}

	@ParameterizedTest
	@EnumSource
	void serverThatIsAwayIsLookedAtOnceItAnswers(Driver driver, CapturedOutput output) throws Exception {
		try (RedisServer server = RedisServer.startNew()) {
			server.stop();
			RedisTaskStore store = store(driver.connect(configuration(server)));
			RedisServerCheck check = new RedisServerCheck(store, false, this.nanoTime::get);
			assertThat(check.report()).isEmpty();
			server.start();
			assertThat(check.report()).as("not at once again").isEmpty();
			this.nanoTime.addAndGet(Duration.ofSeconds(11).toNanos());
			check.onSchedule("q", 0, Duration.ZERO, new IllegalStateException());
			await().ignoreExceptions().until(() -> QueueView.of(store).stats("q") != null);
			assertThat(output).doesNotContain(NO_PERSISTENCE);
			check.onClaim("q", 0);
			await().until(() -> output.getOut().contains(NO_PERSISTENCE));
			check.onSchedule("q", 1, Duration.ZERO, null);
			assertThat(output).containsOnlyOnce(NO_PERSISTENCE);
			await().until(() -> Thread.getAllStackTraces()
				.keySet()
				.stream()
				.noneMatch((thread) -> thread.getName().equals("delay-queue-server-check")));
		}
	}

	private static RedisServer node(String policy) {
		return RedisServer.builder()
			.appendOnly(AppendOnly.ALWAYS)
			.cluster()
			.arguments("--maxmemory-policy", policy)
			.build()
			.start();
	}

	private static String address(RedisServer server) {
		return server.host() + ":" + server.port();
	}

	private static String commandStatistics(RedisServer server) {
		return server.cli("INFO", "commandstats").toString();
	}

	private ServerReport report(Driver driver, RedisStandaloneConfiguration server) {
		return report(driver.connect(server));
	}

	private ServerReport report(RedisConnectionFactory application) {
		return new RedisServerCheck(store(application), false, this.nanoTime::get).report().orElseThrow();
	}

	private RedisServerCheck check(Driver driver, RedisStandaloneConfiguration server) {
		return new RedisServerCheck(store(driver.connect(server)), false, this.nanoTime::get);
	}

	private RedisTaskStore store(RedisConnectionFactory connections) {
		RedisStores stores = DriverStores.on(connections);
		this.open.add(stores);
		return stores.open();
	}

}
