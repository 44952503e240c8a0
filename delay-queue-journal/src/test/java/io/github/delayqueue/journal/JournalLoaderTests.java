package io.github.delayqueue.journal;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import io.github.delayqueue.StoreUnavailableException;
import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.event.TaskEvents;
import io.github.delayqueue.roles.Epoch;
import io.github.delayqueue.store.Replacement;
import io.github.delayqueue.store.WholeStore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What the loaders of instances do for all queues, and share.
 */
class JournalLoaderTests {

	private static final byte[] ENVELOPE = "{}".getBytes(StandardCharsets.UTF_8);

	@AutoClose
	private final JournalFixture fixture = new JournalFixture();

	private final JournalLoader loader = new JournalLoader(this.fixture.store, TaskEvents.NONE);

	@Test
	void queueIsLoadedIfAnotherInstanceHasDiedWithItsEpoch() {
		begin("orders");
		Deque<Runnable> neverRun = new ArrayDeque<>();
		JournalLoader died = new JournalLoader(this.fixture.instance(), TaskEvents.NONE);
		died.round(Runnable::run);
		this.fixture.clock.advance(Duration.ofSeconds(1));
		died.round(neverRun::add);
		write("orders", "a");
		this.fixture.clock.advance(Duration.ofSeconds(5));
		this.loader.round(Runnable::run);
		assertThat(isLoaded("orders", "a")).isTrue();
	}

	@Test
	void queueIsLoadedByOthersWhileAnInstanceDoesNotReachTheStore() {
		begin("orders");
		JournaledTaskStore cutOff = this.fixture.instance(new WholeStore(this.fixture.below) {

			@Override
			public Epoch beat(String partition, Epoch known, String incarnation) {
				throw new StoreUnavailableException(partition, null, "for a test", null);
			}

		}, this.fixture.clock);
		JournalLoader failing = new JournalLoader(cutOff, TaskEvents.NONE);
		failing.round(Runnable::run);
		write("orders", "a");
		this.fixture.clock.advance(Duration.ofSeconds(5));
		for (int second = 0; second < 2; second++) {
			failing.round(Runnable::run);
			this.fixture.clock.advance(Duration.ofMillis(1));
			this.loader.round(Runnable::run);
			this.fixture.clock.advance(Duration.ofMillis(999));
		}
		assertThat(isLoaded("orders", "a")).isTrue();
	}

	@Test
	void queuesWhoseStoreDoesNotAnswerKeepNoOtherWaiting() throws InterruptedException {
		CountDownLatch answer = new CountDownLatch(1);
		JournaledTaskStore store = this.fixture.instance(new WholeStore(this.fixture.below) {

			@Override
			public Epoch beat(String partition, Epoch known, String incarnation) {
				if (partition.startsWith("hanging")) {
					await().until(() -> answer.getCount() == 0);
				}
				return super.beat(partition, known, incarnation);
			}

		}, this.fixture.clock);
		JournalLoader loader = new JournalLoader(store, TaskEvents.NONE);
		List<String> queues = new ArrayList<>();
		for (int i = 0; i < 10; i++) {
			queues.add("hanging-" + i);
			queues.add("well-" + i);
		}
		queues.forEach(this::begin);
		for (int i = 0; i < 10; i++) {
			write("well-" + i, "a");
		}
		this.fixture.clock.advance(Duration.ofSeconds(5));
		ExecutorService threads = Executors.newCachedThreadPool();
		try {
			for (int round = 0; round < 6; round++) {
				loader.round(threads);
				this.fixture.clock.advance(Duration.ofSeconds(1));
			}
			for (int i = 0; i < 10; i++) {
				String queue = "well-" + i;
				await().until(() -> isLoaded(queue, "a"));
			}
		}
		finally {
			answer.countDown();
			threads.shutdown();
		}
	}

	@Test
	void whatAppearsWhereEverythingWasLookedAtIsFoundAfterAWhile() {
		begin("orders");
		this.fixture.clock.advance(Duration.ofMinutes(1));
		write("orders", "first");
		this.fixture.clock.advance(Duration.ofSeconds(5));
		this.loader.round(Runnable::run);
		assertThat(isLoaded("orders", "first")).isTrue();
		long committedLate = this.fixture.clock.millis() - 20_000;
		write("orders", "a");
		this.fixture.jdbc.sql("UPDATE delay_queue_task SET check_at = ? WHERE task_id = 'a'")
			.param(committedLate)
			.update();
		List<Boolean> loaded = new ArrayList<>();
		for (int second = 0; second < 30; second++) {
			this.fixture.clock.advance(Duration.ofSeconds(1));
			this.loader.round(Runnable::run);
			loaded.add(isLoaded("orders", "a"));
		}
		assertThat(loaded).as("looks need not walk over what is done").startsWith(false).endsWith(true);
	}

	@Test
	void whatAnInstanceThatIsStoppedHasNotBegunIsLeftToOthers() {
		begin("orders");
		JournalLoader stopped = new JournalLoader(this.fixture.instance(), TaskEvents.NONE);
		stopped.round(Runnable::run);
		this.fixture.clock.advance(Duration.ofSeconds(1));
		stopped.round((step) -> {
			throw new RejectedExecutionException();
		});
		long before = beat("orders");
		this.loader.round(Runnable::run);
		assertThat(beat("orders")).isEqualTo(before + 1);
	}

	@Test
	void loaderGoesOnWhenThreadsCanBeStartedAgain() {
		begin("orders");
		for (int second = 0; second < 100; second++) {
			this.loader.round((step) -> {
				throw new OutOfMemoryError("unable to create native thread");
			});
			this.fixture.clock.advance(Duration.ofSeconds(1));
		}
		write("orders", "a");
		this.fixture.clock.advance(Duration.ofSeconds(5));
		this.loader.round(Runnable::run);
		this.fixture.clock.advance(Duration.ofSeconds(1));
		this.loader.round(Runnable::run);
		assertThat(isLoaded("orders", "a")).isTrue();
	}

	private long beat(String queue) {
		return this.fixture.jdbc.sql("SELECT beat FROM delay_queue_epoch WHERE partition_name = ?")
			.param(queue)
			.query(Long.class)
			.single();
	}

	/** Let the loader know of queues. */
	private void begin(String... queues) {
		for (String queue : queues) {
			this.fixture.store.isJournaled(queue);
		}
		this.loader.round(Runnable::run);
		this.fixture.clock.advance(Duration.ofSeconds(1));
	}

	/** As another instance does that dies then. */
	private void write(String queue, String id) {
		Arrival entry = JournalTableFixture.arrival(id, ENVELOPE, this.fixture.clock.millis(), TaskPriority.NORMAL,
				Replacement.REPLACE, false);
		this.fixture.transaction
			.executeWithoutResult((status) -> this.fixture.parts.table().write(queue, List.of(entry), -1));
	}

	private boolean isLoaded(String queue, String id) {
		return this.fixture.memory.find(queue, id).isPresent();
	}

}
