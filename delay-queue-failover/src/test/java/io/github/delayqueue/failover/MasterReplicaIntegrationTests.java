package io.github.delayqueue.failover;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.github.delayqueue.StoreUnavailableException;
import io.github.delayqueue.fixtures.DriverStores;
import io.github.delayqueue.fixtures.RedisStores;
import io.github.delayqueue.fixtures.Tasks;
import io.github.delayqueue.roles.QueueControl;
import io.github.delayqueue.store.redis.RedisTaskStore;
import io.github.delayqueue.testsupport.Connections;
import io.github.delayqueue.testsupport.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * A primary and a replica that are listed, {@code spring.data.redis.masterreplica.nodes}:
 * the driver subscribes at none of them by itself.
 */
@ExtendWith(OutputCaptureExtension.class)
@ResourceLock(Resources.SYSTEM_OUT)
class MasterReplicaIntegrationTests {

	@Test
	void wakeMessagesComeFromThePrimary(CapturedOutput output) {
		try (RedisServer primary = RedisServer.startNew();
				RedisServer replica = replicaOf(primary);
				RedisStores stores = stores(replica, primary)) {
			assertIsWoken(stores.open());
			assertThat(subscriptions(primary)).isOne();
			assertThat(subscriptions(replica)).isZero();
			assertThat(output.getOut()).doesNotContain("Connection failure occurred");
		}
	}

	@Test
	void wakeMessagesComeAgainOnceThePrimaryIsBack() {
		try (RedisServer primary = RedisServer.startNew();
				RedisServer replica = replicaOf(primary);
				RedisStores stores = stores(primary, replica)) {
			RedisTaskStore store = stores.open();
			assertIsWoken(store);
			primary.stop();
			primary.start();
			assertIsWoken(store);
		}
	}

	@Test
	void aPrimaryThatHasBecomeAReplicaIsGivenUp() {
		try (RedisServer primary = RedisServer.startNew();
				RedisServer replica = replicaOf(primary);
				RedisStores stores = stores(primary, replica).commandTimeout(Duration.ofSeconds(1))) {
			RedisTaskStore store = stores.open();
			schedule(store);
			replica.cli("REPLICAOF", "NO", "ONE");
			primary.cli("REPLICAOF", replica.host(), String.valueOf(replica.port()));
			await().ignoreExceptions().untilAsserted(() -> schedule(store));
		}
	}

	@Test
	void aPrimaryThatStandsStillIsGivenUpForTheNewOne() {
		try (RedisServer primary = RedisServer.startNew();
				RedisServer replica = replicaOf(primary);
				RedisStores stores = stores(primary, replica).commandTimeout(Duration.ofMillis(500))) {
			RedisTaskStore store = stores.open();
			schedule(store);
			primary.pause();
			replica.cli("REPLICAOF", "NO", "ONE");
			await().ignoreExceptions().untilAsserted(() -> schedule(store));
			primary.resume();
		}
	}

	@Test
	void aPrimaryThatWasAwayAtTheStartIsFound() {
		try (RedisServer primary = RedisServer.startNew();
				RedisServer replica = replicaOf(primary);
				RedisStores stores = stores(primary, replica).commandTimeout(Duration.ofSeconds(1))) {
			primary.stop();
			RedisTaskStore store = stores.open();
			assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(() -> schedule(store))
				.withMessageContaining("cannot be reached or is not ready");
			primary.start();
			await().ignoreExceptions().untilAsserted(() -> schedule(store));
		}
	}

	private static void schedule(RedisTaskStore store) {
		store.schedule("q", List.of(Tasks.task("any", Duration.ofHours(1))));
	}

	private static void assertIsWoken(RedisTaskStore store) {
		AtomicInteger wakes = new AtomicInteger();
		store.subscribe("q", (in) -> wakes.incrementAndGet());
		await().ignoreExceptions().until(() -> {
			QueueControl.of(store).clear("q");
			store.schedule("q", List.of(Tasks.task("wake", Duration.ofHours(1))));
			return wakes.get() > 0;
		});
	}

	private static long subscriptions(RedisServer server) {
		return String.valueOf(server.cli("CLIENT", "LIST", "TYPE", "PUBSUB"))
			.lines()
			.filter((line) -> line.contains("sub="))
			.count();
	}

	private static RedisStores stores(RedisServer first, RedisServer second) {
		RedisStaticMasterReplicaConfiguration servers = new RedisStaticMasterReplicaConfiguration(first.host(),
				first.port());
		servers.addNode(second.host(), second.port());
		return DriverStores.on(Connections.start(new LettuceConnectionFactory(servers)));
	}

	private static RedisServer replicaOf(RedisServer primary) {
		RedisServer replica = RedisServer.builder()
			.arguments("--replicaof", primary.host() + " " + primary.port(), "--repl-diskless-sync-delay", "0")
			.build()
			.start();
		await().until(() -> replica.cli("INFO", "replication").toString().contains("master_link_status:up"));
		return replica;
	}

}
