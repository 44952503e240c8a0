package io.github.delayqueue.console;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.core.RedisCallback;
import org.springframework.data.redis.core.StringRedisTemplate;

import io.github.delayqueue.QueueStats;
import io.github.delayqueue.groups.Group;
import io.github.delayqueue.producer.ClaimedTask;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.producer.TaskRequest;
import io.github.delayqueue.roles.QueueView;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.testsupport.ClusterServers;
import io.github.delayqueue.testsupport.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Whether figures are as new as those that are read each time, on a Redis of its own: the
 * calls of its commands are counted.
 */
@Execution(ExecutionMode.SAME_THREAD)
class LatestFiguresIntegrationTests {

	private static final String QUEUE = "letters";

	/** Is glanced at beside those; somebody else has written its totals. */
	private static final String OTHER = "other";

	private static RedisServer redis;

	private static ConfigurableApplicationContext application;

	private final DelayQueueOperations queues = application.getBean(DelayQueueOperations.class);

	private final TaskStore store = application.getBean(TaskStore.class);

	private final AtomicLong nanos = new AtomicLong();

	private final LatestFigures figures = new LatestFigures(this.store, (queue) -> false, this.nanos::get);

	@BeforeAll
	static void start() {
		redis = RedisServer.startNew();
		application = start("spring.data.redis.url=" + redis.url(), "delay-queue.command-timeout=2s",
				"delay-queue.queues.grouped.groups.enabled=true");
	}

	private static ConfigurableApplicationContext start(String... properties) {
		return new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.properties(properties)
			.run();
	}

	@AfterAll
	static void stop() {
		application.close();
		redis.close();
	}

	@BeforeEach
	void readOther() {
		this.figures.read(OTHER, null, Duration.ZERO);
		application.getBean(StringRedisTemplate.class).opsForValue().set("delay:queue:{other}:meta", "none of ours");
	}

	@AfterEach
	void removeOther() {
		application.getBean(StringRedisTemplate.class).delete("delay:queue:{other}:meta");
	}

	@Test
	void whateverHappensIsSeenAndAQueueInWhichNothingHappensIsNotRead() {
		List<Runnable> steps = List.of(() -> schedule("one", Duration.ofDays(1)),
				() -> schedule("two", Duration.ofDays(2)), () -> this.queues.reschedule(QUEUE, "two", Duration.ZERO),
				() -> take().retry(Duration.ofDays(3)), () -> this.queues.reschedule(QUEUE, "two", Duration.ofHours(1)),
				() -> this.queues.pause(QUEUE), () -> this.queues.resume(QUEUE), () -> this.queues.cancel(QUEUE, "two"),
				() -> this.queues.reschedule(QUEUE, "one", Duration.ZERO), () -> take().complete(),
				() -> schedule("three", Duration.ZERO), () -> take().deadLetter("no paper"),
				() -> this.queues.clear(QUEUE), () -> schedule("four", Duration.ofSeconds(1)),
				() -> await().until(() -> this.queues.stats(QUEUE).due() == 1), () -> this.queues.clear(QUEUE));
		for (Runnable step : steps) {
			look();
			look();
			step.run();
			assertThat(shown(look())).isEqualTo(shown(QueueView.of(this.store).stats(QUEUE)));
		}
		schedule("five", Duration.ofDays(1));
		look();
		look();
		long before = readings();
		look();
		assertThat(readings()).as("nothing has happened").isEqualTo(before);
		this.nanos.addAndGet(Duration.ofMinutes(1).toNanos());
		look();
		assertThat(readings()).as("it was long ago").isGreaterThan(before);
		assertThat(this.figures.read(QUEUE, null, Duration.ZERO).waiting()).isEqualTo(1);
		this.queues.clear(QUEUE);
	}

	@Test
	void groupThatWaitsItsTurnIsReadEachTime() {
		this.queues.schedule(TaskRequest.queue("grouped").with(Group.group("a")).delay(Duration.ofMillis(500)).build());
		await().until(() -> look("grouped").due() == 1);
		this.queues.clear("grouped");
	}

	@Test
	void looksAtManyQueuesAtATimeAgainAfterAnOutage() {
		List<String> many = IntStream.range(0, 40).mapToObj((i) -> "queue-" + i).toList();
		redis.kill();
		Map<String, String> seen = this.figures.glance(many);
		redis.start();
		assertThat(seen).isEmpty();
		await().until(() -> this.figures.glance(List.of(QUEUE)).containsKey(QUEUE));
		redis.cli("CONFIG", "RESETSTAT");
		assertThat(this.figures.glance(many)).hasSameSizeAs(many);
		assertThat(redis.scriptCalls()).isPositive().isLessThan(many.size());
	}

	@Test
	void looksAtQueuesOfAClusterOneByOne() {
		try (ConfigurableApplicationContext context = start(
				"spring.data.redis.cluster.nodes=" + ClusterServers.shared().addresses(),
				"delay-queue.key-prefix=glance:")) {
			DelayQueueOperations operations = context.getBean(DelayQueueOperations.class);
			LatestFigures apart = new LatestFigures(context.getBean(TaskStore.class), (queue) -> false, () -> 0);
			List<String> names = List.of("a", "b", "c", "d");
			names.forEach((queue) -> operations.schedule(queue, "task", null, Duration.ofDays(1)));
			assertThat(apart.glance(names)).as("refused: they lie apart").isEmpty();
			List<QueueStats> first = read(apart, names);
			assertThat(read(apart, names)).usingElementComparator(LatestFiguresIntegrationTests::isSame)
				.isEqualTo(first);
			operations.cancel("c", "task");
			assertThat(read(apart, names)).extracting(QueueStats::waiting).containsExactly(1L, 1L, 0L, 1L);
		}
	}

	private static int isSame(QueueStats one, QueueStats other) {
		return (one == other) ? 0 : 1;
	}

	private static List<QueueStats> read(LatestFigures figures, List<String> queues) {
		Map<String, String> seen = figures.glance(queues);
		return queues.stream().map((queue) -> figures.read(queue, seen.get(queue), Duration.ofMinutes(1))).toList();
	}

	private QueueStats look() {
		return look(QUEUE);
	}

	private QueueStats look(String queue) {
		return this.figures.read(queue, this.figures.glance(List.of(OTHER, queue)).get(queue), Duration.ofMinutes(1));
	}

	private void schedule(String id, Duration delay) {
		this.queues.schedule(QUEUE, id, null, delay);
	}

	private ClaimedTask take() {
		return this.queues.poll(QUEUE, 1, Duration.ofMinutes(1)).get(0);
	}

	/** What does not change with each moment. */
	private static List<Object> shown(QueueStats stats) {
		return List.of(stats.waiting(), stats.due(), stats.inFlight(), stats.retrying(), stats.dead(),
				stats.totals().completed(), stats.paused(), Objects.toString(stats.nextDueAt()), stats.diedLastHour());
	}

	/** Only they count by time. */
	private static long readings() {
		String calls = application.getBean(StringRedisTemplate.class)
			.execute((RedisCallback<String>) (connection) -> Objects
				.requireNonNull(connection.serverCommands().info("commandstats"))
				.getProperty("cmdstat_zcount", "calls=0,"));
		return Long.parseLong(calls.replaceAll("calls=(\\d+),.*", "$1"));
	}

	@Configuration(proxyBeanMethods = false)
	@OnlyConsole
	static class Application {

	}

}
