package io.github.delayqueue.migration;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.TaskState;
import io.github.delayqueue.producer.TaskDetails;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.testsupport.ChildJvm;
import io.github.delayqueue.testsupport.Heavy;
import io.github.delayqueue.testsupport.TestRedis;

import static io.github.delayqueue.migration.MigrationFixture.QUEUE;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Elements are moved while a Redisson offers, transfers and takes: each is handled, there
 * or here, and only once unless a process is killed between two steps.
 * <p>
 * {@code -Dmigration.elements=20000} for more of them.
 */
@Execution(ExecutionMode.CONCURRENT)
@Heavy
class MigrationUnderLoadIntegrationTests {

	private static final Logger logger = LoggerFactory.getLogger(MigrationUnderLoadIntegrationTests.class);

	private static final int ELEMENTS = Integer.getInteger("migration.elements", 10_000);

	private static final int MAX_DELAY_MILLIS = 4000;

	/** A process that is started in place of a killed one needs some seconds. */
	private static final int MAX_DELAY_MILLIS_WITH_PROCESSES = 12_000;

	private static final Duration TIMEOUT = Duration.ofMinutes(2);

	private final MigrationFixture fixture = new MigrationFixture();

	private final String name = this.fixture.source;

	private final List<ChildJvm> processes = new ArrayList<>();

	private final List<String> offered = Collections.synchronizedList(new ArrayList<>());

	@TempDir
	private Path directory;

	@AfterEach
	void close() throws Exception {
		this.processes.forEach(ChildJvm::close);
		this.fixture.close();
	}

	@Test
	void losesAndDoublesNothingWhileItsProducerGoesOn() throws InterruptedException {
		RedissonClient redisson = this.fixture.redisson(StringCodec.INSTANCE);
		Queue<String> byRedisson = takeAll(redisson);
		Queue<String> byUs = this.fixture.handleAll();
		Thread producer = produce(redisson, MAX_DELAY_MILLIS);
		this.fixture.runner(RedissonMigration.from(this.name).to(QUEUE).payload(RedissonPayloads.text()).build())
			.start();
		producer.join();
		assertEachIsHandled(byRedisson, byUs, 0, 0);
	}

	@Test
	void movesEachWithItsDueTimeWhileItsProducerGoesOn() throws InterruptedException {
		RedissonClient redisson = this.fixture.redisson(StringCodec.INSTANCE);
		Queue<String> byRedisson = takeAll(redisson);
		OldQueue<String> old = this.fixture.delayed(redisson, this.name);
		Map<String, Long> delays = new ConcurrentHashMap<>();
		CountDownLatch moving = new CountDownLatch(1);
		Instant before = Instant.now();
		Random random = new Random(7);
		Thread producer = new Thread(() -> {
			for (int i = 0; i < ELEMENTS; i++) {
				long delay = random.nextLong(3_600_000, 86_400_000);
				delays.put("order_" + i, delay);
				if (i == ELEMENTS / 2) {
					Awaitility.await().until(() -> moving.getCount() == 0);
				}
				old.offer("order_" + i, delay, TimeUnit.MILLISECONDS);
			}
		}, "producer");
		producer.start();
		MigrationRunner runner = this.fixture
			.runner(RedissonMigration.from(this.name).to(QUEUE).payload(RedissonPayloads.text()).build());
		runner.start();
		Awaitility.await().until(() -> runner.progress().get(0).moved() > 0);
		moving.countDown();
		producer.join();
		Duration offering = Duration.between(before, Instant.now());
		Awaitility.await().atMost(TIMEOUT).until(() -> MigrationFixture.isDone(runner.progress().get(0)));
		runner.stop();
		assertThat(runner.progress().get(0)).isEqualTo(new MigrationProgress(this.name, QUEUE, ELEMENTS, 0, 0, 0, 0));
		assertThat(byRedisson).isEmpty();
		for (int offset = 0; offset < ELEMENTS; offset += TaskStore.MAX_BATCH) {
			for (TaskDetails task : this.fixture.delayQueue.list(QUEUE, TaskState.SCHEDULED, offset,
					TaskStore.MAX_BATCH)) {
				Instant earliest = before.plusMillis(delays.remove(task.payload(String.class)));
				assertThat(task.dueAt()).isBetween(earliest.minusMillis(1), earliest.plus(offering).plusMillis(1));
			}
		}
		assertThat(delays).as("not moved").isEmpty();
		assertThat(this.fixture.delayQueue.stats(QUEUE).waiting()).isEqualTo(ELEMENTS);
	}

