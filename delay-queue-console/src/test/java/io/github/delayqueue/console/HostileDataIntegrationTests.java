package io.github.delayqueue.console;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

import io.github.delayqueue.fixtures.LogCapture;
import io.github.delayqueue.DeadReason;
import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.QueueStats;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.console.HostileApplication.Handlers;
import io.github.delayqueue.console.HostileApplication.Order;
import io.github.delayqueue.fixtures.HostileData;
import io.github.delayqueue.listener.DelayQueueListenerContainerRegistry;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.producer.TaskDetails;
import io.github.delayqueue.producer.TaskRequest;
import io.github.delayqueue.testsupport.LocalHttp;
import io.github.delayqueue.testsupport.RedisServer;
import io.github.delayqueue.testsupport.TestEffort;

import static io.github.delayqueue.fixtures.Tasks.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.awaitility.Awaitility.await;

/**
 * An application, and somebody who writes to its Redis whatever he likes: its consumers
 * live, healthy tasks in between are handled exactly once, nothing is lost that has a
 * place, nothing loops, and no payload is seen outside of the handlers. Repeat a run with
 * {@code -Dfuzz.seed=…}, lengthen it with {@code -Dfuzz.cases=…}.
 */
@SpringBootTest(classes = HostileApplication.class, webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = { "delay-queue.listener.poll-interval=200ms",
				"management.endpoints.web.exposure.include=health,delayqueue",
				"management.endpoint.health.show-details=always" })
@DirtiesContext
class HostileDataIntegrationTests {

	private static final String PREFIX = "delay-queue-hostile:";

	private static final int BATCH = 500;

	private static final int HEALTHY = 20;

	/**
	 * Nobody else writes in between: neither before the key is away nor before it is
	 * back.
	 */
	private static final String REPLACE = """
			if redis.call('EXISTS', KEYS[1]) == 1 then redis.call('RENAME', KEYS[1], KEYS[2]) end
			redis.call('SET', KEYS[1], 'something else')""";

	private static final String RESTORE = """
			redis.call('DEL', KEYS[1])
			if redis.call('EXISTS', KEYS[2]) == 1 then redis.call('RENAME', KEYS[2], KEYS[1]) end""";

	/** Ends with the JVM, after the application. */
	private static final RedisServer server = RedisServer.startNew();

	private LogCapture log;

	@Autowired
	private DelayQueueOperations delayQueue;

	@Autowired
	private DelayQueueListenerContainerRegistry registry;

	@Autowired
	private Handlers handlers;

	@Autowired
	private RedisConnectionFactory connectionFactory;

	@LocalServerPort
	private int port;

	private RedisConnection redis;

	@DynamicPropertySource
	static void properties(DynamicPropertyRegistry registry) {
		registry.add("spring.data.redis.url", server::url);
		registry.add("delay-queue.key-prefix", () -> PREFIX);
	}

	@BeforeEach
	void connect() {
		this.log = LogCapture.open();
		this.redis = this.connectionFactory.getConnection();
	}

	@AfterEach
	void disconnect() {
		this.redis.close();
		this.log.close();
		assertThat(Instantiated.Count.TIMES).hasValue(0);
	}

	@Test
	void goesOnWhateverItFinds() throws Exception {
		long seed = Long.getLong("fuzz.seed", TestEffort.seed(1));
		int cases = Integer.getInteger("fuzz.cases", TestEffort.pick(500, 10_000));
		HostileData data = new HostileData(seed);
		int[] seen = new int[4];
		try {
			for (int first = 0; first < cases; first += BATCH) {
				batch(data, first, Math.min(BATCH, cases - first), seen);
			}
		}
		catch (Exception | AssertionError ex) {
			fail("Repeat it with -Dfuzz.seed=" + seed + " -Dfuzz.cases=" + cases, ex);
		}
		System.out.printf("Hostile data, -Dfuzz.seed=%d: %d cases, %d handled, %d dead, %d waiting, %d others%n", seed,
				cases, seen[0], seen[1], seen[2], seen[3]);
		assertThat(seen[0]).as("handled").isPositive();
		assertThat(seen[1]).as("dead").isPositive();
		assertThat(seen[2]).as("waiting").isPositive();
	}

