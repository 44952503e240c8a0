package io.github.delayqueue.replication;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.ScheduleOutcome;
import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.failover.UnsharedConnections;
import io.github.delayqueue.fixtures.DriverStores;
import io.github.delayqueue.fixtures.RedisStores;
import io.github.delayqueue.fixtures.Tasks;
import io.github.delayqueue.roles.QueueView;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.Replacement;
import io.github.delayqueue.store.ScheduleOptions;
import io.github.delayqueue.store.ScheduleReply.Doubt;
import io.github.delayqueue.store.ScheduleReply;
import io.github.delayqueue.store.redis.RedisTaskStore;
import io.github.delayqueue.testsupport.Connections;
import io.github.delayqueue.testsupport.Driver;
import io.github.delayqueue.testsupport.Heavy;
import io.github.delayqueue.testsupport.Patience;
import io.github.delayqueue.testsupport.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Scheduling that waits for replicas, with a real primary and real replicas.
 */
@Execution(ExecutionMode.CONCURRENT)
@Heavy
class ReplicationIntegrationTests {

	static final Doubt NONE_CONFIRMED = new Doubt(0, 1, null);

	private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(10);

	/** Of calls that wait for replicas which never come; nine tenths of it are waited. */
	private static final Duration SHORT = Duration.ofSeconds(4);

	/** Longer than any test waits. */
	private static final Duration LONG = Duration.ofMinutes(10);

	private final List<RedisServer> servers = new ArrayList<>();

	private final List<DriverStores> open = new ArrayList<>();

	private final RedisServer primary = start();

	private final RedisServer replica = replicaOf(this.primary);

	@AfterEach
	void close() {
		this.open.forEach(DriverStores::close);
		this.servers.forEach(RedisServer::close);
	}

	@ParameterizedTest
	@EnumSource
	void replicasHaveTheTasksOnceItReturns(Driver driver) {
		RedisServer second = replicaOf(this.primary);
		RedisTaskStore store = store(driver, COMMAND_TIMEOUT);
		this.open.get(0).minReplicas(2);
		for (int i = 0; i < 200; i++) {
			String id = "task-" + i;
			ScheduleReply reply = store.schedule("q", List.of(task(id)), ScheduleOptions.CONFIRMED);
			assertThat(this.replica.cli("HEXISTS", "repl:{q}:tasks", id)).isEqualTo(1L);
			assertThat(second.cli("HEXISTS", "repl:{q}:tasks", id)).isEqualTo(1L);
			assertThat(reply).isEqualTo(ScheduleReply.of(List.of(ScheduleOutcome.CREATED)));
		}
	}

	@ParameterizedTest
	@EnumSource
	void fewerReplicasThanAskedForAreAnAnswerBeforeTheCommandTimeout(Driver driver) {
		RedisTaskStore store = store(driver, SHORT);
		assertThat(schedule(store, task("a")).doubt()).isNull();
		this.replica.pause();
		long start = System.nanoTime();
		ScheduleReply reply = schedule(store, task("b"), task("c"));
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(SHORT.dividedBy(2));
		assertThat(reply)
			.isEqualTo(new ScheduleReply(List.of(ScheduleOutcome.CREATED, ScheduleOutcome.CREATED), NONE_CONFIRMED));
		assertThat(store.find("q", "b")).isPresent();
		this.replica.resume();
		assertThat(schedule(store, task("d")).doubt()).isNull();
		assertThat(this.replica.cli("HLEN", "repl:{q}:tasks")).isEqualTo(4L);
	}

	@ParameterizedTest
	@EnumSource
	void rejectedTaskIsAnsweredOnlyOnceTheOneBeforeItIsReplicated(Driver driver) {
		RedisTaskStore store = store(driver, SHORT);
		this.replica.pause();
		store.schedule("q", List.of(task("a")));
		NewTask again = new NewTask("a", "{}".getBytes(StandardCharsets.UTF_8), DueTime.in(Duration.ZERO),
				TaskPriority.NORMAL, Replacement.REJECT);
		assertThat(schedule(store, again))
			.isEqualTo(new ScheduleReply(List.of(ScheduleOutcome.REJECTED), NONE_CONFIRMED));
		this.replica.resume();
		await().until(() -> schedule(store, again).doubt() == null);
		assertThat(this.replica.cli("HEXISTS", "repl:{q}:tasks", "a")).isEqualTo(1L);
	}

	/** Nobody shares the connections that wait. */
	@ParameterizedTest
	@EnumSource
	void otherCallsAreNotDelayedMeanwhile(Driver driver) throws Exception {
		RedisTaskStore store = store(driver, LONG);
		schedule(store, task("warm"));
		this.replica.pause();
		withThreads(8, (t) -> schedule(store, task("w" + t)), (waiting) -> {
			await().until(() -> QueueView.of(store).stats("q").waiting() == 9);
			for (int i = 0; i < 100; i++) {
				store.schedule("q", List.of(task("x" + i)));
				store.claim("q", ClaimRequest.of("t" + i, 1, Duration.ofSeconds(30)));
			}
			assertThat(waiting).noneMatch(Future::isDone);
			this.replica.resume();
			for (Future<ScheduleReply> each : waiting) {
				assertThat(answer(each).doubt()).isNull();
			}
		});
	}

	@ParameterizedTest
	@EnumSource
	void manyThreadsScheduleAtOnceOverABoundedNumberOfConnections(Driver driver) throws Exception {
		RedisTaskStore store = store(driver, COMMAND_TIMEOUT);
		int threadCount = 40;
		int each = 100;
		withThreads(threadCount,
				(t) -> IntStream.range(0, each).allMatch((i) -> schedule(store, task(t + "-" + i)).doubt() == null),
				(results) -> {
					for (Future<Boolean> result : results) {
						assertThat(answer(result)).isTrue();
					}
				});
		assertThat(this.replica.cli("HLEN", "repl:{q}:tasks")).isEqualTo((long) threadCount * each);
		assertThat(Integer.parseInt(this.primary.info("clients").get("connected_clients"))).isBetween(2,
				UnsharedConnections.MAX + 4);
	}

