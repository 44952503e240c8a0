package io.github.delayqueue.migration;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.redisson.client.codec.StringCodec;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;

import io.github.delayqueue.fixtures.DocumentedUser;
import io.github.delayqueue.testsupport.ClusterServers;
import io.github.delayqueue.testsupport.Connections;
import io.github.delayqueue.testsupport.Driver;
import io.github.delayqueue.testsupport.Heavy;
import io.github.delayqueue.testsupport.RedisServer;

import static io.github.delayqueue.migration.MigrationFixture.QUEUE;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Moving over on servers of other kinds: a cluster, one that allows little, one that is
 * full; and by the other driver.
 */
@Heavy
class MigrationServersIntegrationTests {

	private MigrationFixture fixture;

	@AfterEach
	void close() throws Exception {
		if (this.fixture != null) {
			this.fixture.close();
		}
	}

	private Migration texts() {
		return RedissonMigration.from(this.fixture.source).to(QUEUE).payload(RedissonPayloads.text()).build();
	}

	@Test
	void movesWithinACluster() {
		ClusterServers cluster = ClusterServers.shared();
		List<String> nodes = List.of(cluster.addresses().split(","));
		this.fixture = new MigrationFixture(Driver.LETTUCE.connect(cluster), "migration:",
				(config) -> config.useClusterServers()
					.addNodeAddress(nodes.stream().map((node) -> "redis://" + node).toArray(String[]::new)));
		OldQueue<String> old = this.fixture.delayed(this.fixture.redisson(StringCodec.INSTANCE), this.fixture.source);
		for (int i = 0; i < 20; i++) {
			old.offer("a" + i, 1, TimeUnit.HOURS);
		}
		this.fixture.redis.opsForList().rightPush(this.fixture.source, "b");
		assertThat(this.fixture.move(texts()).moved()).isEqualTo(21);
		assertThat(this.fixture.handleDue()).containsExactly("b");
		assertThat(this.fixture.scheduled()).hasSize(20);
	}

	@Test
	void movesByJedis() throws Exception {
		try (RedisServer server = RedisServer.startNew()) {
			this.fixture = new MigrationFixture(Driver.JEDIS.connect(server), "migration:",
					MigrationFixture.single(server.host(), server.port()));
			OldQueue<String> old = this.fixture.delayed(this.fixture.redisson(StringCodec.INSTANCE),
					this.fixture.source);
			for (int i = 0; i < 20; i++) {
				old.offer("a" + i, 1, TimeUnit.HOURS);
			}
			this.fixture.redis.opsForList().rightPush(this.fixture.source, "b");
			assertThat(this.fixture.move(texts()).moved()).isEqualTo(21);
			closeFixture();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "get", "set", "del", "pexpire", "lrange", "llen", "lrem" })
	void userNeedsTheRightsThatAreDocumentedAndNoOthers(String missing) throws Exception {
		try (RedisServer server = RedisServer.startNew()) {
			RedisStandaloneConfiguration configuration = DocumentedUser.as("shop", Connections.configuration(server));
			DocumentedUser user = DocumentedUser.createForMigration(server::cli, "shop", "delay:queue:", "orders");
			this.fixture = new MigrationFixture(Driver.LETTUCE.connect(configuration), "delay:queue:",
					MigrationFixture.single(server.host(), server.port()));
			OldQueue<String> old = this.fixture.delayed(this.fixture.redisson(StringCodec.INSTANCE), "orders");
			old.offer("a", 1, TimeUnit.HOURS);
			server.cli("RPUSH", "orders", "b");
			Migration migration = RedissonMigration.from("orders").to(QUEUE).payload(RedissonPayloads.text()).build();
			if (missing.isEmpty()) {
				assertThat(this.fixture.move(migration).moved()).isEqualTo(2);
				assertThat(user.refusals()).isEmpty();
			}
			else {
				user.allowAllBut(missing);
				this.fixture.runner(migration).start();
				Awaitility.await().untilAsserted(() -> assertThat(user.refusals()).contains("command " + missing));
			}
			closeFixture();
		}
	}

	@Test
	void fullServerKeepsWhatItHasUntilItHasMemoryAgain() throws Exception {
		try (RedisServer server = RedisServer.startNew()) {
			this.fixture = new MigrationFixture(server.host(), server.port());
			OldQueue<String> old = this.fixture.delayed(this.fixture.redisson(StringCodec.INSTANCE),
					this.fixture.source);
			for (int i = 0; i < 20; i++) {
				old.offer("a" + i, 1, TimeUnit.HOURS);
			}
			server.cli("CONFIG", "SET", "maxmemory", "1");
			MigrationRunner runner = this.fixture.runner(texts());
			runner.start();
			Awaitility.await()
				.during(Duration.ofMillis(300))
				.until(() -> runner.progress().get(0).left() == 20 && runner.progress().get(0).moving() == 0);
			server.cli("CONFIG", "SET", "maxmemory", "0");
			Awaitility.await().until(() -> runner.progress().get(0).moved() == 20);
			assertThat(old.size()).isZero();
			closeFixture();
		}
	}

	/** Before its server. */
	private void closeFixture() throws Exception {
		this.fixture.close();
		this.fixture = null;
	}

}
