package io.github.delayqueue.fleet;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.data.redis.connection.RedisSentinelConfiguration;

import io.github.delayqueue.fixtures.DriverStores;
import io.github.delayqueue.fixtures.RedisStores;
import io.github.delayqueue.listener.DelayQueueListenerContainer;
import io.github.delayqueue.listener.Gate;
import io.github.delayqueue.listener.ListenerFixture;
import io.github.delayqueue.listener.ListenerOptions;
import io.github.delayqueue.listener.TaskResult;
import io.github.delayqueue.roles.QueueView;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.testsupport.ChildJvm;
import io.github.delayqueue.testsupport.Driver;
import io.github.delayqueue.testsupport.Heavy;
import io.github.delayqueue.testsupport.RedisServer;
import io.github.delayqueue.testsupport.SentinelServers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Behind Sentinel, an instance that dies is replaced, before and after a failover, and
 * the failover replaces nobody who lives.
 */
@Execution(ExecutionMode.CONCURRENT)
@Heavy
class SentinelTakeoverIntegrationTests {

	private static final String QUEUE = "work";

	private static final int TASKS = 5;

	/** So long that no lease runs out while a test waits. */
	private static final Duration LEASE_DURATION = Duration.ofMinutes(10);

	private final Queue<String> handled = new ConcurrentLinkedQueue<>();

	@TempDir
	private Path directory;

	@ParameterizedTest
	@EnumSource
	void replacesWhoIsKilledAndNobodyBecauseOfAFailover(Driver driver) throws Exception {
		Gate gate = new Gate();
		Files.createFile(this.directory.resolve(ConsumerProcess.HOLD));
		try (SentinelServers servers = SentinelServers.startNew();
				RedisStores stores = DriverStores.on(driver.connect(
						new RedisSentinelConfiguration(SentinelServers.MASTER, Set.of(servers.nodes().split(",")))));
				ListenerFixture living = Instances.open(stores.open());
				ListenerFixture survivor = Instances.open(stores.open())) {
			living.register(QUEUE, (task, context) -> gate.pass(), options());
			schedule(living, "living");
			await().until(() -> gate.entered() == TASKS);
			try (ChildJvm early = start(servers, stores, "early"); ChildJvm late = start(servers, stores, "late")) {
				schedule(living, "held");
				schedule(living, "also-held");
				await().until(() -> started("early") == TASKS && started("late") == TASKS);
				DelayQueueListenerContainer container = survivor.register(QUEUE, (task, context) -> {
					this.handled.add(task.id());
					return TaskResult.done();
				}, options());
				await().until(() -> counted(servers, stores).size() == 3);
				awaitClaims(container);
				early.kill();
				await().until(() -> this.handled.size() == TASKS);
				await().until(() -> counted(servers, stores).size() == 3);
				Set<String> instances = counted(servers, stores);

				failOver(servers);
				LeaseHolders holders = stores.get(0).requireRole(LeaseHolders.class);
				await().ignoreExceptions().until(() -> holders.present(instances).equals(instances));
				awaitClaims(container);
				await().until(() -> counted(servers, stores).equals(instances));
				// whoever of the three was first has ended the leases of the one that was
				// killed, and nobody any others
				assertThat(QueueView.of(stores.get(0)).stats(QUEUE).totals().leasesLost()).isEqualTo(TASKS);
				late.kill();
				await().until(() -> this.handled.size() == 2 * TASKS);
			}
			TaskStore store = stores.get(0);
			assertThat(QueueView.of(store).stats(QUEUE).totals().leasesLost()).isEqualTo(2 * TASKS);
			gate.open();
			await().until(() -> QueueView.of(store).stats(QUEUE).totals().completed() == 3 * TASKS);
			assertThat(QueueView.of(store).stats(QUEUE).totals().stale()).isZero();
		}
	}

	/** All that was written is known to the new primary. */
	private static void failOver(SentinelServers servers) {
		servers.awaitComplete();
		RedisServer replica = servers.replica();
		servers.primary().kill();
		await().ignoreExceptions().until(() -> servers.primary() == replica);
	}

	/** Who can be missed. */
	private static Set<String> counted(SentinelServers servers, RedisStores stores) {
		Object holders = servers.primary().cli("HGET", stores.keyPrefix() + "{" + QUEUE + "}:meta", "holders");
		return Pattern.compile("\\w+(?=~)")
			.matcher(String.valueOf(holders))
			.results()
			.map(MatchResult::group)
			.collect(Collectors.toSet());
	}

	private static void awaitClaims(DelayQueueListenerContainer container) {
		long claims = container.status().claims();
		await().until(() -> container.status().claims() > claims + 5);
	}

	private static ListenerOptions options() {
		return ListenerOptions.builder().concurrency(TASKS).leaseDuration(LEASE_DURATION).build();
	}

	private static void schedule(ListenerFixture instance, String prefix) {
		for (int i = 0; i < TASKS; i++) {
			instance.schedule(QUEUE, prefix + "-" + i, "payload", Duration.ZERO);
		}
	}

	private long started(String name) {
		return HandledFile.read(this.directory.resolve(name)).started().size();
	}

	private ChildJvm start(SentinelServers servers, RedisStores stores, String name) {
		Path file = this.directory.resolve(name);
		ChildJvm process = ChildJvm
			.of(ConsumerProcess.class, SentinelServers.MASTER, servers.nodes(), stores.keyPrefix(), QUEUE,
					file.toString(), LEASE_DURATION.toString(), String.valueOf(TASKS))
			.start(Path.of(file + ".log"));
		await().until(() -> HandledFile.isReady(file));
		return process;
	}

}
