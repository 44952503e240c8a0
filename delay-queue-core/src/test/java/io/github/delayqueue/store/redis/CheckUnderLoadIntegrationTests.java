package io.github.delayqueue.store.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import io.github.delayqueue.DuplicatePolicy;
import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.fixtures.QueueCheck;
import io.github.delayqueue.fixtures.QueueCheck.Finding;
import io.github.delayqueue.fixtures.RedisStores;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.ClaimedRecord;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.Retention;
import io.github.delayqueue.store.Settlement;
import io.github.delayqueue.testsupport.Driver;
import io.github.delayqueue.testsupport.EachServer;
import io.github.delayqueue.testsupport.TestServer;

import static io.github.delayqueue.fixtures.Tasks.bytes;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Checks and repairs while producers and consumers work: they must find nothing, because
 * nothing is wrong, and repair nothing.
 */
@EachServer
class CheckUnderLoadIntegrationTests {

	private static final String PREFIX = "load:";

	private static final int ROUNDS = 150;

	/** Through the whole queue, half of them repairs. */
	private static final int LEAST_WALKS = 4;

	private final String queue = UUID.randomUUID().toString();

	private final TestServer server;

	CheckUnderLoadIntegrationTests(TestServer server) {
		this.server = server;
	}

	@Test
	void nothingIsFoundInAQueueThatWorks() {
		RedisConnectionFactory connections = Driver.LETTUCE.connect(this.server);
		try (RedisStores stores = RedisStores.on(connections).keyPrefix(PREFIX)) {
			RedisTaskStore store = stores.open();
			AtomicInteger walks = new AtomicInteger();
			List<CompletableFuture<Void>> workers = new ArrayList<>();
			for (int i = 0; i < 3; i++) {
				int seed = i;
				workers.add(CompletableFuture.runAsync(() -> work(store, new Random(seed), "worker-" + seed, walks)));
			}
			CompletableFuture<Void> all = CompletableFuture.allOf(workers.toArray(CompletableFuture[]::new));
			List<Finding> findings = new ArrayList<>();
			do {
				findings.addAll(walk(connections, walks.get() % 2 == 1));
				walks.incrementAndGet();
			}
			while (!all.isDone());
			all.join();
			assertThat(findings).isEmpty();
			assertThat(store.stats(this.queue).totals().stale()).isZero();
			new QueueKeyspace(this.server, PREFIX, this.queue).assertInvariant();
			store.clear(this.queue);
		}
	}

	private List<Finding> walk(RedisConnectionFactory connections, boolean repair) {
		List<Finding> findings = new ArrayList<>();
		@Nullable String cursor = null;
		do {
			QueueCheck page = QueueCheck.page(connections, PREFIX + "{" + this.queue + "}", repair ? "repair" : "look",
					cursor, 50);
			findings.addAll(page.findings());
			cursor = page.cursor();
		}
		while (cursor != null);
		return findings;
	}

	/**
	 * Leases are long and each worker has ids of its own: were a settlement stale, a
	 * repair would be to blame.
	 */
	private void work(RedisTaskStore store, Random random, String name, AtomicInteger walks) {
		Retention retention = new Retention(Duration.ofMillis(50), null, 20L);
		for (int round = 0; round < ROUNDS || walks.get() < LEAST_WALKS; round++) {
			List<NewTask> tasks = new ArrayList<>();
			for (int i = 0; i < 20; i++) {
				String id = name + "-" + round + "-" + i;
				tasks.add(new NewTask(id, bytes(id), DueTime.in(Duration.ofMillis(random.nextInt(20))),
						TaskPriority.values()[random.nextInt(3)], DuplicatePolicy.REPLACE));
			}
			store.schedule(this.queue, tasks);
			store.reschedule(this.queue, name + "-" + round + "-3", DueTime.in(Duration.ZERO));
			List<Settlement> settlements = new ArrayList<>();
			String token = name + round;
			for (ClaimedRecord task : store
				.claim(this.queue, new ClaimRequest(token, 50, 50, Duration.ofMinutes(5), 1_000_000, false, retention))
				.tasks()) {
				settlements.add(switch (random.nextInt(5)) {
					case 0 -> Settlement.retry(task.id(), token, Duration.ofMillis(5), bytes("failed"));
					case 1 -> Settlement.deadLetter(task.id(), token, true, bytes("dead"));
					case 2 -> Settlement.release(task.id(), token, null);
					case 3 -> Settlement.complete(task.id(), token, true);
					default -> Settlement.complete(task.id(), token, false);
				});
			}
			store.settle(this.queue, settlements);
			store.redrive(this.queue,
					store.list(this.queue, TaskState.DEAD, 0, 5).stream().map((task) -> task.id()).toList());
		}
	}

}
