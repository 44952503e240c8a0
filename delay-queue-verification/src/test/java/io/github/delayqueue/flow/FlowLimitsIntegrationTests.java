package io.github.delayqueue.flow;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import io.github.delayqueue.QueueStats;
import io.github.delayqueue.convert.TaskOptions;
import io.github.delayqueue.fixtures.DriverStores;
import io.github.delayqueue.fixtures.RedisStores;
import io.github.delayqueue.limits.GlobalConcurrency;
import io.github.delayqueue.limits.RateLimit;
import io.github.delayqueue.listener.ListenerFixture;
import io.github.delayqueue.listener.ListenerOptions;
import io.github.delayqueue.listener.TaskHandler;
import io.github.delayqueue.listener.TaskResult;
import io.github.delayqueue.options.QueueOptions;
import io.github.delayqueue.roles.QueueView;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.testsupport.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Three instances keep together to what is for all of them. They have to come back by
 * themselves: until they would poll takes longer than any test waits.
 */
class FlowLimitsIntegrationTests {

	private static final String QUEUE = "work";

	private static final int TASKS = 1500;

	private final RedisServer server = RedisServer.startNew();

	private final RedisStores stores = DriverStores.on(this.server);

	private final TaskStore store = this.stores.open();

	private final List<ListenerFixture> instances = new ArrayList<>();

	@AfterEach
	void close() {
		this.instances.forEach(ListenerFixture::close);
		this.stores.close();
		this.server.close();
	}

	@Test
	void theyKeepToTheRate() {
		int rate = 1000;
		start(QueueOptions.builder().with(RateLimit.OPTION, new RateLimit(rate, Duration.ofSeconds(1))),
				(task, context) -> TaskResult.done());
		schedule(TASKS);
		List<Look> looks = new ArrayList<>();
		await().until(() -> {
			Instant before = this.server.time();
			QueueStats stats = QueueView.of(this.store).stats(QUEUE);
			looks.add(new Look(before, stats.inFlight() + stats.totals().completed(), this.server.time()));
			return stats.totals().completed() == TASKS;
		});
		for (int from = 0; from < looks.size(); from++) {
			for (Look later : looks.subList(from + 1, looks.size())) {
				Look earlier = looks.get(from);
				// what comes in meanwhile, what was saved up for a tenth of a second, and
				// one more
				long allowed = Duration.between(earlier.before(), later.after()).plusMillis(100).toNanos() * rate
						/ 1_000_000_000 + 1;
				assertThat(later.taken() - earlier.taken()).as("taken between two looks: %s, %s", earlier, later)
					.isLessThanOrEqualTo(allowed);
			}
		}
		assertThat(QueueView.of(this.store).stats(QUEUE).totals().stale()).isZero();
	}

	@Test
	void theyKeepToTheConcurrencyAndUseIt() {
		int limit = 6;
		AtomicInteger running = new AtomicInteger();
		AtomicInteger most = new AtomicInteger();
		CountDownLatch gate = new CountDownLatch(1);
		start(QueueOptions.builder().with(GlobalConcurrency.OPTION, new GlobalConcurrency(limit)), (task, context) -> {
			most.accumulateAndGet(running.incrementAndGet(), Math::max);
			gate.await();
			running.decrementAndGet();
			return TaskResult.done();
		});
		schedule(TASKS);
		await().until(() -> running.get() == limit);
		gate.countDown();
		await().until(() -> {
			QueueStats stats = QueueView.of(this.store).stats(QUEUE);
			assertThat(stats.inFlight()).isLessThanOrEqualTo(limit);
			return stats.totals().completed() == TASKS;
		});
		assertThat(most).hasValue(limit);
		assertThat(QueueView.of(this.store).stats(QUEUE).totals().stale()).isZero();
	}

	private void start(QueueOptions.Builder options, TaskHandler<String> handler) {
		for (int i = 0; i < 3; i++) {
			ListenerFixture instance = new ListenerFixture(this.stores.open(),
					options.pollInterval(ListenerFixture.FOR_EVER).build().withDefaults(QueueOptions.DEFAULTS));
			instance.registry().register(QUEUE, String.class, handler, ListenerOptions.defaults());
			this.instances.add(instance);
		}
	}

	private void schedule(int count) {
		List<NewTask> tasks = IntStream.range(0, count)
			.mapToObj((i) -> this.instances.get(0)
				.task(QUEUE, "task-" + i, "payload", DueTime.in(Duration.ofSeconds(1)), TaskOptions.NONE))
			.toList();
		for (int from = 0; from < count; from += TaskStore.MAX_BATCH) {
			this.store.schedule(QUEUE, tasks.subList(from, Math.min(count, from + TaskStore.MAX_BATCH)));
		}
	}

	/**
	 * How many tasks were in flight or done.
	 *
	 * @param before a time before that
	 * @param taken how many
	 * @param after a time after that
	 */
	private record Look(Instant before, long taken, Instant after) {

	}

}
