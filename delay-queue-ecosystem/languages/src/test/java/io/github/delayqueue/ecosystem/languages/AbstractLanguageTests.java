package io.github.delayqueue.ecosystem.languages;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.zip.CRC32;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

import io.github.delayqueue.QueueStats;
import io.github.delayqueue.ecosystem.languages.LanguagesApplication.Listener;
import io.github.delayqueue.ecosystem.languages.LanguagesApplication.Order;
import io.github.delayqueue.testsupport.Heavy;
import io.github.delayqueue.testsupport.Patience;
import io.github.delayqueue.testsupport.RedisServer;
import io.github.delayqueue.producer.DelayQueueOperations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * What an example in another language schedules is handled by a listener in Java.
 */
@Heavy
abstract class AbstractLanguageTests {

	private static final String PAYLOAD = "{\"number\":\"%s\",\"quantity\":%d,\"items\":[\"pen\",\"书\"],\"note\":\"\\\"é\\\"\"}";

	private final Language language;

	private final String queue = getClass().getSimpleName();

	AbstractLanguageTests(Language language) {
		this.language = language;
	}

	@BeforeEach
	void findInterpreter() {
		boolean found = this.language.interpreter().isPresent();
		if (!found) {
			System.out.println("The example in " + this.language + " is not tested: no interpreter with its client");
		}
		assumeTrue(found, () -> "No interpreter for " + this.language + " with its client");
	}

	@Test
	void taskIsHandledWithItsPayload() {
		try (ConfigurableApplicationContext application = start(this.queue,
				"--delay-queue.listener.poll-interval=1m")) {
			List<Order> handled = application.getBean(Listener.class).handled();
			await().until(() -> RedisServer.shared()
				.text("PUBSUB", "NUMSUB", "delay:queue:{" + this.queue + "}:wake")
				.endsWith(", 1]"));
			assertThat(schedule(this.queue, "order_1", 150, payload("order_1", 1))).isEqualTo("created");
			// woken by the script, long before the next poll
			await().untilAsserted(() -> assertThat(handled).containsExactly(order("order_1", 1)));
			assertThat(schedule(this.queue, "order_2", 3_600_000, payload("order_2", 2))).isEqualTo("created");
			assertThat(schedule(this.queue, "order_2", 0, payload("order_2", 3))).isEqualTo("replaced");
			await().untilAsserted(() -> assertThat(handled).containsExactly(order("order_1", 1), order("order_2", 3)));
			DelayQueueOperations delayQueue = application.getBean(DelayQueueOperations.class);
			await().until(() -> delayQueue.stats(this.queue).totals().completed() == 2);
			QueueStats.Totals totals = delayQueue.stats(this.queue).totals();
			assertThat(totals.scheduled()).isEqualTo(3);
			assertThat(totals.replaced()).isOne();
			assertThat(RedisServer.shared().text("SISMEMBER", "delay:queue:names", this.queue)).isEqualTo("1");
		}
	}

	@Test
	void tasksAreSpreadOverPartitionsAndReplacedThere() {
		String spread = this.queue + ".spread";
		String[] ids = IntStream.range(0, 8).mapToObj((i) -> "task-" + i).toArray(String[]::new);
		try (ConfigurableApplicationContext application = start(spread,
				"--delay-queue.queues[" + spread + "].partitions=4")) {
			await().until(() -> RedisServer.shared()
				.text("HGET", "delay:queue:{" + spread + "#3}:meta", "partitions")
				.equals("4"));
			for (int i = 0; i < 3; i++) {
				assertThat(schedule(spread, ids[i], 3_600_000, payload(ids[i], 0))).isEqualTo("created");
			}
			for (int i = 0; i < ids.length; i++) {
				assertThat(schedule(spread, ids[i], 0, payload(ids[i], i))).isEqualTo((i < 3) ? "replaced" : "created");
			}
			List<Order> handled = application.getBean(Listener.class).handled();
			await().untilAsserted(() -> assertThat(handled).containsExactlyInAnyOrder(
					IntStream.range(0, ids.length).mapToObj((i) -> order(ids[i], i)).toArray(Order[]::new)));
			DelayQueueOperations delayQueue = application.getBean(DelayQueueOperations.class);
			await().until(() -> delayQueue.stats(spread).inFlight() == 0);
			assertThat(delayQueue.stats(spread).waiting()).isZero();
			assertThat(Arrays.stream(new String[] { "", "#1", "#2", "#3" })
				.filter((partition) -> !RedisServer.shared()
					.text("HGET", "delay:queue:{" + spread + partition + "}:meta", "completed")
					.isEmpty()))
				.as("partitions that had tasks")
				.hasSizeGreaterThan(1);
		}
	}

