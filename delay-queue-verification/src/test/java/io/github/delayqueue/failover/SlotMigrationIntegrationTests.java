package io.github.delayqueue.failover;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.testsupport.ClusterServers;
import io.github.delayqueue.testsupport.Heavy;
import io.github.delayqueue.testsupport.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The slot of a queue moves from one primary of a cluster to another, key by key, under
 * load.
 */
@Heavy
class SlotMigrationIntegrationTests {

	private static final Logger logger = LoggerFactory.getLogger(SlotMigrationIntegrationTests.class);

	private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(4);

	private final ClusterServers cluster = ClusterServers.shared();

	@Test
	void delaysAndBreaksNothing() {
		try (Load load = new Load(List.of("moving"), Map.of("spring.data.redis.cluster.nodes", this.cluster.addresses(),
				"delay-queue.command-timeout", COMMAND_TIMEOUT.toString()))
			.awaitWarm()) {
			String base = load.prefix() + "{moving}";
			String slot = String.valueOf(this.cluster.slotOf(base));
			RedisServer source = this.cluster.primaryOf(base);
			RedisServer target = this.cluster.primaryBeside(source);
			long from = System.nanoTime();
			target.cli("CLUSTER", "SETSLOT", slot, "IMPORTING", ClusterServers.id(source));
			source.cli("CLUSTER", "SETSLOT", slot, "MIGRATING", ClusterServers.id(target));
			List<String> moved = new ArrayList<>();
			await().pollInterval(Duration.ofMillis(400)).until(() -> {
				List<?> keys = (List<?>) source.cli("CLUSTER", "GETKEYSINSLOT", slot, "2");
				// the last one not before a call has waited in vain
				if (keys.size() > 1 || !load.refused().isEmpty()) {
					for (Object key : keys.stream().limit(1).toList()) {
						source.cli("MIGRATE", target.host(), String.valueOf(target.port()), (String) key, "0", "5000");
						moved.add(((String) key).substring(base.length()));
					}
				}
				return keys.isEmpty();
			});
			target.cli("CLUSTER", "SETSLOT", slot, "NODE", ClusterServers.id(target));
			source.cli("CLUSTER", "SETSLOT", slot, "NODE", ClusterServers.id(target));
			long to = System.nanoTime();
			Duration again = load.awaitHandledAgain(to);
			load.drain();
			Account account = new Account(load, from, to + again.toNanos(), Set.of());
			logger.info("Slot moved within {} ms, keys {}, handled again {} ms later; {}", (to - from) / 1_000_000,
					moved, again.toMillis(), account.text());
			account.assertSane();
			assertThat(load.refused().values()).as("calls that took longer than the command time-out")
				.isNotEmpty()
				.allMatch((call) -> call.error().contains("TRYAGAIN"))
				.allMatch((call) -> call.millis() > COMMAND_TIMEOUT.dividedBy(2).toMillis());
			assertThat(load.handled()).as("done though refused").doesNotContainKeys(ids(load.refused()));
			assertThat(account.lost()).isEmpty();
			assertThat(account.doubled()).isEmpty();
		}
	}

	private static String[] ids(Map<String, ?> calls) {
		return calls.keySet().toArray(String[]::new);
	}

}
