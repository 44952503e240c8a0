package io.github.delayqueue.testsupport;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What tests of fail-over stand on.
 */
class ServersIntegrationTests {

	@Test
	void sentinelsPromoteTheReplicaOfAKilledPrimary() {
		long begin = System.nanoTime();
		try (SentinelServers servers = SentinelServers.startNew()) {
			System.out.println("up " + (System.nanoTime() - begin) / 1_000_000);
			RedisServer primary = servers.primary();
			RedisServer replica = servers.replica();
			primary.cli("SET", "a", "1");
			await().until(() -> "1".equals(replica.cli("GET", "a")));
			begin = System.nanoTime();
			primary.kill();
			await().until(() -> servers.primary() == replica);
			System.out.println("failover " + (System.nanoTime() - begin) / 1_000_000);
			assertThat(replica.cli("SET", "a", "2")).isEqualTo("OK");
		}
	}

	@Test
	void clusterPromotesTheReplicaOfAKilledPrimary() {
		long begin = System.nanoTime();
		try (ClusterServers cluster = ClusterServers.startNew()) {
			System.out.println("up " + (System.nanoTime() - begin) / 1_000_000);
			RedisServer primary = cluster.primaryOf("a");
			RedisServer replica = cluster.replicaOf("a");
			assertThat(cluster.cli("a", "SET", "a", "1")).isEqualTo("OK");
			begin = System.nanoTime();
			primary.kill();
			await().ignoreExceptions().until(() -> cluster.primaryOf("a") == replica);
			System.out.println("failover " + (System.nanoTime() - begin) / 1_000_000);
			await().ignoreExceptions().until(() -> "OK".equals(cluster.cli("a", "SET", "a", "2")));
			System.out.println("writable " + (System.nanoTime() - begin) / 1_000_000);
			primary.start();
			cluster.awaitComplete();
			assertThat(cluster.replicaOf("a")).isSameAs(primary);
		}
	}

}
