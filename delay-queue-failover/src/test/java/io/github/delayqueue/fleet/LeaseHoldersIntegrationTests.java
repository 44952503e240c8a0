package io.github.delayqueue.fleet;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import io.github.delayqueue.StoreUnavailableException;
import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.fixtures.Endings;
import io.github.delayqueue.fixtures.DriverStores;
import io.github.delayqueue.fixtures.RedisStores;
import io.github.delayqueue.roles.QueueControl;
import io.github.delayqueue.roles.QueueView;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.ClaimResult;
import io.github.delayqueue.store.ClaimedRecord;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.Extension;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.Replacement;
import io.github.delayqueue.store.WakeSubscription;
import io.github.delayqueue.store.redis.RedisTaskStore;
import io.github.delayqueue.store.redis.Replies;
import io.github.delayqueue.store.redis.ScriptRunner;
import io.github.delayqueue.testsupport.ClusterServers;
import io.github.delayqueue.testsupport.Driver;
import io.github.delayqueue.testsupport.Patience;
import io.github.delayqueue.testsupport.RedisServer;
import io.github.delayqueue.testsupport.TestRedis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Who is counted, and what becomes of the leases of one who is gone.
 */
@Execution(ExecutionMode.CONCURRENT)
class LeaseHoldersIntegrationTests {

	private static final Duration LEASE_DURATION = Duration.ofMinutes(1);

	@ParameterizedTest
	@EnumSource
	void instanceIsCountedAsLongAsItIsConnected(Driver driver) {
		isCountedAsLongAsItIsConnected(driver.connect(TestRedis.server()), driver.connect(TestRedis.server()));
	}

	@ParameterizedTest
	@EnumSource
	void instanceIsCountedAtWhateverNodeOfAClusterItSubscribed(Driver driver) {
		for (int i = 0; i < 4; i++) {
			isCountedAsLongAsItIsConnected(driver.connect(ClusterServers.shared()),
					driver.connect(ClusterServers.shared()));
		}
	}

	private static void isCountedAsLongAsItIsConnected(RedisConnectionFactory one, RedisConnectionFactory other) {
		String prefix = "holders:" + System.nanoTime() + ":";
		try (RedisStores holder = DriverStores.on(one).keyPrefix(prefix).commandTimeout(Patience.LIMIT);
				RedisStores observer = DriverStores.on(other).keyPrefix(prefix).commandTimeout(Patience.LIMIT)) {
			LeaseHolders holders = observer.open().requireRole(LeaseHolders.class);
			assertThat(holders.present(List.of("a1", "b2"))).isEmpty();
			AtomicInteger begun = new AtomicInteger();
			RedisTaskStore store = holder.open();
			WakeSubscription subscription = store.requireRole(LeaseHolders.class)
				.enter("a1", (in) -> begun.incrementAndGet());
			await().until(() -> begun.get() > 0);
			assertThat(holders.present(List.of("a1", "b2"))).containsExactly("a1");
			subscription.close();
			await().until(() -> holders.present(List.of("a1", "b2")).isEmpty());
			store.requireRole(LeaseHolders.class).enter("b2", (in) -> begun.incrementAndGet());
			await().until(() -> holders.present(List.of("a1", "b2")).contains("b2"));
			store.destroy();
			await().until(() -> holders.present(List.of("a1", "b2")).isEmpty());
		}
	}

	@ParameterizedTest
	@MethodSource(Driver.BY_EFFORT)
	void asksNodesThatTheDriverDoesNotKnowYetAndKnowsNothingWithoutOneThatIsAway(Driver driver) {
		try (ClusterServers cluster = ClusterServers.startNew();
				RedisServer joined = RedisServer.builder()
					.cluster()
					.arguments("--cluster-node-timeout", String.valueOf(ClusterServers.PATIENT.toMillis()))
					.build();
				RedisStores stores = DriverStores.on(driver.connect(cluster)).keyPrefix("holders:")) {
			cluster.setNodeTimeout(ClusterServers.PATIENT);
			LeaseHolders holders = stores.open().requireRole(LeaseHolders.class);
			assertThat(holders.present(List.of("a1"))).isEmpty();
			Set<String> places = holders.places();
			assertThat(places).hasSize(6);
			joined.start();
			RedisServer known = cluster.nodes().get(0);
			known.cli("CLUSTER", "MEET", joined.host(), String.valueOf(joined.port()));
			await().until(() -> cluster.nodes()
				.stream()
				.allMatch((node) -> listing(node).contains(":" + joined.port() + "@")
						&& !listing(node).contains("handshake") && !listing(node).contains("fail"))
					&& listing(joined).lines().count() == 7 && !listing(joined).contains("handshake"));
			try (RedisConnection connection = Driver.LETTUCE.connect(joined).getConnection()) {
				connection.subscribe((message, pattern) -> {
				}, "holders:instances/a1".getBytes(StandardCharsets.UTF_8));
				assertThat(holders.present(List.of("a1"))).containsExactly("a1");
				assertThat(holders.present(List.of("a1", "b2"))).containsExactly("a1");
				assertThat(holders.places()).hasSize(7).containsAll(places);
			}
			cluster.setNodeTimeout(ClusterServers.HASTY);
			joined.kill();
			await().until(() -> listing(known).contains("fail"));
			for (int i = 0; i < 3; i++) {
				assertThatExceptionOfType(StoreUnavailableException.class)
					.isThrownBy(() -> holders.present(List.of("a1")));
			}
			await().until(() -> listing(known).contains("fail ") || listing(known).contains("master,fail -"));
			assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(() -> holders.present(List.of("a1")));
		}
	}