	@Test
	void userWithTheRightsOfTheDocumentationIsEnough() {
		String user = "producer-" + this.language.name().toLowerCase();
		RedisServer.shared().text(DocumentedProducer.setUser(user, "secret"));
		RedisServer.shared().text("SCRIPT", "FLUSH");
		String url = RedisServer.shared().url().replace("redis://", "redis://" + user + ":secret@");
		String queue = this.queue + ".rights";
		RedisServer.shared().text("HSET", "delay:queue:{" + queue + "}:meta", "partitions", "2");
		RedisServer.shared().text("HSET", "delay:queue:{" + queue + "#1}:meta", "partitions", "2");
		for (String id : List.of("a", "b", "c")) {
			assertThat(this.language.schedule(url, queue, id, "1000", payload(id, 1))).isEqualTo("created");
			assertThat(this.language.schedule(url, queue, id, "1000", payload(id, 2))).isEqualTo("replaced");
		}
	}

	@Test
	void delayThatIsNoNumberLosesNothing() {
		String queue = this.queue + ".delays";
		assertThat(schedule(queue, "order_1", 3_600_000, payload("order_1", 1))).isEqualTo("created");
		for (String delay : List.of("30m", "NaN", "")) {
			this.language.refuse(RedisServer.shared().url(), queue, "order_1", delay, payload("order_1", 2));
		}
		String base = "delay:queue:{" + queue + "}";
		assertThat(RedisServer.shared().text("ZSCORE", base, "order_1")).isNotEmpty();
		assertThat(RedisServer.shared().text("HGET", base + ":tasks", "order_1")).contains("\"quantity\":1");
		assertThat(schedule(queue, "order_2", -5000, payload("order_2", 1))).isEqualTo("created");
	}

	@Test
	void waitsUntilThePartitionKnowsTheNumber() {
		String queue = this.queue + ".told";
		String id = IntStream.range(0, 100)
			.mapToObj((i) -> "task-" + i)
			.filter(this::isInSecond)
			.findFirst()
			.orElseThrow();
		String second = "delay:queue:{" + queue + "#1}";
		RedisServer.shared().text("HSET", "delay:queue:{" + queue + "}:meta", "partitions", "2");
		long refusedBefore = refusals();
		CompletableFuture<String> outcome = CompletableFuture
			.supplyAsync(() -> schedule(queue, id, 3_600_000, payload(id, 1)));
		await().until(() -> refusals() > refusedBefore + 1);
		assertThat(outcome).isNotDone();
		assertThat(RedisServer.shared().text("EXISTS", second + ":tasks")).isEqualTo("0");
		RedisServer.shared().text("HSET", second + ":meta", "partitions", "2");
		assertThat(outcome).succeedsWithin(Patience.LIMIT).isEqualTo("created");
		assertThat(RedisServer.shared().text("ZSCORE", second, id)).isNotEmpty();
	}

	private boolean isInSecond(String id) {
		CRC32 crc = new CRC32();
		crc.update(id.getBytes(StandardCharsets.UTF_8));
		return crc.getValue() % 2 == 1;
	}

	/** How often a script has said that it knows another number. */
	private static long refusals() {
		return RedisServer.shared()
			.text("INFO", "errorstats")
			.lines()
			.filter((line) -> line.startsWith("errorstat_PARTITIONS:count="))
			.mapToLong((line) -> Long.parseLong(line.substring(line.indexOf('=') + 1)))
			.sum();
	}

	@Test
	void partitionsMayBeInSeveralSlotsOfACluster() {
		String queue = this.queue + ".cluster";
		try (RedisServer cluster = RedisServer.startCluster()) {
			for (String partition : List.of("", "#1")) {
				cluster.text("HSET", "delay:queue:{" + queue + partition + "}:meta", "partitions", "2");
			}
			for (String id : List.of("a", "d")) {
				String[] arguments = { cluster.url(), queue, id, "3600000", payload(id, 1) };
				// a client may print what it thinks of NOSCRIPT
				assertThat(this.language.scheduleInCluster(arguments)).endsWith("created");
				assertThat(this.language.scheduleInCluster(arguments)).endsWith("replaced");
			}
			assertThat(cluster.text("ZCARD", "delay:queue:{" + queue + "}")).isNotEqualTo("0");
			assertThat(cluster.text("ZCARD", "delay:queue:{" + queue + "#1}")).isNotEqualTo("0");
		}
	}

	private String schedule(String queue, String id, int delayMillis, String payload) {
		return this.language.schedule(RedisServer.shared().url(), queue, id, String.valueOf(delayMillis), payload);
	}

	private static String payload(String number, int quantity) {
		return PAYLOAD.formatted(number, quantity);
	}

	private static Order order(String number, int quantity) {
		return new Order(number, quantity, List.of("pen", "书"), "\"é\"");
	}

	private static ConfigurableApplicationContext start(String queue, String... more) {
		String[] arguments = Arrays.copyOf(more, more.length + 2);
		arguments[more.length] = RedisServer.shared().argument();
		arguments[more.length + 1] = "--languages.queue=" + queue;
		return SpringApplication.run(LanguagesApplication.class, arguments);
	}

}
