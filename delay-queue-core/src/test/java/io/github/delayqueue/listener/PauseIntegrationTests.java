package io.github.delayqueue.listener;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.github.delayqueue.convert.TaskOptions;
import io.github.delayqueue.fixtures.RedisStores;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.testsupport.RedisServer;
import io.github.delayqueue.testsupport.RedisServer.AppendOnly;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A pause of a queue that three instances consume: it holds for all of them, for those
 * that come later, and while Redis is killed and comes back from its append-only file.
 */
class PauseIntegrationTests {

	private static final String QUEUE = "orders";

	private static final int TASKS = 400;

	private final RedisServer server = RedisServer.builder().appendOnly(AppendOnly.ALWAYS).build().start();

	private final RedisStores stores = RedisStores.on(this.server);

	private final List<ListenerFixture> instances = new ArrayList<>();

	private final Map<String, Integer> handled = new ConcurrentHashMap<>();

	/** How many handlers may end before there is a pause. */
	private final Semaphore permits = new Semaphore(TASKS / 10);

	@BeforeEach
	void start() {
		IntStream.range(0, 3).forEach((i) -> addInstance());
	}

	@AfterEach
	void close() {
		this.instances.forEach(ListenerFixture::close);
		this.stores.close();
		this.server.close();
	}

	@Test
	void holdsForAllInstancesAndAcrossARestartOfRedisUntilOneOfThemResumes() {
		schedule();
		await().until(() -> this.handled.size() == TASKS / 10);
		this.stores.get(0).setPaused(QUEUE, true);
		this.permits.release(TASKS);
		await().until(() -> this.stores.get(0).stats(QUEUE).inFlight() == 0);
		int before = this.handled.size();
		assertThat(this.stores.get(0).stats(QUEUE).scheduled()).isPositive().isEqualTo(TASKS - before);
		awaitPollsAfter(Instant.now());
		this.server.kill();
		this.server.start();
		addInstance();
		awaitPollsAfter(Instant.now());
		assertThat(this.stores.get(1).stats(QUEUE).paused()).isTrue();
		assertThat(this.handled).hasSize(before);
		this.stores.get(2).setPaused(QUEUE, false);
		await().until(() -> this.handled.size() == TASKS);
		await().until(() -> this.stores.get(0).stats(QUEUE).totals().completed() == TASKS);
		assertThat(this.handled.values()).containsOnly(1);
		// one that hears of it again only later learns it by its next poll
		await().until(() -> this.instances.stream()
			.noneMatch((instance) -> instance.registry().get(QUEUE).status().paused()));
	}

	/** Every instance has asked since, and was told that there is a pause. */
	private void awaitPollsAfter(Instant time) {
		for (ListenerFixture instance : this.instances) {
			await().until(() -> {
				ContainerStatus status = instance.registry().get(QUEUE).status();
				return status.lastPollAt() != null && status.lastPollAt().isAfter(time) && status.paused();
			});
		}
	}

	private void addInstance() {
		ListenerFixture instance = new ListenerFixture(this.stores.open());
		this.instances.add(instance);
		instance.register(QUEUE, (task, context) -> {
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
			this.permits.acquire();
			this.handled.merge(task.id(), 1, Integer::sum);
			return TaskResult.done();
		}, ListenerOptions.builder().id(QUEUE).concurrency(4).build());
	}

	private void schedule() {
		List<NewTask> tasks = IntStream.range(0, TASKS)
			.mapToObj((i) -> this.instances.get(0)
				.task(QUEUE, "task-" + i, "payload", DueTime.in(Duration.ZERO), TaskOptions.NONE))
			.toList();
		this.stores.get(0).schedule(QUEUE, tasks);
	}

}
