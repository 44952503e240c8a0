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
import java.util.function.Consumer;
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
import io.github.delayqueue.fixtures.RedisStores;
import io.github.delayqueue.fixtures.Tasks;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.Replacement;
import io.github.delayqueue.store.ScheduleOptions;
import io.github.delayqueue.store.ScheduleReply;
import io.github.delayqueue.store.ScheduleReply.Doubt;
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

	private final List<RedisStores> open = new ArrayList<>();

	@AfterEach
	void close() {
		this.open.forEach(RedisStores::close);
		this.servers.forEach(RedisServer::close);
	}

	@ParameterizedTest
	@EnumSource
	void replicasHaveTheTasksOnceItReturns(Driver driver) throws Exception {
		RedisServer primary = start();
		RedisServer first = replicaOf(primary);
		RedisServer second = replicaOf(primary);
		RedisTaskStore store = store(driver, primary, COMMAND_TIMEOUT);
		this.open.get(0).minReplicas(2);
		for (int i = 0; i < 200; i++) {
			String id = "task-" + i;
			ScheduleReply reply = store.schedule("q", List.of(task(id)), ScheduleOptions.CONFIRMED);
			assertThat(first.cli("HEXISTS", "repl:{q}:tasks", id)).isEqualTo(1L);
			assertThat(second.cli("HEXISTS", "repl:{q}:tasks", id)).isEqualTo(1L);
			assertThat(reply).isEqualTo(ScheduleReply.of(List.of(ScheduleOutcome.CREATED)));
		}
	}

	@ParameterizedTest
	@EnumSource
	void fewerReplicasThanAskedForAreAnAnswerBeforeTheCommandTimeout(Driver driver) throws Exception {
		RedisServer primary = start();
		RedisServer replica = replicaOf(primary);
		RedisTaskStore store = store(driver, primary, SHORT);
		assertThat(store.schedule("q", List.of(task("a")), ScheduleOptions.CONFIRMED).doubt()).isNull();
		replica.pause();
		long start = System.nanoTime();
		ScheduleReply reply = store.schedule("q", List.of(task("b"), task("c")), ScheduleOptions.CONFIRMED);
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(SHORT.dividedBy(2));
		assertThat(reply)
			.isEqualTo(new ScheduleReply(List.of(ScheduleOutcome.CREATED, ScheduleOutcome.CREATED), NONE_CONFIRMED));
		assertThat(store.find("q", "b")).isPresent();
		replica.resume();
		assertThat(store.schedule("q", List.of(task("d")), ScheduleOptions.CONFIRMED).doubt()).isNull();
		assertThat(replica.cli("HLEN", "repl:{q}:tasks")).isEqualTo(4L);
	}

	@ParameterizedTest
	@EnumSource
	void rejectedTaskIsAnsweredOnlyOnceTheOneBeforeItIsReplicated(Driver driver) throws Exception {
		RedisServer primary = start();
		RedisServer replica = replicaOf(primary);
		RedisTaskStore store = store(driver, primary, SHORT);
		replica.pause();
		store.schedule("q", List.of(task("a")));
		NewTask again = new NewTask("a", "{}".getBytes(StandardCharsets.UTF_8), DueTime.in(Duration.ZERO),
				TaskPriority.NORMAL, Replacement.REJECT);
		assertThat(store.schedule("q", List.of(again), ScheduleOptions.CONFIRMED))
			.isEqualTo(new ScheduleReply(List.of(ScheduleOutcome.REJECTED), NONE_CONFIRMED));
		replica.resume();
		await().until(() -> store.schedule("q", List.of(again), ScheduleOptions.CONFIRMED).doubt() == null);
		assertThat(replica.cli("HEXISTS", "repl:{q}:tasks", "a")).isEqualTo(1L);
	}

	/** Nobody shares the connections that wait. */
	@ParameterizedTest
	@EnumSource
	void otherCallsAreNotDelayedMeanwhile(Driver driver) throws Exception {
		RedisServer primary = start();
		RedisServer replica = replicaOf(primary);
		RedisTaskStore store = store(driver, primary, LONG);
		store.schedule("q", List.of(task("warm")), ScheduleOptions.CONFIRMED);
		replica.pause();
		ExecutorService threads = Executors.newFixedThreadPool(8);
		try {
			List<Future<ScheduleReply>> waiting = IntStream.range(0, 8)
				.mapToObj((i) -> threads
					.submit(() -> store.schedule("q", List.of(task("w" + i)), ScheduleOptions.CONFIRMED)))
				.toList();
			await().until(() -> store.stats("q").waiting() == 9);
			for (int i = 0; i < 100; i++) {
				store.schedule("q", List.of(task("x" + i)));
				store.claim("q", ClaimRequest.of("t" + i, 1, Duration.ofSeconds(30)));
			}
			assertThat(waiting).noneMatch(Future::isDone);
			replica.resume();
			for (Future<ScheduleReply> each : waiting) {
				assertThat(each.get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS).doubt()).isNull();
			}
		}
		finally {
			threads.shutdownNow();
		}
	}

	@ParameterizedTest
	@EnumSource
	void manyThreadsScheduleAtOnceOverABoundedNumberOfConnections(Driver driver) throws Exception {
		RedisServer primary = start();
		RedisServer replica = replicaOf(primary);
		RedisTaskStore store = store(driver, primary, Duration.ofSeconds(10));
		int threadCount = 40;
		int each = 100;
		ExecutorService threads = Executors.newFixedThreadPool(threadCount);
		try {
			List<Future<Boolean>> results = IntStream.range(0, threadCount).mapToObj((t) -> threads.submit(() -> {
				boolean replicated = true;
				for (int i = 0; i < each; i++) {
					String id = t + "-" + i;
					replicated &= store.schedule("q", List.of(task(id)), ScheduleOptions.CONFIRMED).doubt() == null;
				}
				return replicated;
			})).toList();
			for (Future<Boolean> result : results) {
				assertThat(result.get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
			}
		}
		finally {
			threads.shutdownNow();
		}
		assertThat(replica.cli("HLEN", "repl:{q}:tasks")).isEqualTo((long) threadCount * each);
		assertThat(primary.cli("INFO", "clients").toString()).satisfies((info) -> {
			int clients = Integer.parseInt(info.replaceAll("(?s).*connected_clients:(\\d+).*", "$1"));
			assertThat(clients).isBetween(2, UnsharedConnections.MAX + 4);
		});
	}

	@ParameterizedTest
	@EnumSource
	void brokenWaitSaysSoAndIsNeverTakenForReplicated(Driver driver) throws Exception {
		RedisServer primary = start();
		RedisServer replica = replicaOf(primary);
		RedisTaskStore store = store(driver, primary, LONG);
		store.schedule("q", List.of(task("warm")), ScheduleOptions.CONFIRMED);
		replica.pause();
		CompletableFuture<ScheduleReply> waiting = CompletableFuture
			.supplyAsync(() -> store.schedule("q", List.of(task("a")), ScheduleOptions.CONFIRMED));
		await().until(() -> primary.cli("INFO", "clients").toString().contains("blocked_clients:1"));
		primary.cli("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
		ScheduleReply reply = waiting.get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
		assertThat(reply.outcomes()).containsExactly(ScheduleOutcome.CREATED);
		assertThat(reply.doubt().confirmations()).isZero();
		assertThat(reply.doubt().error()).isInstanceOf(DelayQueueException.class)
			.hasMessageContaining("Could not wait for replicas of queue 'q'");
		replica.resume();
		await().ignoreExceptions().until(() -> store.find("q", "a").isPresent());
		assertThat(store.schedule("q", List.of(task("b")), ScheduleOptions.CONFIRMED).doubt()).isNull();
	}

	@ParameterizedTest
	@EnumSource
	void connectionThatWasClosedWhileIdleCostsNoTask(Driver driver) throws Exception {
		RedisServer primary = start();
		replicaOf(primary);
		RedisTaskStore store = store(driver, primary, COMMAND_TIMEOUT);
		store.schedule("q", List.of(task("a")), ScheduleOptions.CONFIRMED);
		primary.cli("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
		// as long as a connection is trusted without a question
		await().pollDelay(Duration.ofMillis(1_100)).until(() -> true);
		assertThat(store.schedule("q", List.of(task("b")), ScheduleOptions.CONFIRMED).doubt()).isNull();
	}

	/** Prints what waiting costs on one machine, the figures of the documentation. */
	@ParameterizedTest
	@EnumSource
	void replicasHaveEachTaskOfManyThreads(Driver driver) throws Exception {
		RedisServer primary = start();
		replicaOf(primary);
		RedisTaskStore store = store(driver, primary, COMMAND_TIMEOUT);
		for (int threadCount : new int[] { 1, 16 }) {
			double without = callsPerSecond(threadCount, (id) -> store.schedule("q", List.of(task(id))));
			double with = callsPerSecond(threadCount,
					(id) -> assertThat(store.schedule("q", List.of(task(id)), ScheduleOptions.CONFIRMED).doubt())
						.isNull());
			System.out.printf(
					"%s, %d threads: %.0f schedules/s, %.0f with min-replicas=1 (%.1f times as long, %.0f us)%n",
					driver, threadCount, without, with, without / with, threadCount * 1e6 / with);
		}
	}

	private static double callsPerSecond(int threadCount, Consumer<String> call) throws Exception {
		int each = 4_000 / threadCount;
		ExecutorService threads = Executors.newFixedThreadPool(threadCount);
		try {
			long start = 0;
			// the first round warms up
			for (int round = 0; round < 2; round++) {
				start = System.nanoTime();
				List<Future<?>> running = new ArrayList<>();
				for (int t = 0; t < threadCount; t++) {
					String prefix = threadCount + "-" + t + "-";
					running.add(threads.submit(() -> IntStream.range(0, each).forEach((i) -> call.accept(prefix + i))));
				}
				for (Future<?> thread : running) {
					thread.get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
				}
			}
			return each * threadCount * 1e9 / (System.nanoTime() - start);
		}
		finally {
			threads.shutdownNow();
		}
	}

	@Test
	void connectionFactoryOfAnUnknownClassIsRefused() throws Exception {
		RedisServer primary = start();
		LettuceConnectionFactory own = new LettuceConnectionFactory(Connections.configuration(primary)) {
		};
		RedisTaskStore store = store(Connections.start(own), COMMAND_TIMEOUT);
		assertThatExceptionOfType(DelayQueueException.class)
			.isThrownBy(() -> store.schedule("q", List.of(task("a")), ScheduleOptions.CONFIRMED))
			.withMessageContaining("delay-queue.producer.min-replicas needs a LettuceConnectionFactory");
		assertThat(store.find("q", "a")).isEmpty();
	}

	private RedisTaskStore store(Driver driver, RedisServer server, Duration commandTimeout) {
		return store(driver.connect(server), commandTimeout);
	}

	private RedisTaskStore store(RedisConnectionFactory connections, Duration commandTimeout) {
		RedisStores stores = RedisStores.on(connections)
			.keyPrefix("repl:")
			.commandTimeout(commandTimeout)
			.minReplicas(1);
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
		await().until(() -> replica.cli("INFO", "replication").toString().contains("master_link_status:up"));
		await().until(() -> primary.cli("INFO", "replication")
			.toString()
			.contains("port=" + replica.port() + ",state=online"));
		return replica;
	}

	static NewTask task(String id) {
		return Tasks.task(id, Duration.ofHours(1));
	}

}