	private void batch(HostileData data, int first, int size, int[] seen) throws Exception {
		long startedAt = System.nanoTime();
		long callsBefore = server.scriptCalls();
		List<HostileCase> cases = new ArrayList<>();
		for (int i = 0; i < size; i++) {
			cases.add(HostileCase.random(data, first + i,
					data.any(List.of(HostileApplication.STRICT, HostileApplication.ANY))));
			cases.get(i).writeTo(this.redis, PREFIX);
			if (i % (BATCH / HEALTHY) == 0) {
				scheduleHealthy("healthy-" + first + "-" + i);
			}
		}
		awaitQuiet(cases);
		for (int i = 0; i < size; i += BATCH / HEALTHY) {
			assertHealthy("healthy-" + first + "-" + i);
		}
		for (HostileCase hostile : cases) {
			assertIsSomewhere(hostile, seen);
		}
		assertOperationsAnswer(cases);
		assertNothingIsShown();
		long seconds = Duration.ofNanos(System.nanoTime() - startedAt).toSeconds() + 1;
		assertThat(server.scriptCalls() - callsBefore).as("script calls within %d seconds", seconds)
			.isLessThan(3L * size + 200 * seconds);
		for (String queue : List.of(HostileApplication.STRICT, HostileApplication.ANY)) {
			this.delayQueue.clear(queue);
			this.redis.keyCommands().del(bytes(PREFIX + "{" + queue + "}:meta"));
		}
	}

	private void scheduleHealthy(String id) {
		this.delayQueue.schedule(TaskRequest.queue(HostileApplication.STRICT)
			.id(id)
			.payload(new Order("1", 1))
			.header("number", "1")
			.build());
		this.delayQueue.schedule(TaskRequest.queue(HostileApplication.ANY).id(id).payload(List.of(id)).build());
	}

	private void assertHealthy(String id) {
		assertThat(this.handlers.times(HostileApplication.STRICT, id)).as(id).isEqualTo(1);
		assertThat(this.handlers.times(HostileApplication.ANY, id)).as(id).isEqualTo(1);
	}

	private void awaitQuiet(List<HostileCase> cases) {
		for (String queue : List.of(HostileApplication.STRICT, HostileApplication.ANY)) {
			long held = cases.stream()
				.filter((hostile) -> hostile.queue().equals(queue) && hostile.place() == HostileCase.Place.HELD)
				.count();
			await().untilAsserted(() -> {
				QueueStats stats = this.delayQueue.stats(queue);
				assertThat(stats.due()).as("due in %s", queue).isZero();
				assertThat(stats.inFlight()).as("in flight in %s", queue).isEqualTo(held);
			});
		}
	}

	/** Handled, dead with its bytes, or waiting: whatever had a place still has one. */
	private void assertIsSomewhere(HostileCase hostile, int[] seen) {
		boolean handled = this.handlers.times(hostile.queue(), hostile.text()) > 0;
		boolean dead = score(hostile, ":dead") != null;
		boolean waiting = score(hostile, "") != null || score(hostile, ":high") != null
				|| score(hostile, ":low") != null || score(hostile, ":leases") != null;
		seen[handled ? 0 : dead ? 1 : waiting ? 2 : 3]++;
		switch (hostile.place()) {
			case DUE, EXPIRED -> assertThat(handled ^ (dead || waiting)).as("%s is in one place", hostile).isTrue();
			case ORPHAN, DEAD -> assertThat(dead && !handled).as("%s is dead", hostile).isTrue();
			case FUTURE, HELD -> assertThat(waiting && !handled && !dead).as("%s waits", hostile).isTrue();
			case COMPLETED, LOST -> assertThat(handled || dead || waiting).as("%s is nowhere", hostile).isFalse();
		}
		if (hostile.hasForbiddenId()) {
			assertThat(handled).as("%s has an id that no handler may see", hostile).isFalse();
		}
		if (dead && hostile.place() != HostileCase.Place.ORPHAN) {
			assertThat(this.redis.hashCommands().hGet(hostile.key(PREFIX, ":tasks"), hostile.id()))
				.isEqualTo(hostile.envelope());
		}
	}

