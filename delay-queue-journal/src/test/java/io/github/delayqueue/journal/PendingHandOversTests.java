package io.github.delayqueue.journal;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import io.github.delayqueue.ScheduleOutcome;
import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.Replacement;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.store.memory.InMemoryTaskStore;
import io.github.delayqueue.testsupport.Patience;

import static org.assertj.core.api.Assertions.assertThat;

class PendingHandOversTests {

	private static final Duration LONG = Duration.ofHours(1);

	private final ExecutorService executor = Executors.newSingleThreadExecutor();

	/** The sender waits for it. */
	private final CountDownLatch open = new CountDownLatch(1);

	/** How often the sender has been called. */
	private final AtomicInteger begun = new AtomicInteger();

	private final List<String> sent = new ArrayList<>();

	private final PendingHandOvers pending = new PendingHandOvers(this::send);

	private void send(List<FreshTask> tasks) {
		this.begun.incrementAndGet();
		try {
			assertThat(this.open.await(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		synchronized (this.sent) {
			this.sent.add(tasks.get(0).arrival().taskId() + "+" + tasks.size());
		}
	}

	@AfterEach
	void stop() {
		this.open.countDown();
		this.executor.shutdownNow();
	}

	@Test
	void callerSendsWhatNobodyElseDoes() {
		this.open.countDown();
		this.pending.add(tasks(0, 1), LONG, this.executor);
		this.executor.shutdown();
		this.pending.add(tasks(1, 1), Duration.ZERO, this.executor);
		assertThat(this.sent).containsExactly("0+2");
	}

	@Test
	void callerSendsWhatNoThreadCanBeStartedFor() {
		this.open.countDown();
		this.pending.add(tasks(0, 1), Duration.ZERO, (task) -> {
			throw new OutOfMemoryError("for a test");
		});
		assertThat(this.sent).containsExactly("0+1");
	}

	@Test
	void nobodyWaitsForWhatAnErrorHasEnded() {
		ExecutorService silent = Executors.newSingleThreadExecutor((task) -> {
			Thread thread = new Thread(task);
			thread.setUncaughtExceptionHandler((ended, error) -> assertThat(error).hasMessage("for a test"));
			return thread;
		});
		try {
			List<String> later = new ArrayList<>();
			AtomicBoolean begun = new AtomicBoolean();
			PendingHandOvers failing = new PendingHandOvers((tasks) -> {
				begun.set(true);
				if (tasks.get(0).arrival().taskId().equals("0")) {
					throw new StackOverflowError("for a test");
				}
				later.add(tasks.get(0).arrival().taskId());
			});
			failing.add(tasks(0, 1), Duration.ZERO, silent);
			Awaitility.await().untilTrue(begun);
			failing.add(tasks(1, 1), LONG, silent);
			failing.send();
			assertThat(later).containsExactly("1");
		}
		finally {
			silent.shutdownNow();
		}
	}

	@Test
	void whatComesMeanwhileIsSentTogetherAndInOrder() {
		this.pending.add(tasks(0, 1), Duration.ZERO, this.executor);
		Awaitility.await().until(() -> this.begun.get() == 1);
		this.pending.add(tasks(1, 2), Duration.ZERO, this.executor);
		this.pending.add(tasks(3, 1), Duration.ZERO, this.executor);
		this.open.countDown();
		this.pending.send();
		assertThat(this.sent).containsExactly("0+1", "1+3");
	}

	@Test
	void whatIsLeftWhenAnExecutorIsStoppedIsSentByTheNextOne() {
		InMemoryTaskStore store = new InMemoryTaskStore(Clock.systemUTC());
		HandOver handOver = new HandOver(store, new DatabaseClock(Clock.systemUTC()), LONG, (queue) -> false);
		handOver.start((task) -> {
			// as one that is being stopped
		});
		handOver.afterCommit("orders", tasks(0, 1));
		assertThat(store.find("orders", "0")).isEmpty();
		handOver.start(Runnable::run);
		assertThat(store.find("orders", "0")).isPresent();
	}

	@Test
	void batchesAreAsLargeAsTheStoreTakesThem() {
		this.open.countDown();
		this.pending.add(tasks(0, TaskStore.MAX_BATCH + 1), LONG, this.executor);
		this.pending.send();
		assertThat(this.sent).containsExactly("0+" + TaskStore.MAX_BATCH, TaskStore.MAX_BATCH + "+1");
	}

	@Test
	void batchWaitsForOthersUntilSomebodyIsInAHurry() {
		this.open.countDown();
		this.pending.add(tasks(0, 1), LONG, this.executor);
		this.pending.add(tasks(1, 1), Duration.ZERO, this.executor);
		awaitSent("0+2");
		this.pending.add(tasks(2, 1), LONG, this.executor);
		this.pending.send();
		assertThat(this.sent).containsExactly("0+2", "2+1");
		this.pending.add(tasks(3, TaskStore.MAX_BATCH), LONG, this.executor);
		awaitSent("3+" + TaskStore.MAX_BATCH);
	}

	@Test
	void batchDoesNotWaitForLong() {
		this.open.countDown();
		this.pending.add(tasks(0, 1), Duration.ofMillis(20), this.executor);
		awaitSent("0+1");
	}

	private void awaitSent(String batch) {
		Awaitility.await().untilAsserted(() -> {
			synchronized (this.sent) {
				assertThat(this.sent).endsWith(batch);
			}
		});
	}

	@Test
	void whatOthersAreSendingIsWaitedFor() {
		this.pending.add(tasks(0, 1), Duration.ZERO, this.executor);
		Awaitility.await().until(() -> this.begun.get() == 1);
		Thread waiting = new Thread(this.pending::send);
		waiting.start();
		Awaitility.await().until(() -> waiting.getState() == Thread.State.WAITING);
		this.open.countDown();
		Awaitility.await().until(() -> !waiting.isAlive());
		assertThat(this.sent).hasSize(1);
	}

	@Test
	void callersWaitWhileTooMuchIsOnItsWay() {
		this.pending.add(tasks(0, 500), LONG, this.executor);
		Awaitility.await().until(() -> this.begun.get() == 1);
		IntStream.range(1, 11).forEach((i) -> this.pending.add(tasks(i * 500, 500), LONG, this.executor));
		Thread waiting = new Thread(() -> this.pending.add(tasks(5500, 1), LONG, this.executor));
		waiting.start();
		Awaitility.await().until(() -> waiting.getState() == Thread.State.WAITING);
		this.open.countDown();
		Awaitility.await().until(() -> !waiting.isAlive());
		assertThat(this.sent).endsWith("5500+1");
	}

	@Test
	void interruptedCallerDoesNotWait() {
		this.pending.add(tasks(0, 1), LONG, this.executor);
		Thread.currentThread().interrupt();
		this.pending.send();
		assertThat(Thread.interrupted()).isTrue();
		assertThat(this.sent).isEmpty();
	}

	private static List<FreshTask> tasks(int from, int count) {
		return IntStream.range(from, from + count).mapToObj(PendingHandOversTests::task).toList();
	}

	private static FreshTask task(int number) {
		NewTask task = new NewTask(String.valueOf(number), new byte[] { '{', '}' }, new DueTime(false, 0),
				TaskPriority.NORMAL, Replacement.REPLACE);
		return new FreshTask(new Arrival(task, Instant.EPOCH), new WriteResult(ScheduleOutcome.CREATED, 1));
	}

}
