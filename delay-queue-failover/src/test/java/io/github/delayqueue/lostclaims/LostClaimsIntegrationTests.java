package io.github.delayqueue.lostclaims;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.data.redis.connection.RedisStandaloneConfiguration;

import io.github.delayqueue.convert.TaskOptions;
import io.github.delayqueue.fixtures.DriverStores;
import io.github.delayqueue.fixtures.RedisStores;
import io.github.delayqueue.listener.ListenerFixture;
import io.github.delayqueue.listener.ListenerOptions;
import io.github.delayqueue.listener.TaskResult;
import io.github.delayqueue.partition.PartitionedTaskStore;
import io.github.delayqueue.roles.QueueView;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.testsupport.Driver;
import io.github.delayqueue.testsupport.FaultProxy;
import io.github.delayqueue.testsupport.TestRedis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Connections break while claims are on their way: Redis has carried them out, and nobody
 * learns what they took. Leases are too long to wait for.
 */
@Execution(ExecutionMode.CONCURRENT)
class LostClaimsIntegrationTests {

	private static final String QUEUE = "orders";

	private static final int TASKS = 300;

	/** Some in each partition: its first claim also asks for the number of partitions. */
	private static final int FIRST = 30;

	private static final Duration LEASE_DURATION = Duration.ofDays(1);

	private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(4);

	private final FaultProxy proxy = FaultProxy.inFrontOf(TestRedis.server());

	private final RedisStores direct = DriverStores.onShared("lost-claims");

	private final Map<String, Integer> handled = new ConcurrentHashMap<>();

	private RedisStores stores;

	private ListenerFixture instance;

	private TaskStore store;

	@AfterEach
	void close() {
		this.proxy.heal();
		this.instance.close();
		this.stores.close();
		this.direct.close();
		this.proxy.close();
	}

	@ParameterizedTest
	@EnumSource
	void tasksOfAClaimWhoseConnectionIsCutAreReleased(Driver driver) {
		open(driver);
		this.proxy.cutBeforeReply();
		assertHandedBack(() -> this.proxy.cutReplies() > 0);
	}

	@ParameterizedTest
	@EnumSource
	void tasksOfAClaimThatTimesOutAreReleased(Driver driver) {
		open(driver);
		this.proxy.keepReplies();
		assertHandedBack(() -> this.instance.registry().get(QUEUE).status().lastError() != null);
	}

	private void open(Driver driver) {
		this.stores = DriverStores
			.on(driver.connect(new RedisStandaloneConfiguration(this.proxy.host(), this.proxy.port())))
			.keyPrefix(this.direct.keyPrefix())
			.commandTimeout(COMMAND_TIMEOUT);
		this.store = new PartitionedTaskStore(this.direct.open(), (queue) -> 3);
		this.instance = new ListenerFixture(new PartitionedTaskStore(this.stores.open(), (queue) -> 3),
				ListenerFixture.defaults(), ListenerFixture.threads(), List.of(new LostClaimRelease()));
		this.instance.register(QUEUE, (task, context) -> {
			this.handled.merge(task.id(), 1, Integer::sum);
			return TaskResult.done();
		}, ListenerOptions.builder().leaseDuration(LEASE_DURATION).build());
		schedule("first", FIRST);
		await().until(() -> this.handled.size() == FIRST);
	}

	private void assertHandedBack(BooleanSupplier lost) {
		schedule("task", TASKS);
		await().until(() -> QueueView.of(this.store).stats(QUEUE).inFlight() > 0 && lost.getAsBoolean());
		this.proxy.heal();
		await().until(() -> this.handled.size() == TASKS + FIRST);
		await().until(() -> QueueView.of(this.store).stats(QUEUE).totals().completed() == TASKS + FIRST);
		assertThat(QueueView.of(this.store).stats(QUEUE).totals().leasesLost()).isZero();
	}

	private void schedule(String name, int count) {
		this.store.schedule(QUEUE,
				IntStream.range(0, count)
					.mapToObj((i) -> this.instance.task(QUEUE, name + "-" + i, "payload", DueTime.in(Duration.ZERO),
							TaskOptions.NONE))
					.toList());
	}

}