	private Double score(HostileCase hostile, String suffix) {
		return this.redis.zSetCommands().zScore(hostile.key(PREFIX, suffix), hostile.id());
	}

	private void assertOperationsAnswer(List<HostileCase> cases) throws Exception {
		for (String queue : List.of(HostileApplication.STRICT, HostileApplication.ANY)) {
			for (TaskState state : TaskState.values()) {
				this.delayQueue.list(queue, state, 0, 500).forEach(this::look);
			}
			long dead = this.delayQueue.stats(queue).dead();
			assertThat(this.delayQueue.redrive(queue, 20)).isEqualTo(Math.min(20, readableDead(queue)));
			await().until(() -> this.delayQueue.stats(queue).due() == 0);
			assertThat(this.delayQueue.stats(queue).dead()).isLessThanOrEqualTo(dead);
			awaitQuiet(cases);
			long left = this.delayQueue.stats(queue).dead();
			assertThat(this.delayQueue.delete(queue, TaskState.DEAD, 10_000)).isEqualTo(left);
		}
		cases.stream().limit(50).forEach((hostile) -> {
			try {
				this.delayQueue.find(hostile.queue(), hostile.text()).ifPresent(this::look);
				this.delayQueue.cancel(hostile.queue(), hostile.text());
			}
			catch (DelayQueueException ex) {
				assertShowsNothing(ex.toString());
				assertThat(hostile.hasForbiddenId()).as("%s: %s", hostile, ex.getMessage()).isTrue();
			}
		});
		assertThat(get("/actuator/delayqueue")).contains("\"strict\":{").contains("\"any\":{");
		assertThat(get("/actuator/health")).contains("\"status\":\"UP\"");
	}

	private long readableDead(String queue) {
		return IntStream.iterate(0, (offset) -> offset < this.delayQueue.stats(queue).dead(), (offset) -> offset + 500)
			.mapToObj((offset) -> this.delayQueue.list(queue, TaskState.DEAD, offset, 500))
			.flatMap(List::stream)
			.filter((task) -> !isOrphan(task))
			.count();
	}

	private static boolean isOrphan(TaskDetails task) {
		try {
			task.payload(Object.class);
			return false;
		}
		catch (DelayQueueException ex) {
			return ex.getMessage().endsWith("it has no record");
		}
	}

	private void look(TaskDetails task) {
		assertShowsNothing(task.toString());
		assertShowsNothing(String.valueOf(task.lastFailure()));
		assertThat(task.stateAt()).isNotNull();
		assertThat(task.failures() + task.leasesLost()).isNotNull();
		for (Class<?> type : List.of(Order.class, Object.class, String.class)) {
			try {
				task.payload(type);
			}
			catch (DelayQueueException ex) {
				for (Throwable cause = ex; cause != null; cause = cause.getCause()) {
					assertShowsNothing(cause.toString());
				}
			}
		}
	}

	private void assertNothingIsShown() throws Exception {
		this.log.take().forEach(HostileDataIntegrationTests::assertShowsNothing);
		this.handlers.failures.forEach(HostileDataIntegrationTests::assertShowsNothing);
		this.handlers.failures.clear();
		assertShowsNothing(get("/actuator/delayqueue") + get("/actuator/health"));
	}

