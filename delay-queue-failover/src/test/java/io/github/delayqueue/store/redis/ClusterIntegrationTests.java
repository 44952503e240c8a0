package io.github.delayqueue.store.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import io.lettuce.core.ReadFrom;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

import io.github.delayqueue.StoreUnavailableException;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.fixtures.Endings;
import io.github.delayqueue.fixtures.DriverStores;
import io.github.delayqueue.fixtures.RedisStores;
import io.github.delayqueue.roles.QueueControl;
import io.github.delayqueue.roles.QueueView;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.ClaimedRecord;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.Extension;
import io.github.delayqueue.testsupport.ClusterServers;
import io.github.delayqueue.testsupport.Connections;
import io.github.delayqueue.testsupport.Driver;
import io.github.delayqueue.testsupport.RedisServer;

import static io.github.delayqueue.fixtures.Tasks.task;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * The store on a cluster, which refuses what touches keys of several slots, or keys that
 * are not declared.
 */
class ClusterIntegrationTests {

	private static final String PREFIX = "cluster:";

	@ParameterizedTest
	@EnumSource
	void everyStepStaysWithinOneSlot(Driver driver) {
		with(driver.connect(ClusterServers.shared()), ClusterIntegrationTests::liveThroughEveryStep);
	}

	@Test
	void readsFromThePrimaryWhereTheApplicationReadsFromReplicas() {
		ClusterServers cluster = ClusterServers.shared();
		RedisServer replica = cluster.replicaOf(PREFIX + "names");
		LettuceConnectionFactory application = Connections
			.start(new LettuceConnectionFactory(Connections.configuration(cluster),
					LettuceClientConfiguration.builder().readFrom(ReadFrom.REPLICA_PREFERRED).build()));
		with(application, (store) -> {
			replica.cli("CONFIG", "RESETSTAT");
			new StringRedisTemplate(application).opsForSet().members(PREFIX + "names");
			assertThat(calls(replica)).as("of the application").contains("cmdstat_smembers:");
			cluster.nodes().forEach((node) -> node.cli("CONFIG", "RESETSTAT"));
			liveThroughEveryStep(store);
			assertThat(calls(replica)).as("of the store").doesNotContain("cmdstat_smembers:");
			assertThat(calls(cluster.replicaOf(PREFIX + "{q}"))).doesNotContain("cmdstat_eval");
			assertThat(calls(cluster.primaryOf(PREFIX + "{q}"))).contains("cmdstat_evalsha:");
		});
	}

	@ParameterizedTest
	@EnumSource
	void stepWhoseAnswerIsLateIsCarriedOutOnceAndNotCalledRefused(Driver driver) {
		ClusterServers cluster = ClusterServers.shared();
		try (RedisStores stores = DriverStores.on(driver.connect(cluster)).keyPrefix(PREFIX)) {
			RedisTaskStore store = stores.open();
			RedisTaskStore hasty = stores.commandTimeout(Duration.ofMillis(1500)).open();
			QueueControl.of(store).clear("late");
			store.schedule("late", List.of(task("held")));
			store.claim("late", ClaimRequest.of("t", 10, Duration.ofHours(1)));
			// or a step would be late, and then refused because its script is not there
			store.settle("late", List.of(Endings.complete("none", "t", false)));
			long stale = QueueView.of(store).stats("late").totals().stale();
			RedisServer primary = cluster.primaryOf(PREFIX + "{late}");
			connect(hasty);
			assertLate(primary, hasty, () -> hasty.schedule("late", List.of(task("new"))));
			assertLate(primary, hasty, () -> hasty.settle("late", List.of(Endings.complete("held", "t", false))));
			assertThat(store.find("late", "new")).isPresent();
			assertThat(store.find("late", "held")).isEmpty();
			assertThat(QueueView.of(store).stats("late").totals().replaced()).as("sent twice").isZero();
			assertThat(QueueView.of(store).stats("late").totals().stale()).as("sent twice").isEqualTo(stale);
		}
	}

	/** The server takes its time, and carries out what it has been sent afterwards. */
	private static void assertLate(RedisServer primary, RedisTaskStore store, ThrowingCallable step) {
		long scripts = primary.scriptCalls();
		primary.pause();
		try {
			assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(step)
				.withMessageContaining("may or may not have been done");
		}
		finally {
			primary.resume();
		}
		await().untilAsserted(() -> assertThat(primary.scriptCalls()).isGreaterThan(scripts));
		connect(store);
	}

	/**
	 * Or the next step would wait for a new connection, and not even be sent: consumers
	 * have connections of their own.
	 */
	private static void connect(RedisTaskStore store) {
		await().ignoreExceptions().until(() -> QueueView.of(store).stats("late") != null);
		await().ignoreExceptions()
			.until(() -> store.extend("late", List.of(new Extension("none", "t", Duration.ZERO))) != null);
	}

	private static String calls(RedisServer server) {
		return String.valueOf(server.cli("INFO", "commandstats"));
	}

	private static void with(RedisConnectionFactory connections, Consumer<RedisTaskStore> use) {
		try (RedisStores stores = DriverStores.on(connections).keyPrefix(PREFIX)) {
			RedisTaskStore store = stores.open();
			QueueControl.of(store).clear("q");
			use.accept(store);
		}
	}

	private static void liveThroughEveryStep(RedisTaskStore store) {
		AtomicInteger wakes = new AtomicInteger();
		store.subscribe("q", (in) -> wakes.incrementAndGet());
		await().until(() -> {
			QueueControl.of(store).clear("q");
			store.schedule("q", List.of(task("first")));
			return wakes.get() > 0;
		});
		store.schedule("q", List.of(task("a"), task("b"), task("c")));
		QueueControl.of(store).announce("q");
		assertThat(QueueView.of(store).queues()).containsExactly("q");
		assertThat(store.reschedule("q", "c", DueTime.in(Duration.ofHours(1)))).isTrue();
		assertThat(store.claim("q", ClaimRequest.of("t", 10, Duration.ofSeconds(30))).tasks())
			.extracting(ClaimedRecord::id)
			.contains("a", "b");
		assertThat(store.extend("q", List.of(new Extension("a", "t", Duration.ofSeconds(9))))).containsExactly(true);
		assertThat(
				store.settle("q", List.of(Endings.complete("a", "t", false), Endings.deadLetter("b", "t", true, null))))
			.containsExactly(true, true);
		assertThat(QueueControl.of(store).redrive("q", List.of("b"))).containsExactly(true);
		assertThat(store.cancel("q", "c")).isTrue();
		QueueControl.of(store).setPaused("q", true);
		QueueControl.of(store).setPaused("q", false);
		assertThat(store.find("q", "b")).isPresent();
		assertThat(QueueControl.of(store).purge("q", TaskState.DEAD, 10)).isZero();
		assertThat(QueueView.of(store).stats("q").totals().completed()).isPositive();
	}

}
