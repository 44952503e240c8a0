package io.github.delayqueue.store.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.ScheduleOutcome;
import io.github.delayqueue.fixtures.DriverStores;
import io.github.delayqueue.fixtures.RedisStores;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.ClaimedRecord;
import io.github.delayqueue.store.ScheduleOptions;
import io.github.delayqueue.testsupport.Driver;
import io.github.delayqueue.testsupport.EachServer;
import io.github.delayqueue.testsupport.RedisServer;
import io.github.delayqueue.testsupport.TestServer;

import static io.github.delayqueue.fixtures.Tasks.task;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/**
 * A server that answers but cannot do what it is asked just now: each version says that
 * in its own words, and has done nothing.
 */
@EachServer
@Execution(ExecutionMode.CONCURRENT)
class RefusalIntegrationTests {

	private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(2);

	@Parameter
	private TestServer kind;

	private RedisServer server;

	private RedisStores stores;

	private RedisTaskStore store;

	@AfterEach
	void close() {
		if (this.server == null) {
			// A test that was aborted because it cannot have a server of its own
			return;
		}
		this.stores.close();
		this.server.close();
	}

	@ParameterizedTest
	@EnumSource
	void replicaDoesNothingUntilItIsPromoted(Driver driver) {
		open(driver);
		this.store.schedule("q", List.of(task("held")));
		this.server.cli("REPLICAOF", "127.0.0.1", "1");

		assertRefused("READONLY", () -> this.store.schedule("q", List.of(task("a"))));
		assertRefused("READONLY", this::claim);
		assertThat(this.store.find("q", "a")).isEmpty();

		this.server.cli("REPLICAOF", "NO", "ONE");
		assertThat(this.store.schedule("q", List.of(task("a")))).containsExactly(ScheduleOutcome.CREATED);
		assertThat(claim()).containsExactly("held", "a");
	}

	@ParameterizedTest
	@EnumSource
	void serverBusyWithAScriptDoesNothingUntilThatEnds(Driver driver) {
		open(driver, "--lua-time-limit", "1");
		this.store.schedule("q", List.of(task("held")));
		CompletableFuture<Void> endless = CompletableFuture.runAsync(() -> assertThatIllegalStateException()
			.isThrownBy(() -> this.server.cli("EVAL", "while true do end", "0"))
			.withMessageContaining("kill"));
		await().pollDelay(Duration.ZERO)
			.untilAsserted(() -> assertThatIllegalStateException().isThrownBy(() -> this.server.cli("PING"))
				.withMessageStartingWith("BUSY "));

		assertRefused("BUSY", () -> this.store.schedule("q", List.of(task("a"))));
		assertRefused("BUSY", this::claim);

		this.server.cli("SCRIPT", "KILL");
		endless.join();
		assertThat(this.store.schedule("q", List.of(task("a")))).containsExactly(ScheduleOutcome.CREATED);
		assertThat(claim()).containsExactly("held", "a");
	}

	@ParameterizedTest
	@EnumSource
	void scriptsThatTheServerHasForgottenAreSentAgain(Driver driver) {
		open(driver);
		this.store.schedule("q", List.of(task("a")));
		this.server.cli("SCRIPT", "FLUSH");
		assertThat(this.store.schedule("q", List.of(task("a")))).containsExactly(ScheduleOutcome.REPLACED);
		this.server.cli("SCRIPT", "FLUSH");
		assertThat(this.store.scheduleAhead("q", List.of(task("a")), ScheduleOptions.NONE).get().outcomes())
			.containsExactly(ScheduleOutcome.REPLACED);
		assertThat(claim()).containsExactly("a");
	}

	private static void assertRefused(String answer, Runnable step) {
		assertThatExceptionOfType(DelayQueueException.class).isThrownBy(step::run)
			.withMessageContaining("is not ready")
			.withMessageContaining(answer);
	}

	private List<String> claim() {
		return this.store.claim("q", ClaimRequest.of("token", 10, Duration.ofSeconds(30)))
			.tasks()
			.stream()
			.map(ClaimedRecord::id)
			.toList();
	}

	private void open(Driver driver, String... arguments) {
		this.server = this.kind.newProcess().arguments(arguments).build().start();
		this.stores = DriverStores.on(driver.connect(this.server)).commandTimeout(COMMAND_TIMEOUT);
		this.store = this.stores.connect();
	}

}
