package io.github.delayqueue.store.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.context.SmartLifecycle;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.ClaimedRecord;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.DuplicatePolicy;
import io.github.delayqueue.store.Extension;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.Settlement;
import io.github.delayqueue.testsupport.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A server in cluster mode refuses what touches keys of several slots, or keys that are
 * not declared. One server with all slots shows that as well as several.
 */
class ClusterIntegrationTests {

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void everyStepStaysWithinOneSlot(boolean lettuce) throws Exception {
		try (RedisServer server = RedisServer.builder().arguments("--cluster-enabled", "yes").build().start()) {
			server.cli("CLUSTER", "ADDSLOTSRANGE", "0", "16383");
			await().atMost(Duration.ofSeconds(20))
				.until(() -> server.cli("CLUSTER", "INFO").toString().contains("cluster_state:ok"));
			RedisClusterConfiguration cluster = new RedisClusterConfiguration(
					List.of(server.host() + ":" + server.port()));
			RedisConnectionFactory connections = lettuce ? new LettuceConnectionFactory(cluster)
					: new JedisConnectionFactory(cluster);
			((InitializingBean) connections).afterPropertiesSet();
			((SmartLifecycle) connections).start();
			RedisTaskStore store = new RedisTaskStore(connections, "cluster:", Duration.ofSeconds(2));
			try {
				liveThroughEveryStep(store);
			}
			finally {
				store.destroy();
				((DisposableBean) connections).destroy();
			}
		}
	}

	private static void liveThroughEveryStep(RedisTaskStore store) {
		AtomicInteger wakes = new AtomicInteger();
		store.subscribe("q", (in) -> wakes.incrementAndGet());
		await().atMost(Duration.ofSeconds(10)).until(() -> {
			store.clear("q");
			store.schedule("q", List.of(task("first")));
			return wakes.get() > 0;
		});
		store.schedule("q", List.of(task("a"), task("b"), task("c")));
		store.announce("q");
		assertThat(store.queues()).containsExactly("q");
		assertThat(store.reschedule("q", "c", DueTime.in(Duration.ofHours(1)))).isTrue();
		assertThat(store.claim("q", ClaimRequest.of("t", 10, Duration.ofSeconds(30))).tasks())
			.extracting(ClaimedRecord::id)
			.contains("a", "b");
		assertThat(store.extend("q", List.of(new Extension("a", "t", Duration.ofSeconds(9))))).containsExactly(true);
		assertThat(
				store.settle("q", List.of(Settlement.complete("a", "t", false), Settlement.bury("b", "t", true, null))))
			.containsExactly(true, true);
		assertThat(store.redrive("q", List.of("b"))).containsExactly(true);
		assertThat(store.cancel("q", "c")).isTrue();
		store.pause("q");
		store.resume("q");
		assertThat(store.find("q", "b")).isPresent();
		assertThat(store.purge("q", TaskState.DEAD, 10)).isZero();
		assertThat(store.stats("q").totals().completed()).isEqualTo(1);
	}

	private static NewTask task(String id) {
		return new NewTask(id, "{}".getBytes(StandardCharsets.UTF_8), DueTime.in(Duration.ZERO), TaskPriority.NORMAL,
				DuplicatePolicy.REPLACE);
	}

}
