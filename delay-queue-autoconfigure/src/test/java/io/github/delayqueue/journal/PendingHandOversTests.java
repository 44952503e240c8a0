package io.github.delayqueue.journal;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.journal.HandOver.Fresh;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.DuplicatePolicy;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.testsupport.Patience;

import static org.assertj.core.api.Assertions.assertThat;

class PendingHandOversTests {

	private final ExecutorService executor = Executors.newSingleThreadExecutor();

	/** The sender waits for it. */
	private final CountDownLatch open = new CountDownLatch(1);

	private volatile boolean taking = true;

	private final List<String> sent = new ArrayList<>();

	private final PendingHandOvers pending = pending(Duration.ZERO);

	private PendingHandOvers pending(Duration linger) {
		return new PendingHandOvers(() -> this.taking ? this.executor : null, this::send, linger);
	}

	private void send(List<Fresh> tasks) {
		try {
			assertThat(this.open.await(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		synchronized (this.sent) {
			this.sent.add(tasks.get(0).task().id() + "+" + tasks.size());
		}
	}

	@AfterEach
	void stop() {
		this.open.countDown();
		this.executor.shutdownNow();
	}

	@Test
	void nothingIsTakenUnlessItWasStarted() {
		this.taking = false;
		assertThat(this.pending.add(tasks(0, 1), false)).isFalse();
		this.taking = true;
		assertThat(this.pending.add(tasks(0, 1), false)).isTrue();
		this.taking = false;
		assertThat(this.pending.add(tasks(1, 1), false)).isFalse();
	}

	@Test
	void nothingIsTakenThatTheExecutorRefuses() {
		this.executor.shutdown();
		assertThat(this.pending.add(tasks(0, 1), false)).isFalse();
		this.pending.await();
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
			PendingHandOvers failing = new PendingHandOvers(() -> silent, (tasks) -> {
				if (tasks.get(0).task().id().equals("0")) {
					throw new StackOverflowError("for a test");
				}
				later.add(tasks.get(0).task().id());
			}, Duration.ZERO);
			failing.add(tasks(0, 1), false);
			failing.await();
			assertThat(failing.add(tasks(1, 1), false)).isTrue();
			failing.await();
			assertThat(later).containsExactly("1");
		}
		finally {
			silent.shutdownNow();
		}
	}

	@Test
	void whatComesMeanwhileIsSentTogetherAndInOrder() {
		this.pending.add(tasks(0, 1), false);
		Awaitility.await().until(() -> this.pending.isEmpty());
		this.pending.add(tasks(1, 2), false);
		this.pending.add(tasks(3, 1), false);
		this.open.countDown();
		this.pending.await();
		assertThat(this.sent).containsExactly("0+1", "1+3");
	}

	@Test
	void batchesAreAsLargeAsTheStoreTakesThem() {
		this.open.countDown();
		this.pending.add(tasks(0, TaskStore.MAX_BATCH + 1), false);
		this.pending.await();
		assertThat(this.sent).containsExactly("0+" + TaskStore.MAX_BATCH, TaskStore.MAX_BATCH + "+1");
	}

	@Test
	void batchWaitsForOthersUntilSomebodyIsInAHurry() {
		PendingHandOvers lingering = pending(Duration.ofHours(1));
		this.open.countDown();
		lingering.add(tasks(0, 1), false);
		lingering.add(tasks(1, 1), true);
		awaitSent("0+2");
		lingering.add(tasks(2, 1), false);
		lingering.await();
		assertThat(this.sent).containsExactly("0+2", "2+1");
		lingering.add(tasks(3, TaskStore.MAX_BATCH), false);
		awaitSent("3+" + TaskStore.MAX_BATCH);
		lingering.add(tasks(503, 1), false);
		lingering.hurry();
		awaitSent("503+1");
	}

	@Test
	void batchDoesNotWaitForLong() {
		PendingHandOvers lingering = pending(Duration.ofMillis(20));
		this.open.countDown();
		lingering.add(tasks(0, 1), false);
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
	void waitingEndsWhenAllThatWasThereIsSent() {
		this.pending.add(tasks(0, 1), false);
		Thread waiting = new Thread(() -> this.pending.await());
		waiting.start();
		Awaitility.await().until(() -> waiting.getState() == Thread.State.WAITING);
		this.open.countDown();
		Awaitility.await().until(() -> !waiting.isAlive());
		assertThat(this.sent).hasSize(1);
	}

	@Test
	void callersWaitWhileTooMuchIsOnItsWay() {
		IntStream.range(0, 10).forEach((i) -> this.pending.add(tasks(i * 500, 500), false));
		Thread waiting = new Thread(() -> this.pending.add(tasks(5000, 1), false));
		waiting.start();
		Awaitility.await().until(() -> waiting.getState() == Thread.State.WAITING);
		this.open.countDown();
		Awaitility.await().until(() -> !waiting.isAlive());
		this.pending.await();
		assertThat(this.sent).endsWith("5000+1");
	}

	@Test
	void interruptedCallerDoesNotWait() {
		this.pending.add(tasks(0, 1), false);
		Thread.currentThread().interrupt();
		this.pending.await();
		assertThat(Thread.interrupted()).isTrue();
		assertThat(this.sent).isEmpty();
	}

	private static List<Fresh> tasks(int from, int count) {
		return IntStream.range(from, from + count).mapToObj(PendingHandOversTests::task).toList();
	}

	private static Fresh task(int number) {
		NewTask task = new NewTask(String.valueOf(number), new byte[] { '{', '}' }, new DueTime(false, 0),
				TaskPriority.NORMAL, DuplicatePolicy.REPLACE);
		return new Fresh(task, 1, 0, Instant.EPOCH);
	}

}
