package io.github.delayqueue.fleet;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.data.redis.connection.RedisStandaloneConfiguration;

import io.github.delayqueue.convert.TaskOptions;
import io.github.delayqueue.fixtures.DocumentedUser;
import io.github.delayqueue.fixtures.RecordingEvents;
import io.github.delayqueue.fixtures.DriverStores;
import io.github.delayqueue.fixtures.RedisStores;
import io.github.delayqueue.listener.DelayQueueListenerContainer;
import io.github.delayqueue.listener.Gate;
import io.github.delayqueue.listener.ListenerFixture;
import io.github.delayqueue.listener.ListenerOptions;
import io.github.delayqueue.listener.TaskResult;
import io.github.delayqueue.roles.QueueView;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.redis.RedisTaskStore;
import io.github.delayqueue.testsupport.ChildJvm;
import io.github.delayqueue.testsupport.Connections;
import io.github.delayqueue.testsupport.Driver;
import io.github.delayqueue.testsupport.FaultProxy;
import io.github.delayqueue.testsupport.Heavy;
import io.github.delayqueue.testsupport.RedisServer;
import io.github.delayqueue.testsupport.TestEffort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * An instance that dies is replaced long before its leases run out. One that is paused,
 * or cut off for a moment, keeps its tasks.
 */
@Execution(ExecutionMode.CONCURRENT)
class TakeoverIntegrationTests {

	private static final Logger logger = LoggerFactory.getLogger(TakeoverIntegrationTests.class);

	private static final String QUEUE = "work";

	private static final int TASKS = 200;

	/** So long that no lease runs out while a test waits. */
	private static final Duration LEASE_DURATION = Duration.ofMinutes(10);

	private final RedisServer server = RedisServer.startNew();

	private final RedisStores stores = DriverStores.on(this.server);

	private final RedisTaskStore store = this.stores.open();

	private final RecordingEvents events = new RecordingEvents();

	private ListenerFixture survivor = Instances.open(this.store, this.events);

	private final Queue<String> handled = new ConcurrentLinkedQueue<>();

	private final List<ChildJvm> processes = new ArrayList<>();

	private DelayQueueListenerContainer container;

	@TempDir
	private Path directory;

	@AfterEach
	void close() {
		this.processes.forEach(ChildJvm::close);
		this.survivor.close();
		this.stores.close();
		this.server.close();
	}

	@Test
	void killedProcessIsReplacedWithinSecondsThoughItsLeasesHold() throws IOException {
		register();
		Files.createFile(this.directory.resolve(ConsumerProcess.HOLD));
		List<Long> took = new ArrayList<>();
		int rounds = TestEffort.pick(1, 20);
		for (int round = 1; round <= rounds; round++) {
			took.add(replace(round).toMillis());
		}
		logger.info("kill -9 with {} tasks in flight: all run again within {} ms; at most {} ms", TASKS, took,
				Collections.max(took));
		assertThat(QueueView.of(this.store).stats(QUEUE).totals().leasesLost()).isEqualTo(rounds * TASKS);
		assertThat(QueueView.of(this.store).stats(QUEUE).totals().stale()).isZero();
	}

	/** The handlers schedule as much as they handle. */
	@Test
	@Heavy
	void killedProcessIsReplacedBesideBacklogsThatNeverEnd() throws IOException {
		AtomicInteger next = new AtomicInteger();
		List<String> backlogs = List.of("backlog-1", "backlog-2", "backlog-3", "backlog-4");
		for (String backlog : backlogs) {
			this.survivor.register(backlog, (task, context) -> {
				this.survivor.schedule(backlog, "next-" + next.incrementAndGet(), "payload", Duration.ZERO);
				return TaskResult.done();
			}, ListenerOptions.builder().concurrency(16).build());
			this.store.schedule(backlog,
					IntStream.range(0, 500)
						.mapToObj((i) -> this.survivor.task(backlog, "task-" + i, "payload", DueTime.in(Duration.ZERO),
								TaskOptions.NONE))
						.toList());
		}
		register();
		Files.createFile(this.directory.resolve(ConsumerProcess.HOLD));
		replace(1);
		assertThat(backlogs)
			.allSatisfy((backlog) -> assertThat(QueueView.of(this.store).stats(backlog).totals().completed())
				.as("handled meanwhile")
				.isPositive());
	}