	@Test
	void losesNothingAndDoublesNoMoreThanABatchWhenItsProcessesAreKilled() throws InterruptedException {
		RedissonClient redisson = this.fixture.redisson(StringCodec.INSTANCE);
		Queue<String> byRedisson = takeAll(redisson);
		Queue<String> byUs = this.fixture.handleAll();
		Random random = new Random(8);
		int kills = 0;
		Deque<ChildJvm> running = new ArrayDeque<>(List.of(start(), start(), start()));
		awaitFirstMove(redisson);
		Thread producer = produce(redisson, MAX_DELAY_MILLIS_WITH_PROCESSES);
		while (kills < 4 || !isOver()) {
			long before = byUs.size();
			Awaitility.await().atMost(TIMEOUT).until(() -> byUs.size() > before + 50 || isOver());
			Awaitility.await().pollDelay(Duration.ofMillis(random.nextInt(5, 1000))).until(() -> true);
			ChildJvm killed = running.removeFirst();
			assertThat(killed.isAlive()).isTrue();
			killed.kill();
			kills++;
			running.addLast(start());
		}
		producer.join();
		logger.info("{} processes were killed", kills);
		assertEachIsHandled(byRedisson, byUs, 1, kills * this.fixture.settings.batchSize());
	}

	/** One element more, which is cancelled as soon as one of the processes works. */
	private void awaitFirstMove(RedissonClient redisson) {
		this.fixture.delayed(redisson, this.name).offer("first", 1, TimeUnit.HOURS);
		MigrationRunner looker = this.fixture
			.runner(RedissonMigration.from(this.name).to(QUEUE).payload(RedissonPayloads.text()).build());
		Awaitility.await().until(() -> looker.progress().get(0).moved() == 1);
		assertThat(this.fixture.delayQueue.cancel(QUEUE, this.fixture.scheduled().get(0).id())).isTrue();
	}

	/** Whether nothing waits any more; first something has to. */
	private boolean isOver() {
		return this.offered.size() == ELEMENTS
				&& Boolean.FALSE.equals(this.fixture.redis.hasKey("redisson_delay_queue_timeout:{" + this.name + "}"));
	}

	private void assertEachIsHandled(Queue<String> byRedisson, Queue<String> byUs, int others, int mostDoubled) {
		Awaitility.await()
			.atMost(TIMEOUT)
			.until(() -> byRedisson.size() + new HashSet<>(byUs).size() >= this.offered.size());
		MigrationRunner looker = this.fixture
			.runner(RedissonMigration.from(this.name).to(QUEUE).payload(RedissonPayloads.text()).build());
		Awaitility.await().until(() -> looker.progress().get(0).moving() == 0);
		Awaitility.await().until(this.fixture::isIdle);
		Set<String> moved = new HashSet<>(byUs);
		logger.info("{} offered, {} handled by Redisson, {} moved, {} handled twice", this.offered.size(),
				byRedisson.size(), moved.size(), byUs.size() - moved.size());
		assertThat(byUs.size() - moved.size()).as("handled twice").isBetween(0, mostDoubled);
		List<String> handled = new ArrayList<>(byRedisson);
		handled.addAll(moved);
		assertThat(handled).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(this.offered);
		assertThat(moved).isNotEmpty();
		assertThat(looker.progress().get(0))
			.isEqualTo(new MigrationProgress(this.name, QUEUE, moved.size() + others, 0, 0, 0, 0));
	}

	/** What the application did before. */
	private Queue<String> takeAll(RedissonClient redisson) {
		Queue<String> taken = new ConcurrentLinkedQueue<>();
		this.fixture.repeat("redisson", () -> {
			String value = redisson.<String>getBlockingQueue(this.name).poll(100, TimeUnit.MILLISECONDS);
			if (value != null) {
				taken.add(value);
			}
		});
		return taken;
	}

	private Thread produce(RedissonClient redisson, int maxDelayMillis) {
		OldQueue<String> old = this.fixture.delayed(redisson, this.name);
		Random random = new Random(7);
		Thread thread = new Thread(() -> {
			for (int i = 0; i < ELEMENTS; i++) {
				String value = "order_" + i;
				this.offered.add(value);
				old.offer(value, random.nextInt(1, maxDelayMillis), TimeUnit.MILLISECONDS);
			}
		}, "producer");
		thread.start();
		return thread;
	}

	private ChildJvm start() {
		ChildJvm process = ChildJvm
			.of(MigrationProcess.class, TestRedis.host(), String.valueOf(TestRedis.port()), this.fixture.prefix,
					this.name)
			.start(this.directory.resolve("log-" + this.processes.size()));
		this.processes.add(process);
		return process;
	}

}
