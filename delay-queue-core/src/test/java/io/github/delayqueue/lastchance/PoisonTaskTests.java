package io.github.delayqueue.lastchance;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import io.github.delayqueue.DeadReason;
import io.github.delayqueue.DelayedTask;
import io.github.delayqueue.QueueStats;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.fixtures.FaultyTaskStore;
import io.github.delayqueue.fixtures.Step;
import io.github.delayqueue.listener.ListenerFixture;
import io.github.delayqueue.listener.ListenerOptions;
import io.github.delayqueue.listener.TaskContext;
import io.github.delayqueue.listener.TaskResult;
import io.github.delayqueue.store.StoredTask;
import io.github.delayqueue.store.memory.InMemoryTaskStore;
import io.github.delayqueue.testsupport.MutableClock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A task that ends its process each time it is delivered, among others that do nothing
 * wrong. The process that ends is an instance that does not get through to the store any
 * more.
 */
class PoisonTaskTests {

	private static final String QUEUE = "poison";

	private static final Duration LEASE_DURATION = Duration.ofSeconds(30);

	private static final ListenerOptions OPTIONS = ListenerOptions.builder()
		.leaseDuration(LEASE_DURATION)
		.concurrency(8)
		.build();

	private final MutableClock clock = new MutableClock(Instant.parse("2026-01-01T00:00:00Z"));

	private final InMemoryTaskStore store = new InMemoryTaskStore(this.clock);

	private final Set<String> handled = ConcurrentHashMap.newKeySet();

	private final List<Life> lives = new ArrayList<>();

	@AfterEach
	void endLives() {
		this.lives.forEach(Life::end);
	}

	@Test
	void endsInDeadAndItsNeighboursAreHandled() {
		try (ListenerFixture producer = new ListenerFixture(this.store)) {
			producer.schedule(QUEUE, "poison", "", Duration.ZERO);
			for (int i = 0; i < 7; i++) {
				producer.schedule(QUEUE, "innocent-" + i, "", Duration.ZERO);
			}
		}
		while (isUnfinished()) {
			assertThat(this.lives).as("processes the poison has ended").hasSizeLessThan(12);
			Life life = new Life();
			this.lives.add(life);
			await().until(() -> life.isOver() || !isUnfinished());
			// the leases it leaves run out
			this.clock.advance(LEASE_DURATION);
		}
		assertThat(this.store.list(QUEUE, TaskState.DEAD, 0, 10)).extracting(StoredTask::id).containsExactly("poison");
		StoredTask poison = this.store.find(QUEUE, "poison").orElseThrow();
		assertThat(poison.leasesLost()).isEqualTo(5);
		assertThat(new String(poison.failure(), StandardCharsets.UTF_8)).contains(DeadReason.LEASES_EXHAUSTED.name());
		assertThat(this.handled).hasSize(7);
	}

	private boolean isUnfinished() {
		QueueStats stats = this.store.stats(QUEUE);
		return stats.waiting() + stats.inFlight() > 0;
	}

	/** An instance until the poison is delivered. */
	private final class Life {

		private final FaultyTaskStore connection = new FaultyTaskStore(PoisonTaskTests.this.store);

		private final CountDownLatch over = new CountDownLatch(1);

		private final CountDownLatch ended = new CountDownLatch(1);

		private final ListenerFixture instance = new ListenerFixture(this.connection, ListenerFixture.defaults(),
				ListenerFixture.threads(), List.of(new LastChanceGuard()));

		private Life() {
			this.instance.registry().register(QUEUE, String.class, this::handle, OPTIONS);
		}

		private TaskResult handle(DelayedTask<String> task, TaskContext context) throws InterruptedException {
			if (task.id().equals("poison")) {
				this.connection.fail(Step.CLAIM, Step.SETTLE, Step.EXTEND);
				this.over.countDown();
			}
			// a neighbour that is delivered together with the poison does not outlive it
			if (this.over.await(50, TimeUnit.MILLISECONDS)) {
				this.ended.await();
				return TaskResult.retry();
			}
			PoisonTaskTests.this.handled.add(task.id());
			return TaskResult.done();
		}

		boolean isOver() {
			return this.over.getCount() == 0;
		}

		void end() {
			this.connection.heal();
			this.ended.countDown();
			this.instance.close();
		}

	}

}
