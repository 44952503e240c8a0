package io.github.delayqueue.replication;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.data.redis.connection.RedisClusterConfiguration;

import io.github.delayqueue.ScheduleOutcome;
import io.github.delayqueue.fixtures.DriverStores;
import io.github.delayqueue.fixtures.RedisStores;
import io.github.delayqueue.roles.QueueControl;
import io.github.delayqueue.roles.QueueView;
import io.github.delayqueue.store.ScheduleOptions;
import io.github.delayqueue.store.ScheduleReply;
import io.github.delayqueue.store.ScheduleReply.Doubt;
import io.github.delayqueue.store.redis.RedisTaskStore;
import io.github.delayqueue.testsupport.Driver;
import io.github.delayqueue.testsupport.Heavy;
import io.github.delayqueue.testsupport.Patience;
import io.github.delayqueue.testsupport.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * In a cluster the wait is for the replicas of the node that has the queue. Two primaries
 * share the slots, and only the first of them has a replica.
 */
@Heavy
class ClusterReplicationIntegrationTests {

	private static final int SPLIT = 8192;

	/** For calls that wait for replicas which do not exist. */
	private static final Duration SHORT = Duration.ofSeconds(3);

	private static final List<RedisServer> SERVERS = new ArrayList<>();

	private static RedisServer first;

	private static RedisServer second;

	private static RedisServer replica;

	@BeforeAll
	static void startCluster() {
		first = start();
		second = start();
		replica = start();
		first.cli("CLUSTER", "ADDSLOTSRANGE", "0", String.valueOf(SPLIT - 1));
		second.cli("CLUSTER", "ADDSLOTSRANGE", String.valueOf(SPLIT), "16383");
		// or all have the epoch zero, and contradict each other about slots that move
		first.cli("CLUSTER", "SET-CONFIG-EPOCH", "1");
		second.cli("CLUSTER", "SET-CONFIG-EPOCH", "2");
		replica.cli("CLUSTER", "SET-CONFIG-EPOCH", "3");
		for (RedisServer server : List.of(second, replica)) {
			first.cli("CLUSTER", "MEET", server.host(), String.valueOf(server.port()));
		}
		await().until(() -> SERVERS.stream()
			.allMatch((server) -> server.cli("CLUSTER", "INFO").toString().contains("cluster_known_nodes:3")));
		await().ignoreExceptions().until(() -> "OK".equals(replica.cli("CLUSTER", "REPLICATE", id(first))));
		await().until(() -> SERVERS.stream()
			.allMatch((server) -> server.cli("CLUSTER", "INFO").toString().contains("cluster_state:ok")));
		await().until(() -> first.cli("INFO", "replication").toString().contains("state=online"));
	}

	@AfterAll
	static void close() {
		SERVERS.forEach(RedisServer::close);
	}

	@ParameterizedTest
	@EnumSource
	void waitsForReplicasOfTheNodeThatHasTheQueue(Driver driver) throws Exception {
		withStore(driver, SHORT, (store) -> withStore(driver, Patience.LIMIT, (patient) -> {
			String replicated = queue("near" + driver, 0);
			String alone = queue("far" + driver, SPLIT);
			assertThat(schedule(patient, replicated, "x").doubt()).isNull();
			assertThat((List<?>) replica.cli("KEYS", "cluster:{" + replicated + "}:tasks")).hasSize(1);
			assertNoneConfirmed(schedule(store, alone, "x"));
			assertThat(store.find(alone, "x")).isPresent();
		}));
	}

	@ParameterizedTest
	@EnumSource
	void waitsForTheEndOfAMigrationAndFollowsTheSlot(Driver driver) throws Exception {
		withStore(driver, SHORT, (store) -> withStore(driver, Patience.LIMIT, (patient) -> {
			String queue = queue("moving", SPLIT);
			int slot = slot(queue);
			assertNoneConfirmed(schedule(store, queue, "warm"));
			QueueControl.of(store).clear(queue);
			second.cli("DEL", "cluster:{" + queue + "}:meta");
			first.cli("CLUSTER", "SETSLOT", String.valueOf(slot), "IMPORTING", id(second));
			second.cli("CLUSTER", "SETSLOT", String.valueOf(slot), "MIGRATING", id(first));
			CompletableFuture<ScheduleReply> meanwhile = CompletableFuture
				.supplyAsync(() -> schedule(patient, queue, "meanwhile"));
			assertThatExceptionOfType(TimeoutException.class)
				.isThrownBy(() -> meanwhile.get(300, TimeUnit.MILLISECONDS));
			move(slot, first);
			try {
				assertThat(meanwhile.get()).isEqualTo(ScheduleReply.of(List.of(ScheduleOutcome.CREATED)));
				assertThat(schedule(patient, queue, "moved").doubt()).isNull();
				assertThat(QueueView.of(store).stats(queue).waiting()).isEqualTo(2);
			}
			finally {
				QueueControl.of(store).clear(queue);
				first.cli("DEL", "cluster:{" + queue + "}:meta");
				move(slot, second);
			}
			assertNoneConfirmed(schedule(store, queue, "back"));
		}));
	}

	/** On a busy machine the driver may give up before the server says so. */
	private static void assertNoneConfirmed(ScheduleReply reply) {
		assertThat(reply.outcomes()).containsExactly(ScheduleOutcome.CREATED);
		assertThat(reply.doubt()).isNotNull().extracting(Doubt::confirmations, Doubt::wanted).containsExactly(0, 1);
	}

	private static void move(int slot, RedisServer target) {
		for (RedisServer server : List.of(target, (target == first) ? second : first)) {
			server.cli("CLUSTER", "SETSLOT", String.valueOf(slot), "NODE", id(target));
		}
	}

	private static ScheduleReply schedule(RedisTaskStore store, String queue, String id) {
		return store.schedule(queue, List.of(ReplicationIntegrationTests.task(id)), ScheduleOptions.CONFIRMED);
	}

	/** A queue whose slot is at or above one, and below the next primary's. */
	private static String queue(String name, int from) {
		for (int i = 0;; i++) {
			int slot = slot(name + i);
			if (slot >= from && slot < from + SPLIT) {
				return name + i;
			}
		}
	}

	private static int slot(String queue) {
		return ((Long) first.cli("CLUSTER", "KEYSLOT", "cluster:{" + queue + "}")).intValue();
	}

	private static String id(RedisServer server) {
		return (String) server.cli("CLUSTER", "MYID");
	}

	private static RedisServer start() {
		RedisServer server = RedisServer.builder()
			.cluster()
			.arguments("--repl-diskless-sync-delay", "0", "--cluster-node-timeout", "5000")
			.build()
			.start();
		SERVERS.add(server);
		return server;
	}

	private interface Use {

		void with(RedisTaskStore store) throws Exception;

	}

	private static void withStore(Driver driver, Duration commandTimeout, Use use) throws Exception {
		RedisClusterConfiguration cluster = new RedisClusterConfiguration(List.of(first.host() + ":" + first.port()));
		try (RedisStores stores = DriverStores.on(driver.connect(cluster))
			.minReplicas(1)
			.keyPrefix("cluster:")
			.commandTimeout(commandTimeout)) {
			use.with(stores.open());
		}
	}

}