	/** As behind a translation of addresses: nobody is reached at what nodes tell. */
	@ParameterizedTest
	@MethodSource(Driver.BY_EFFORT)
	void asksNodesAtTheAddressesThatTheDriverHas(Driver driver) {
		try (ClusterServers cluster = ClusterServers.startNew();
				RedisStores stores = DriverStores.on(driver.connect(cluster)).keyPrefix("holders:")) {
			cluster.setNodeTimeout(ClusterServers.PATIENT);
			LeaseHolders holders = stores.open().requireRole(LeaseHolders.class);
			assertThat(holders.present(List.of("a1"))).isEmpty();
			RedisServer moved = cluster.nodes().get(0);
			String told = "127.0.0.9:" + moved.port() + "@";
			moved.cli("CONFIG", "SET", "cluster-announce-ip", "127.0.0.9");
			await().until(() -> cluster.nodes().stream().allMatch((node) -> listing(node).contains(told)));
			assertThat(holders.present(List.of("a1"))).isEmpty();
			assertThat(holders.places()).hasSize(6);
		}
	}

	/** It has the flag {@code nofailover}, and is well. */
	@ParameterizedTest
	@MethodSource(Driver.BY_EFFORT)
	void asksANodeThatIsNeverToBecomeAPrimary(Driver driver) {
		try (ClusterServers cluster = ClusterServers.startNew();
				RedisStores stores = DriverStores.on(driver.connect(cluster)).keyPrefix("holders:")) {
			cluster.setNodeTimeout(ClusterServers.PATIENT);
			cluster.nodes().forEach((node) -> node.cli("CONFIG", "SET", "cluster-replica-no-failover", "yes"));
			await().until(() -> cluster.nodes().stream().allMatch((node) -> listing(node).contains("nofailover")));
			LeaseHolders holders = stores.open().requireRole(LeaseHolders.class);
			assertThat(holders.present(List.of("a1"))).isEmpty();
			assertThat(holders.places()).hasSize(6);
		}
	}

	private static String listing(RedisServer node) {
		return String.valueOf(node.cli("CLUSTER", "NODES"));
	}

	@ParameterizedTest
	@EnumSource
	void instanceThatStillHandlesTasksIsCountedWhenTheStoreHasStopped(Driver driver) {
		try (RedisStores stores = DriverStores.on(driver.connect(TestRedis.server()))
			.keyPrefix("holders:" + System.nanoTime() + ":")) {
			RedisTaskStore store = stores.open();
			LeaseHolders holders = stores.open().requireRole(LeaseHolders.class);
			WakeSubscription subscription = store.requireRole(LeaseHolders.class).enter("a1", (in) -> {
			});
			await().until(() -> holders.present(List.of("a1")).contains("a1"));
			store.stop();
			assertThat(holders.present(List.of("a1"))).containsExactly("a1");
			subscription.close();
			await().until(() -> holders.present(List.of("a1")).isEmpty());
			store.stop();
			assertThat(store.isRunning()).isFalse();
		}
	}

	@Test
	void leasesOfOneRunOutAndThoseOfOthersDoNot() {
		try (RedisStores stores = DriverStores.onShared("holders")) {
			RedisTaskStore store = stores.open();
			schedule(store, 2600);
			assertThat(claim(store, "a1~x-", 1200).notes().holders()).containsExactly("a1~");
			assertThat(claim(store, "b2~x-", 500).notes().holders()).containsExactly("b2~", "a1~");
			claim(store, "c3-", 300);
			claim(store, "a1?y-", 500);
			LeaseHolders holders = store.requireRole(LeaseHolders.class);
			assertThat(claim(store, "e5?y-", 1).notes().holders()).containsExactly("e5?", "a1?", "b2~", "a1~");
			holders.counted("q", "e5");
			assertThat(claim(store, "e5?y-", 1).notes().holders()).containsExactly("e5?", "e5~", "a1?", "b2~", "a1~");
			holders.counted("q", "e5");
			assertThat(claim(store, "e5?y-", 1).notes().holders()).containsExactly("e5?", "e5~", "a1?", "b2~", "a1~");
			AtomicInteger wakes = new AtomicInteger();
			store.subscribe("q", (in) -> wakes.incrementAndGet());
			await().until(() -> wakes.get() == 1);
			assertThat(holders.takeOver("q", "a1")).isEqualTo(1700);
			await().until(() -> wakes.get() > 1);
			assertThat(QueueView.of(store).stats("q").leasesLost()).isEqualTo(1700);
			assertThat(holders.takeOver("q", "a1")).as("by another instance").isZero();
			assertThat(holders.takeOver("q", "none")).isZero();
			ClaimResult again = store.claim("q", ClaimRequest.of("d4~z-1", 500, LEASE_DURATION));
			assertThat(again.tasks()).filteredOn(ClaimedRecord::leaseLost).isNotEmpty();
			assertThat(again.notes().holders()).containsExactly("d4~", "e5?", "e5~", "b2~");
			QueueControl.of(store).clear("q");
		}
	}

