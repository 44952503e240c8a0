package io.github.delayqueue.partition;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.ScheduleOutcome;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.fixtures.Endings;
import io.github.delayqueue.fixtures.DriverStores;
import io.github.delayqueue.fixtures.RedisStores;
import io.github.delayqueue.roles.QueueControl;
import io.github.delayqueue.roles.QueueView;
import io.github.delayqueue.roles.SourceNames;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.ClaimedRecord;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.Extension;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.redis.RedisTaskStore;
import io.github.delayqueue.testsupport.ClusterServers;
import io.github.delayqueue.testsupport.Driver;
import io.github.delayqueue.testsupport.Heavy;
import io.github.delayqueue.testsupport.RedisServer;

import static io.github.delayqueue.fixtures.Tasks.task;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A queue of eight partitions on a cluster of three primaries.
 */
class PartitionedClusterIntegrationTests {

	private static final String PREFIX = "partitions:";

	private static final String QUEUE = "spread";

	private static final List<String> NAMES = SourceNames.names(QUEUE, 8);

	private static final Duration HOUR = Duration.ofHours(1);

	private final ClusterServers cluster = ClusterServers.shared();

	private RedisStores stores;

	private RedisTaskStore partitions;

	private PartitionedTaskStore store;

	private void open(Driver driver, Duration commandTimeout) {
		this.stores = DriverStores.on(driver.connect(this.cluster)).keyPrefix(PREFIX).commandTimeout(commandTimeout);
		this.partitions = this.stores.open();
		this.store = new PartitionedTaskStore(this.partitions, (queue) -> 8);
		QueueControl.of(this.store).clear(QUEUE);
	}

	@AfterEach
	void close() {
		this.stores.close();
		this.cluster.nodes().stream().filter((node) -> !node.isRunning()).forEach(RedisServer::start);
		this.cluster.awaitComplete();
	}

	@ParameterizedTest
	@EnumSource
	void everyOperationWorksOnPartitionsOfAllPrimaries(Driver driver) throws Exception {
		open(driver, Duration.ofMinutes(1));
		assertThat(NAMES.stream().map(this::primary).distinct()).as("primaries").hasSize(3);
		assertThat(this.store.schedule(QUEUE, tasks(0, 200, HOUR))).containsOnly(ScheduleOutcome.CREATED);
		assertThat(this.store.schedule(QUEUE, tasks(100, 200, Duration.ZERO)).subList(0, 100))
			.containsOnly(ScheduleOutcome.REPLACED);
		NAMES.forEach((name) -> assertThat(QueueView.of(this.partitions).stats(name).waiting()).as(name).isPositive());
		assertThat(this.store.cancel(QUEUE, "t-0")).isTrue();
		assertThat(this.store.reschedule(QUEUE, "t-1", DueTime.in(HOUR.multipliedBy(2)))).isTrue();
		assertThat(this.store.find(QUEUE, "t-1")).isPresent();
		assertThat(QueueView.of(this.store).stats(QUEUE).waiting()).isEqualTo(299);
		assertThat(QueueView.of(this.store).list(QUEUE, TaskState.SCHEDULED, 290, 20)).hasSize(9);
		QueueControl.of(this.store).setPaused(QUEUE, true);
		assertThat(claim(500)).isEmpty();
		QueueControl.of(this.store).setPaused(QUEUE, false);
		for (String name : NAMES) {
			List<String> ids = claim(name, 500);
			assertThat(this.store.extend(name, ids.stream().map((id) -> new Extension(id, "t", HOUR)).toList()))
				.containsOnly(true);
			assertThat(
					this.store.settle(name, ids.stream().map((id) -> Endings.deadLetter(id, "t", true, null)).toList()))
				.containsOnly(true);
		}
		assertThat(QueueControl.of(this.store)
			.redrive(QUEUE, IntStream.range(100, 110).mapToObj((i) -> "t-" + i).toList())).containsOnly(true);
		assertThat(QueueControl.of(this.store).purge(QUEUE, TaskState.DEAD, 100)).isEqualTo(100);
		assertThat(QueueView.of(this.store).stats(QUEUE).dead()).isEqualTo(90);
		assertThat(QueueControl.of(this.store).clear(QUEUE)).isEqualTo(199);
	}

	@Test
	@Heavy
	void failoverOfOnePrimaryStopsOnlyItsPartitions() throws Exception {
		open(Driver.LETTUCE, Duration.ofSeconds(5));
		this.store.schedule(QUEUE, tasks(0, 400, Duration.ZERO));
		RedisServer killed = primary(QUEUE);
		RedisServer heir = this.cluster.replicaOf(PREFIX + "{" + QUEUE + "}");
		List<String> stopped = NAMES.stream().filter((name) -> primary(name) == killed).toList();
		List<String> others = NAMES.stream().filter((name) -> primary(name) != killed).toList();
		await().until(() -> "connected".equals(linkOf(heir)));
		// not before we let it, and the others need not have all slots meanwhile
		Set<RedisServer> primaries = NAMES.stream().map(this::primary).collect(Collectors.toSet());
		configure(heir, "cluster-replica-no-failover", "yes");
		primaries.forEach((server) -> configure(server, "cluster-require-full-coverage", "no"));
		killed.kill();
		List<String> during = new ArrayList<>();
		for (String name : others) {
			during.addAll(claim(name, 5));
			this.store.schedule(QUEUE, List.of(task(idOf(name), Duration.ZERO)));
			assertThat(this.store.settle(name, List.of(Endings.release(during.get(during.size() - 1), "t", null))))
				.containsExactly(true);
		}
		assertThat(during).hasSize(5 * others.size());
		assertThat(heir.cli("ROLE").toString()).as("the fail-over was not over").startsWith("[slave");
		primaries.remove(killed);
		primaries.forEach((server) -> configure(server, "cluster-require-full-coverage", "yes"));
		configure(heir, "cluster-replica-no-failover", "no");
		for (String name : stopped) {
			await().ignoreExceptionsInstanceOf(DelayQueueException.class).until(() -> !claim(name, 5).isEmpty());
		}
		assertThat(QueueView.of(this.store).stats(QUEUE).totals().scheduled()).isGreaterThanOrEqualTo(400);
	}

	private static void configure(RedisServer server, String setting, String value) {
		server.cli("CONFIG", "SET", setting, value);
	}

	private static String linkOf(RedisServer replica) {
		return (String) ((List<?>) replica.cli("ROLE")).get(3);
	}

	private RedisServer primary(String partition) {
		return this.cluster.primaryOf(PREFIX + "{" + partition + "}");
	}

	private List<String> claim(int limit) {
		return NAMES.stream().flatMap((name) -> claim(name, limit).stream()).toList();
	}

	private List<String> claim(String partition, int limit) {
		return this.store.claim(partition, ClaimRequest.of("t", limit, HOUR))
			.tasks()
			.stream()
			.map(ClaimedRecord::id)
			.toList();
	}

	private static String idOf(String partition) {
		return IntStream.range(0, 1000)
			.mapToObj((i) -> "during-" + i)
			.filter((id) -> Partitions.home(id, NAMES).equals(partition))
			.findFirst()
			.orElseThrow();
	}

	private static List<NewTask> tasks(int first, int count, Duration delay) {
		return IntStream.range(first, first + count).mapToObj((i) -> task("t-" + i, delay)).toList();
	}

}