	@ParameterizedTest
	@EnumSource
	void brokenWaitSaysSoAndIsNeverTakenForReplicated(Driver driver) throws Exception {
		RedisTaskStore store = store(driver, LONG);
		schedule(store, task("warm"));
		this.replica.pause();
		CompletableFuture<ScheduleReply> waiting = CompletableFuture.supplyAsync(() -> schedule(store, task("a")));
		await().until(() -> "1".equals(this.primary.info("clients").get("blocked_clients")));
		this.primary.cli("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
		ScheduleReply reply = answer(waiting);
		assertThat(reply.outcomes()).containsExactly(ScheduleOutcome.CREATED);
		assertThat(reply.doubt().confirmations()).isZero();
		assertThat(reply.doubt().error()).isInstanceOf(DelayQueueException.class)
			.hasMessageContaining("Could not wait for replicas of queue 'q'");
		this.replica.resume();
		await().ignoreExceptions().until(() -> store.find("q", "a").isPresent());
		assertThat(schedule(store, task("b")).doubt()).isNull();
	}

	@ParameterizedTest
	@EnumSource
	void connectionThatWasClosedWhileIdleCostsNoTask(Driver driver) {
		RedisTaskStore store = store(driver, COMMAND_TIMEOUT);
		schedule(store, task("a"));
		this.primary.cli("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
		// as long as a connection is trusted without a question
		await().pollDelay(Duration.ofMillis(1_100)).until(() -> true);
		assertThat(schedule(store, task("b")).doubt()).isNull();
	}

	/** Prints what waiting costs on one machine, the figures of the documentation. */
	@ParameterizedTest
	@EnumSource
	void replicasHaveEachTaskOfManyThreads(Driver driver) throws Exception {
		RedisTaskStore store = store(driver, COMMAND_TIMEOUT);
		for (int threadCount : new int[] { 1, 16 }) {
			double without = callsPerSecond(threadCount, (id) -> store.schedule("q", List.of(task(id))));
			double with = callsPerSecond(threadCount, (id) -> assertThat(schedule(store, task(id)).doubt()).isNull());
			System.out.printf(
					"%s, %d threads: %.0f schedules/s, %.0f with min-replicas=1 (%.1f times as long, %.0f us)%n",
					driver, threadCount, without, with, without / with, threadCount * 1e6 / with);
		}
	}

	private static double callsPerSecond(int threadCount, Consumer<String> call) throws Exception {
		int each = 4_000 / threadCount;
		AtomicLong start = new AtomicLong();
		// the first round warms up
		for (int round = 0; round < 2; round++) {
			start.set(System.nanoTime());
			withThreads(threadCount, (t) -> {
				IntStream.range(0, each).forEach((i) -> call.accept(threadCount + "-" + t + "-" + i));
				return true;
			}, (running) -> {
				for (Future<Boolean> thread : running) {
					answer(thread);
				}
			});
		}
		return each * threadCount * 1e9 / (System.nanoTime() - start.get());
	}

	@Test
	void connectionFactoryOfAnUnknownClassIsRefused() {
		LettuceConnectionFactory own = new LettuceConnectionFactory(Connections.configuration(this.primary)) {
		};
		RedisTaskStore store = store(Connections.start(own), COMMAND_TIMEOUT);
		assertThatExceptionOfType(DelayQueueException.class).isThrownBy(() -> schedule(store, task("a")))
			.withMessageContaining("delay-queue.producer.min-replicas needs a LettuceConnectionFactory");
		assertThat(store.find("q", "a")).isEmpty();
	}

	private static ScheduleReply schedule(RedisTaskStore store, NewTask... tasks) {
		return store.schedule("q", List.of(tasks), ScheduleOptions.CONFIRMED);
	}

	/** Lets threads run, each with its number, and looks at what they do. */
	private static <T> void withThreads(int count, IntFunction<T> call, Look<T> look) throws Exception {
		ExecutorService threads = Executors.newFixedThreadPool(count);
		try {
			look.at(IntStream.range(0, count).mapToObj((t) -> threads.submit(() -> call.apply(t))).toList());
		}
		finally {
			threads.shutdownNow();
		}
	}

	private static <T> T answer(Future<T> call) throws Exception {
		return call.get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
	}

	private RedisTaskStore store(Driver driver, Duration commandTimeout) {
		return store(driver.connect(this.primary), commandTimeout);
	}

	private RedisTaskStore store(RedisConnectionFactory connections, Duration commandTimeout) {
		DriverStores stores = DriverStores.on(connections).minReplicas(1);
		stores.keyPrefix("repl:").commandTimeout(commandTimeout);
		this.open.add(stores);
		return stores.open();
	}

	private RedisServer start(String... arguments) {
		RedisServer server = RedisServer.builder()
			.arguments("--repl-diskless-sync-delay", "0")
			.arguments(arguments)
			.build()
			.start();
		this.servers.add(server);
		return server;
	}

	private RedisServer replicaOf(RedisServer primary) {
		RedisServer replica = start("--replicaof", primary.host() + " " + primary.port());
		await().until(() -> "up".equals(replica.info("replication").get("master_link_status")));
		await().until(() -> primary.text("INFO", "replication").contains("port=" + replica.port() + ",state=online"));
		return replica;
	}

	static NewTask task(String id) {
		return Tasks.task(id, Duration.ofHours(1));
	}

	private interface Look<T> {

		void at(List<Future<T>> calls) throws Exception;

	}

}
