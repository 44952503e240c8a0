package io.github.delayqueue.sharing;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.github.delayqueue.ScheduleOutcome;
import io.github.delayqueue.StoreUnavailableException;
import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.fixtures.DriverStores;
import io.github.delayqueue.fixtures.RedisStores;
import io.github.delayqueue.roles.QueueView;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.Replacement;
import io.github.delayqueue.store.redis.RedisTaskStore;
import io.github.delayqueue.testsupport.Connections;
import io.github.delayqueue.testsupport.Patience;
import io.github.delayqueue.testsupport.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Threads that schedule at the same time, at a server that makes them wait.
 */
@Execution(ExecutionMode.CONCURRENT)
class SharedScheduleIntegrationTests {

	private static final int THREADS = 16;

	/** Longer than threads need until all of them wait. */
	private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(30);

	/** Where calls wait as long in vain: Lettuce keeps them when a connection breaks. */
	private static final Duration SHORT_TIMEOUT = Duration.ofSeconds(5);

	private final RedisServer server = RedisServer.startNew();

	/** With a time-out of its own that nobody can wait for. */
	private final RedisStores stores = DriverStores
		.on(Connections.start(new LettuceConnectionFactory(Connections.configuration(this.server),
				LettuceClientConfiguration.builder().commandTimeout(Duration.ofMinutes(10)).build())))
		.commandTimeout(COMMAND_TIMEOUT);

	private RedisTaskStore store = this.stores.open();

	private int ids;

	/** So many are to be there. */
	private long tasks;

	@BeforeEach
	void open() {
		this.store.schedule("q", List.of(task()));
	}

	private void openAgain() {
		this.store.destroy();
		this.store = this.stores.commandTimeout(SHORT_TIMEOUT).connect();
		open();
	}

	@AfterEach
	void close() throws Exception {
		if (this.server.isRunning()) {
			this.server.resume();
		}
		this.stores.close();
		this.server.close();
	}

	@Test
	void threadsThatWaitShareACall() throws Exception {
		assertCallsAreShared();
	}

	private void assertCallsAreShared() throws Exception {
		long before = this.server.calls("evalsha");
		List<FutureTask<List<ScheduleOutcome>>> calls = whileStandingStill();
		this.server.resume();
		for (FutureTask<List<ScheduleOutcome>> call : calls) {
			assertThat(call.get()).containsExactly(ScheduleOutcome.CREATED);
		}
		assertThat(this.server.calls("evalsha") - before).isEqualTo(SharedCalls.MAX_UNDER_WAY + 1);
		assertAllAreThereOnce();
	}

	@Test
	void eachThreadSendsTheScriptWhereTheServerHasForgottenIt() throws Exception {
		this.server.cli("SCRIPT", "FLUSH");
		List<FutureTask<List<ScheduleOutcome>>> calls = whileStandingStill();
		this.server.resume();
		for (FutureTask<List<ScheduleOutcome>> call : calls) {
			assertThat(call.get()).containsExactly(ScheduleOutcome.CREATED);
		}
		assertAllAreThereOnce();
	}

	@Test
	void goesOnWhenTheConnectionHasBroken() {
		openAgain();
		List<FutureTask<List<ScheduleOutcome>>> calls = whileStandingStill();
		this.server.kill();
		assertThat(calls).allSatisfy((call) -> assertThat(call).failsWithin(Patience.LIMIT)
			.withThrowableThat()
			.havingCause()
			.isInstanceOf(StoreUnavailableException.class));
		this.server.start();
		await().ignoreExceptions()
			.untilAsserted(() -> assertThat(QueueView.of(this.store).stats("q").waiting()).isZero());
		assertGoesOn();
	}

	private void assertGoesOn() {
		this.tasks = QueueView.of(this.store).stats("q").waiting();
		List<FutureTask<List<ScheduleOutcome>>> calls = start();
		assertThat(calls).allSatisfy(
				(call) -> assertThat(call).succeedsWithin(Patience.LIMIT).isEqualTo(List.of(ScheduleOutcome.CREATED)));
		assertAllAreThereOnce();
	}

	private void assertAllAreThereOnce() {
		assertThat(QueueView.of(this.store).stats("q").waiting()).isEqualTo(this.tasks);
	}

	/** Begins calls of so many threads, and returns when all of them wait. */
	private List<FutureTask<List<ScheduleOutcome>>> whileStandingStill() {
		this.server.pause();
		List<Thread> threads = new ArrayList<>();
		List<FutureTask<List<ScheduleOutcome>>> calls = start(threads);
		await().until(() -> threads.stream().allMatch((thread) -> thread.getState() == Thread.State.TIMED_WAITING));
		return calls;
	}

	private List<FutureTask<List<ScheduleOutcome>>> start() {
		return start(new ArrayList<>());
	}

	private List<FutureTask<List<ScheduleOutcome>>> start(List<Thread> threads) {
		return IntStream.range(0, THREADS).mapToObj((i) -> {
			NewTask task = task();
			FutureTask<List<ScheduleOutcome>> call = new FutureTask<>(() -> this.store.schedule("q", List.of(task)));
			Thread thread = new Thread(call, "shared-" + i);
			thread.start();
			threads.add(thread);
			return call;
		}).toList();
	}

	private NewTask task() {
		this.tasks++;
		return new NewTask("task-" + this.ids++, "{}".getBytes(StandardCharsets.UTF_8),
				DueTime.in(Duration.ofHours(1 + this.ids % 2)), TaskPriority.NORMAL, Replacement.REPLACE, true);
	}

}