	private static void assertShowsNothing(String text) {
		assertThat(text).doesNotContain(HostileData.MARKER)
			.doesNotContain("\nERROR forged", "\u001b")
			.hasSizeLessThan(30_000);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", ":leases", ":tasks", ":meta" })
	void waitsForAKeyOfAnotherTypeToGoAndLosesNothing(String suffix) {
		String key = PREFIX + "{strict}" + suffix;
		String run = "typed" + suffix.replace(':', '-');
		this.handlers.slow = new CountDownLatch(1);
		schedule(run + "-slow", "slow");
		await().until(() -> this.handlers.waiting.contains(run + "-slow")
				&& this.delayQueue.stats(HostileApplication.STRICT).inFlight() == 1);
		server.cli("EVAL", REPLACE, "2", key, key + "-aside");
		this.handlers.slow.countDown();
		if (suffix.equals(":tasks")) {
			// a claim that finds nothing due reads no task: the settlement finds it
			await().until(() -> this.log.take()
				.stream()
				.anyMatch((line) -> line.contains("could not be settled") && line.contains("has the wrong type")));
		}
		else {
			await().untilAsserted(() -> assertThat(lastError()).isInstanceOf(DelayQueueException.class)
				.hasMessageContaining("queue 'strict'")
				.hasMessageContaining("has the wrong type"));
		}
		boolean accepted = isAccepted(run + "-meanwhile");
		long from = System.nanoTime();
		long calls = server.scriptCalls();
		this.delayQueue.schedule(HostileApplication.ANY, run, "payload", Duration.ofMillis(1000));
		await().until(() -> this.handlers.times(HostileApplication.ANY, run) == 1);
		calls = server.scriptCalls() - calls;
		long seconds = Duration.ofNanos(System.nanoTime() - from).toSeconds() + 1;
		assertThat(calls).as("script calls within %d seconds", seconds).isLessThan(60 * seconds);
		server.cli("EVAL", RESTORE, "2", key, key + "-aside");
		schedule(run + "-after", "1");
		await().until(() -> this.handlers.times(HostileApplication.STRICT, run + "-after") == 1 && lastError() == null
				&& this.delayQueue.stats(HostileApplication.STRICT).inFlight() == 0);
		assertThat(this.handlers.times(HostileApplication.STRICT, run + "-slow")).isEqualTo(1);
		assertThat(this.handlers.times(HostileApplication.STRICT, run + "-meanwhile")).isEqualTo(accepted ? 1 : 0);
		assertThat(this.delayQueue.list(HostileApplication.STRICT, TaskState.DEAD, 0, 10)).isEmpty();
	}

	private boolean isAccepted(String id) {
		try {
			schedule(id, "1");
			return true;
		}
		catch (DelayQueueException ex) {
			assertThat(ex).hasMessageContaining("has the wrong type");
			return false;
		}
	}

	private void schedule(String id, String number) {
		this.delayQueue.schedule(TaskRequest.queue(HostileApplication.STRICT)
			.id(id)
			.payload(new Order(number, 1))
			.header("number", "1")
			.build());
	}

	private Throwable lastError() {
		return this.registry.getContainers()
			.stream()
			.filter((container) -> container.getQueue().equals(HostileApplication.STRICT))
			.findFirst()
			.orElseThrow()
			.status()
			.lastError();
	}

	@Test
	void envelopeOfTenMegabytesIsHandledOrKept() {
		String ten = "x".repeat(10_000_000);
		write("large", "{\"v\":1,\"p\":\"" + ten + "\"}");
		write("large-garbage", ten);
		write("large-headers", "{\"v\":1,\"p\":1,\"h\":{\"a\":\"" + ten + "\"}}");
		scheduleHealthy("beside-large");
		await().until(() -> this.handlers.times(HostileApplication.ANY, "large") == 1
				&& this.handlers.times(HostileApplication.ANY, "large-headers") == 1
				&& this.handlers.times(HostileApplication.ANY, "beside-large") == 1);
		await().untilAsserted(() -> assertThat(this.delayQueue.find(HostileApplication.ANY, "large-garbage")).get()
			.returns(TaskState.DEAD, TaskDetails::state)
			.returns(DeadReason.UNREADABLE, (task) -> task.lastFailure().reason()));
		assertThat(server.cli("HSTRLEN", PREFIX + "{any}:tasks", "large-garbage")).isEqualTo(10_000_000L);
		this.delayQueue.delete(HostileApplication.ANY, TaskState.DEAD, 10);
	}

	private void write(String id, String envelope) {
		server.cli("HSET", PREFIX + "{any}:tasks", id, envelope);
		server.cli("ZADD", PREFIX + "{any}", "1", id);
	}

	private String get(String path) {
		return Objects.requireNonNull(
				LocalHttp.client(this.port).get().uri(path).exchange().returnResult(String.class).getResponseBody());
	}

}