	private Duration replace(int round) {
		this.handled.clear();
		Path file = this.directory.resolve("killed-" + round);
		ChildJvm process = start(file, LEASE_DURATION, TASKS);
		schedule(round, TASKS);
		await().until(() -> HandledFile.read(file).started().size() == TASKS);
		this.container.start();
		awaitLooks();
		long from = System.nanoTime();
		process.kill();
		await().pollInterval(Duration.ofMillis(2)).until(() -> this.handled.size() >= TASKS);
		Duration took = Duration.ofNanos(System.nanoTime() - from);
		await().until(() -> QueueView.of(this.store).stats(QUEUE).inFlight() == 0);
		assertThat(new HashSet<>(this.handled)).hasSize(TASKS).hasSameSizeAs(this.handled);
		this.container.stop();
		return took;
	}

	/** Claims tell that another one holds leases, and has been connected. */
	private void awaitLooks() {
		String self = Presence.holderOf(this.survivor.registry().getInstance()) + "~";
		await().until(() -> holders().replace(self, "").contains("~"));
		long claims = this.container.status().claims();
		await().until(() -> this.container.status().claims() > claims + 1);
	}

	private String holders() {
		return String.valueOf(this.server.cli("HGET", this.stores.keyPrefix() + "{" + QUEUE + "}:meta", "holders"));
	}

	@Test
	void pausedProcessKeepsItsTasks() throws IOException {
		Path hold = Files.createFile(this.directory.resolve(ConsumerProcess.HOLD));
		int processes = TestEffort.pick(1, 5);
		int rounds = TestEffort.pick(1, 10);
		List<Path> files = IntStream.range(0, processes)
			.mapToObj((i) -> this.directory.resolve("paused-" + i))
			.toList();
		for (int i = 0; i < processes; i++) {
			Path file = files.get(i);
			start(file, LEASE_DURATION, 10);
			schedule(i, 10);
			await().until(() -> HandledFile.read(file).started().size() == 10);
		}
		register();
		this.container.start();
		awaitLooks();
		for (int round = 0; round < rounds; round++) {
			List<Duration> pauses = new ArrayList<>();
			for (int i = 0; i < processes; i++) {
				pauses.add(Duration
					.ofMillis(2000 + 18000L * (round * processes + i) / Math.max(1, rounds * processes - 1)));
			}
			this.processes.forEach((process) -> process.signal("STOP"));
			long from = System.nanoTime();
			for (int i = 0; i < processes; i++) {
				pass(pauses.get(i).minusNanos(System.nanoTime() - from));
				this.processes.get(i).signal("CONT");
			}
		}
		assertNothingTakenOver();
		Files.delete(hold);
		await().until(() -> QueueView.of(this.store).stats(QUEUE).totals().completed() == 10 * processes);
		assertThat(files).allSatisfy((file) -> assertThat(HandledFile.read(file).started()).hasSize(10));
		assertThat(QueueView.of(this.store).stats(QUEUE).totals().stale()).isZero();
	}

	@ParameterizedTest
	@EnumSource
	void instanceThatIsCutOffForAMomentKeepsItsTasks(Driver driver) {
		// a busy machine takes its time to connect again; whether 3 s are enough is
		// measured on a quiet one
		this.survivor.close();
		this.survivor = Instances.open(this.store,
				TestEffort.isFull() ? Fleet.INSTANCE_TIMEOUT : Duration.ofSeconds(20), this.events);
		int cuts = TestEffort.pick(2, 20);
		beside(driver, (proxy, gate) -> {
			for (int cut = 0; cut < cuts; cut++) {
				proxy.refuse(true);
				proxy.cutAll();
				pass(Duration.ofMillis(100 + 900L * cut / (cuts - 1)));
				proxy.refuse(false);
				pass(Fleet.INSTANCE_TIMEOUT);
			}
			// packets that get lost close nothing
			proxy.delay(Fleet.INSTANCE_TIMEOUT.minusMillis(100));
			pass(Fleet.INSTANCE_TIMEOUT.multipliedBy(2));
			proxy.heal();
			assertNothingTakenOver();
			gate.open();
			await().until(() -> QueueView.of(this.store).stats(QUEUE).totals().completed() == 10);
			assertThat(QueueView.of(this.store).stats(QUEUE).totals().stale()).isZero();
		});
	}

	@ParameterizedTest
	@EnumSource
	void instanceThatIsCutOffForLongIsReplacedAndItsResultIsStale(Driver driver) {
		beside(driver, (proxy, gate) -> {
			proxy.refuse(true);
			proxy.cutAll();
			await().until(() -> this.handled.size() == 10);
			await().until(() -> QueueView.of(this.store).stats(QUEUE).totals().completed() == 10);
			proxy.refuse(false);
			gate.open();
			await().until(() -> QueueView.of(this.store).stats(QUEUE).totals().stale() == 10);
			assertThat(QueueView.of(this.store).stats(QUEUE).totals().completed()).isEqualTo(10);
			await().until(() -> this.events.events().contains("take over " + QUEUE + " 10"));
		});
	}

