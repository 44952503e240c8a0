package io.github.delayqueue.failover;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.github.delayqueue.QueueStats;
import io.github.delayqueue.convert.TaskOptions;
import io.github.delayqueue.fixtures.RedisStores;
import io.github.delayqueue.listener.ListenerFixture;
import io.github.delayqueue.listener.ListenerOptions;
import io.github.delayqueue.listener.TaskHandler;
import io.github.delayqueue.listener.TaskResult;
import io.github.delayqueue.store.redis.RedisTaskStore;
import io.github.delayqueue.testsupport.ClusterServers;
import io.github.delayqueue.testsupport.Driver;
import io.github.delayqueue.testsupport.Heavy;
import io.github.delayqueue.testsupport.Patience;
import io.github.delayqueue.testsupport.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Many queues lie on a node of a cluster that stands still, and one on another: that one
 * keeps its leases, settles, and gets what is scheduled meanwhile.
 */
@Execution(ExecutionMode.CONCURRENT)
class SilentQueuesIntegrationTests {

	private static final int SILENT = 16;

	private static final Duration TTR = Duration.ofSeconds(6);

	private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(2);

	/** Nobody takes the place of the node meanwhile. */
	private static final String NODE_TIMEOUT = "300000";

	@ParameterizedTest
	@EnumSource
	@Heavy
	void queuesOfAFrozenNodeCostThoseOfOthersNothing(Driver driver) throws Exception {
		CountDownLatch end = new CountDownLatch(1);
		AtomicInteger started = new AtomicInteger();
		AtomicInteger quick = new AtomicInteger();
		TaskHandler<String> handler = (task, context) -> {
			if (task.id().equals("held")) {
				started.incrementAndGet();
				assertThat(end.await(2 * Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
			}
			else {
				quick.incrementAndGet();
			}
			return TaskResult.done();
		};
		try (ClusterServers cluster = ClusterServers.startNew("--cluster-node-timeout", NODE_TIMEOUT);
				RedisStores stores = RedisStores.on(driver.connect(cluster))
					.keyPrefix("silent:")
					.commandTimeout(COMMAND_TIMEOUT)) {
			RedisTaskStore store = stores.open();
			List<String> names = IntStream.range(0, 400).mapToObj((i) -> "queue" + i).toList();
			RedisServer frozen = cluster.primaryOf(key(names.get(0)));
			List<String> silent = names.stream()
				.filter((name) -> cluster.primaryOf(key(name)) == frozen)
				.limit(SILENT)
				.toList();
			String healthy = names.stream()
				.filter((name) -> cluster.primaryOf(key(name)) != frozen)
				.findFirst()
				.orElseThrow();
			try (ListenerFixture instance = new ListenerFixture(store)) {
				for (String queue : silent) {
					instance.registry().register(queue, String.class, handler, options());
					instance.schedule(queue, "held", "payload", Duration.ZERO);
				}
				instance.registry().register(healthy, String.class, handler, options());
				instance.schedule(healthy, "held", "payload", Duration.ZERO);
				await().until(() -> started.get() == SILENT + 1);
				frozen.pause();
				try {
					long until = System.nanoTime() + TTR.multipliedBy(2).toNanos();
					int scheduled = 0;
					while (System.nanoTime() - until < 0) {
						String id = "quick" + scheduled++;
						instance.schedule(healthy, id, "payload", Duration.ZERO, TaskOptions.NONE);
						int all = scheduled;
						await().until(() -> quick.get() == all);
					}
					end.countDown();
					int all = scheduled + 1;
					await().until(() -> store.stats(healthy).totals().completed() == all);
					QueueStats.Totals totals = store.stats(healthy).totals();
					assertThat(totals.leasesLost()).as("leases lost").isZero();
					assertThat(totals.stale()).isZero();
				}
				finally {
					end.countDown();
					frozen.resume();
				}
				for (String queue : silent) {
					await().ignoreExceptions().until(() -> store.stats(queue).totals().completed() == 1);
				}
			}
		}
	}

	private static ListenerOptions options() {
		return ListenerOptions.builder().ttr(TTR).concurrency(2).build();
	}

	private static String key(String queue) {
		return "silent:{" + queue + "}";
	}

}