	@Test
	void leasesOfOneWhoIsNotToBeMissedAreLeftUntilItIsCountedAgain() {
		try (RedisStores stores = DriverStores.onShared("holders")) {
			RedisTaskStore store = stores.open();
			LeaseHolders holders = store.requireRole(LeaseHolders.class);
			schedule(store, 10);
			claim(store, "a1~x-", 2);
			assertThat(claim(store, "b2~x-", 2).notes().holders()).containsExactly("b2~", "a1~");
			holders.forget("q", "a1~");
			holders.forget("q", "a1?");
			holders.forget("q", "none?");
			assertThat(claim(store, "b2~y-", 1).notes().holders()).containsExactly("b2~");
			assertThat(holders.takeOver("q", "a1")).isZero();
			holders.counted("q", "a1");
			assertThat(claim(store, "b2~z-", 1).notes().holders()).containsExactly("a1~", "b2~");
			assertThat(holders.takeOver("q", "a1")).isEqualTo(2);
			holders.forget("q", "b2~");
			assertThat(claim(store, "c3-", 1).notes().holders()).isEmpty();
			QueueControl.of(store).clear("q");
		}
	}

	@Test
	void endsEachLeaseWhenSomeOfOthersOfTheSameMillisecondEndBetweenTwoCalls() {
		Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
		try (RedisServer server = RedisServer.startNew();
				RedisStores stores = DriverStores.on(server).clock(Clock.fixed(now, ZoneOffset.UTC))) {
			RedisTaskStore store = stores.open();
			schedule(store, 2100);
			List<ClaimedRecord> others = new ArrayList<>();
			for (int i = 0; i < 3; i++) {
				others.addAll(store.claim("q", ClaimRequest.of("b2~x-" + i, 350, LEASE_DURATION)).tasks());
			}
			claim(store, "a1~x-", 1050);
			List<?> first = takeOver(stores, "");
			assertThat(first.get(1)).isEqualTo(0L);
			store.settle("q",
					others.stream().limit(60).map((task) -> Endings.complete(task.id(), "b2~x-0", false)).toList());
			List<?> second = takeOver(stores, String.valueOf(first.get(0)));
			assertThat(second.get(1)).isEqualTo(950L);
			List<?> third = takeOver(stores, String.valueOf(second.get(0)));
			assertThat(third).isEqualTo(List.of("", 100L));
		}
	}

	private static List<?> takeOver(RedisStores stores, String from) {
		ScriptRunner scripts = stores.get(0).scripts();
		List<?> reply = scripts.run(scripts.timed(RedisLeaseHolders.TAKE_OVER, "q").add("a1").add(from));
		return List.of(Replies.text(reply.get(0)), reply.get(1));
	}

	@Test
	void holderThatWasCutOffMaySettleUntilAnotherClaimHasItsTask() {
		try (RedisStores stores = DriverStores.onShared("holders")) {
			RedisTaskStore store = stores.open();
			schedule(store, 3);
			store.claim("q", ClaimRequest.of("a1~x-1", 3, LEASE_DURATION));
			store.requireRole(LeaseHolders.class).takeOver("q", "a1");
			assertThat(store.settle("q", List.of(Endings.complete("task-0", "a1~x-1", false)))).containsExactly(true);
			assertThat(store.extend("q", List.of(new Extension("task-1", "a1~x-1", LEASE_DURATION))))
				.containsExactly(true);
			assertThat(store.claim("q", ClaimRequest.of("b2~x-1", 3, LEASE_DURATION)).tasks())
				.extracting(ClaimedRecord::id)
				.containsExactly("task-2");
			assertThat(store.settle("q", List.of(Endings.complete("task-2", "a1~x-1", false)))).containsExactly(false);
			assertThat(store.extend("q", List.of(new Extension("task-2", "a1~x-1", LEASE_DURATION))))
				.containsExactly(false);
			QueueControl.of(store).clear("q");
		}
	}

	private static ClaimResult claim(RedisTaskStore store, String token, int tasks) {
		ClaimResult last = null;
		for (int left = tasks; left > 0; left -= 500) {
			last = store.claim("q", ClaimRequest.of(token + left, Math.min(left, 500), LEASE_DURATION));
		}
		return last;
	}

	private static void schedule(RedisTaskStore store, int tasks) {
		for (int from = 0; from < tasks; from += 500) {
			store.schedule("q",
					IntStream.range(from, Math.min(tasks, from + 500))
						.mapToObj((i) -> new NewTask("task-" + i, "{}".getBytes(StandardCharsets.UTF_8),
								DueTime.in(Duration.ZERO), TaskPriority.NORMAL, Replacement.REPLACE))
						.toList());
		}
	}

}