	/** Beside an instance whose tasks wait at the gate, and which a proxy can cut off. */
	private void beside(Driver driver, BiConsumer<FaultProxy, Gate> test) {
		Gate gate = new Gate();
		try (FaultProxy proxy = FaultProxy.inFrontOf(this.server);
				RedisStores behind = DriverStores
					.on(driver.connect(new RedisStandaloneConfiguration(proxy.host(), proxy.port())))
					.commandTimeout(Duration.ofSeconds(2));
				ListenerFixture cutOff = Instances.open(behind.open())) {
			cutOff.register(QUEUE, (task, context) -> gate.pass(),
					ListenerOptions.builder().concurrency(10).leaseDuration(LEASE_DURATION).build());
			schedule(0, 10);
			await().until(() -> gate.entered() == 10);
			register();
			this.container.start();
			awaitLooks();
			test.accept(proxy, gate);
		}
	}

	/** It is alone when it loses its subscription, so nobody else makes it look. */
	@ParameterizedTest
	@EnumSource
	void instanceThatMayNotSubscribeAnyMoreKeepsItsTasks(Driver driver) {
		Gate gate = new Gate();
		this.server.cli("ACL", "SETUSER", "muted", "on", "nopass", "~*", "&*", "+@all");
		try (RedisStores muted = DriverStores
			.on(driver.connect(DocumentedUser.as("muted", Connections.configuration(this.server))));
				ListenerFixture alone = Instances.open(muted.open())) {
			alone.register(QUEUE, (task, context) -> gate.pass(),
					ListenerOptions.builder().concurrency(10).leaseDuration(LEASE_DURATION).build());
			schedule(0, 10);
			await().until(() -> gate.entered() == 10);
			String self = Presence.holderOf(alone.registry().getInstance()) + "~";
			await().until(() -> holders().contains(self));
			this.server.cli("ACL", "SETUSER", "muted", "resetchannels");
			await().until(() -> !holders().contains(self));
			register();
			this.container.start();
			await().until(() -> this.container.status().claims() > 2);
			assertNothingTakenOver();
			if (TestEffort.isFull()) {
				// a minute later
				this.server.cli("ACL", "SETUSER", "muted", "allchannels");
				await().until(() -> holders().contains(self));
				assertNothingTakenOver();
			}
			gate.open();
			await().until(() -> QueueView.of(this.store).stats(QUEUE).totals().completed() == 10);
			assertThat(QueueView.of(this.store).stats(QUEUE).totals().stale()).isZero();
		}
	}

	private void assertNothingTakenOver() {
		pass(Fleet.INSTANCE_TIMEOUT);
		assertThat(this.handled).isEmpty();
		assertThat(this.events.events()).noneMatch((event) -> event.startsWith("take over"));
		assertThat(QueueView.of(this.store).stats(QUEUE).totals().leasesLost()).isZero();
	}

	/** Nothing happens meanwhile that could be waited for. */
	private static void pass(Duration time) {
		long until = System.nanoTime() + time.toNanos();
		while (until - System.nanoTime() > 0) {
			LockSupport.parkNanos(Math.min(until - System.nanoTime(), TimeUnit.MILLISECONDS.toNanos(50)));
		}
	}

	/** One who takes over, once it is started. */
	private void register() {
		this.container = this.survivor.register(QUEUE, (task, context) -> {
			this.handled.add(task.id());
			return TaskResult.done();
		}, ListenerOptions.builder().concurrency(TASKS).leaseDuration(LEASE_DURATION).autoStartup(false).build());
	}

	private ChildJvm start(Path file, Duration leaseDuration, int concurrency) {
		ChildJvm process = ChildJvm
			.of(ConsumerProcess.class, this.server.host(), String.valueOf(this.server.port()), this.stores.keyPrefix(),
					QUEUE, file.toString(), leaseDuration.toString(), String.valueOf(concurrency))
			.start(Path.of(file + ".log"));
		this.processes.add(process);
		await().until(() -> HandledFile.isReady(file));
		return process;
	}

	private void schedule(int round, int tasks) {
		this.store.schedule(QUEUE,
				IntStream.range(0, tasks)
					.mapToObj((i) -> this.survivor.task(QUEUE, "task-" + round + "-" + i, "payload",
							DueTime.in(Duration.ZERO), TaskOptions.NONE))
					.toList());
	}

}
