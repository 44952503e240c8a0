package io.github.delayqueue.failover;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.producer.TaskRequest;
import io.github.delayqueue.store.Partitions;
import io.github.delayqueue.testsupport.ClusterServers;
import io.github.delayqueue.testsupport.Heavy;
import io.github.delayqueue.testsupport.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A primary of a cluster is killed, which has some of the partitions of a queue:
 * listeners go on with the others.
 */
@Heavy
class PartitionFailoverIntegrationTests {

	private static final Logger logger = LoggerFactory.getLogger(PartitionFailoverIntegrationTests.class);

	private static final String QUEUE = "spread";

	private static final List<String> NAMES = Partitions.names(QUEUE, 8);

	private final ClusterServers cluster = ClusterServers.shared();

	private final RedisServer primary = this.cluster.primaryOf("{" + QUEUE + "}");

	private final RedisServer replica = this.cluster.replicaOf("{" + QUEUE + "}");

	private final Set<String> stopped = NAMES.stream()
		.filter((name) -> this.cluster.primaryOf("{" + name + "}") == this.primary)
		.collect(Collectors.toSet());

	/** Of whom the queue has partitions. */
	private final Set<RedisServer> primaries = NAMES.stream()
		.map((name) -> this.cluster.primaryOf("{" + name + "}"))
		.collect(Collectors.toSet());

	@AfterEach
	void mend() {
		configure(this.replica, "cluster-replica-no-failover", "no");
		this.primaries.stream()
			.filter(RedisServer::isRunning)
			.forEach((server) -> configure(server, "cluster-require-full-coverage", "yes"));
		if (!this.primary.isRunning()) {
			this.primary.start();
		}
		this.cluster.awaitComplete();
	}

	@Test
	void listenersGoOnWithThePartitionsOfOtherPrimaries() {
		try (Load load = new Load(List.of(QUEUE), Map.of("delay-queue.queues." + QUEUE + ".partitions", "8",
				"spring.data.redis.cluster.nodes", this.cluster.addresses()))
			.awaitWarm()) {
			// until we let it, and the others need not have all slots meanwhile
			configure(this.replica, "cluster-replica-no-failover", "yes");
			this.primaries.forEach((server) -> configure(server, "cluster-require-full-coverage", "no"));
			scheduleForTheTimeOfTheFault(load);
			long from = System.nanoTime();
			this.primary.kill();
			List<String> others = NAMES.stream().filter((name) -> !isStopped(name)).toList();
			await("tasks of the other primaries").until(() -> startedSince(load, from).keySet().containsAll(others));
			Map<String, Long> during = startedSince(load, from);
			configure(this.replica, "cluster-replica-no-failover", "no");
			await().pollInterval(Duration.ofMillis(10))
				.ignoreExceptions()
				.until(() -> "master".equals(((List<?>) this.replica.cli("ROLE")).get(0)));
			long promoted = System.nanoTime();
			Duration again = load.awaitHandledAgain(promoted);
			load.drain();
			Account account = new Account(load, from, promoted + again.toNanos(), Set.of());
			logger.info("New primary after {} ms, meanwhile started of each partition: {}; {} stood still; {}",
					(promoted - from) / 1_000_000, during, this.stopped, account.text());
			account.assertSane().assertDoubledOnlyForAReason();
			assertThat(this.stopped).hasSizeBetween(1, 7);
			assertThat(account.lost()).allMatch((id) -> isStopped(Partitions.home(id, NAMES))
					&& load.accepted().get(id).sentAt() - account.to() < 0);
			NAMES.forEach((name) -> assertThat(load.handled().keySet())
				.anyMatch((id) -> Partitions.home(id, NAMES).equals(name)));
		}
	}

	private boolean isStopped(String partition) {
		return this.stopped.contains(partition);
	}

	/**
	 * Producers are held up by the calls that fail: tasks that are there already go on.
	 */
	private static void scheduleForTheTimeOfTheFault(Load load) {
		long now = System.nanoTime();
		List<TaskRequest> tasks = IntStream.range(0, 1000)
			.mapToObj((i) -> TaskRequest.queue(QUEUE)
				.id("before-" + i)
				.payload("before-" + i)
				.delay(Duration.ofMillis(5L * i))
				.build())
			.toList();
		load.operations().scheduleAll(tasks);
		IntStream.range(0, 1000)
			.forEach((i) -> load.accepted().put("before-" + i, new Load.Call(QUEUE, now, System.nanoTime(), "")));
	}

	private static void configure(RedisServer server, String setting, String value) {
		server.cli("CONFIG", "SET", setting, value);
	}

	/** By partition; what had been claimed before is started by then. */
	private static Map<String, Long> startedSince(Load load, long killedAt) {
		long from = killedAt + Duration.ofMillis(500).toNanos();
		return load.handled()
			.entrySet()
			.stream()
			.filter((entry) -> entry.getValue().stream().anyMatch((handling) -> handling.startedAt() - from > 0))
			.collect(Collectors.groupingBy((entry) -> Partitions.home(entry.getKey(), NAMES), Collectors.counting()));
	}

}
