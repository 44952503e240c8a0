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

	private final List<String> sent = new ArrayList<>();

	private final PendingHandOvers pending = new PendingHandOvers(this::send, Duration.ZERO);

	private void send(String queue, List<Fresh> tasks) {
		try {
			assertThat(this.open.await(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		synchronized (this.sent) {
			this.sent.add(queue + ":" + tasks.get(0).task().id() + "+" + tasks.size());
		}
	}

	@AfterEach
	void stop() {
		this.open.countDown();
		this.executor.shutdownNow();
	}

	@Test
	void nothingIsTakenUnlessItWasStarted() {
		assertThat(this.pending.add("a", tasks(0, 1), false)).isFalse();
		this.pending.start(this.executor);
		assertThat(this.pending.add("a", tasks(0, 1), false)).isTrue();
		this.pending.stop();
		assertThat(this.pending.add("a", tasks(1, 1), false)).isFalse();
	}

	@Test
	void nothingIsTakenThatTheExecutorRefuses() {
		this.pending.start(this.executor);
		this.executor.shutdown();
		assertThat(this.pending.add("a", tasks(0, 1), false)).isFalse();
		this.pending.await("a");
	}

	@Test
	void nobodyWaitsForWhatAnErrorHasEnded() {
		List<String> later = new ArrayList<>();
		PendingHandOvers failing = new PendingHandOvers((queue, tasks) -> {
			if (queue.equals("a")) {
				throw new StackOverflowError("for a test");
			}
			later.add(queue);
		}, Duration.ZERO);
		ExecutorService silent = Executors.newSingleThreadExecutor((task) -> {
			Thread thread = new Thread(task);
			thread.setUncaughtExceptionHandler((ended, error) -> assertThat(error).hasMessage("for a test"));
			return thread;
		});
		try {
			failing.start(silent);
			failing.add("a", tasks(0, 1), false);
			failing.await("a");
			assertThat(failing.add("b", tasks(1, 1), false)).isTrue();
			failing.await("b");
			assertThat(later).containsExactly("b");
		}
		finally {
			silent.shutdownNow();
		}
	}

	@Test
	void whatComesMeanwhileIsSentTogetherAndInOrder() {
		this.pending.start(this.executor);
		this.pending.add("a", tasks(0, 1), false);
		Awaitility.await().until(() -> this.pending.isEmpty());
		this.pending.add("a", tasks(1, 2), false);
		this.pending.add("b", tasks(3, 1), false);
		this.pending.add("a", tasks(4, 1), false);
		this.open.countDown();
		this.pending.await("a");
		this.pending.await("b");
		assertThat(this.sent).containsExactly("a:0+1", "a:1+3", "b:3+1");
	}

	@Test
	void batchesAreAsLargeAsTheStoreTakesThem() {
		this.pending.start(this.executor);
		this.open.countDown();
		this.pending.add("a", tasks(0, TaskStore.MAX_BATCH + 1), false);
		this.pending.await("a");
		assertThat(this.sent).containsExactly("a:0+" + TaskStore.MAX_BATCH, "a:" + TaskStore.MAX_BATCH + "+1");
	}

	@Test
	void batchWaitsForOthersUntilSomebodyIsInAHurry() {
		PendingHandOvers lingering = new PendingHandOvers(this::send, Duration.ofHours(1));
		lingering.start(this.executor);
		this.open.countDown();
		lingering.add("a", tasks(0, 1), false);
		lingering.add("a", tasks(1, 1), true);
		awaitSent("a:0+2");
		lingering.add("a", tasks(2, 1), false);
		lingering.add("b", tasks(3, 1), false);
		lingering.await("b");
		assertThat(this.sent).containsExactly("a:0+2", "a:2+1", "b:3+1");
		lingering.add("a", tasks(4, TaskStore.MAX_BATCH), false);
		awaitSent("a:4+" + TaskStore.MAX_BATCH);
		lingering.add("a", tasks(504, 1), false);
		lingering.stop();
		awaitSent("a:504+1");
	}

	@Test
	void batchDoesNotWaitForLong() {
		PendingHandOvers lingering = new PendingHandOvers(this::send, Duration.ofMillis(20));
		lingering.start(this.executor);
		this.open.countDown();
		lingering.add("a", tasks(0, 1), false);
		awaitSent("a:0+1");
	}

	private void awaitSent(String batch) {
		Awaitility.await().untilAsserted(() -> {
			synchronized (this.sent) {
				assertThat(this.sent).endsWith(batch);
			}
		});
	}

	@Test
	void oneQueueIsNotWaitedForWithAnother() {
		this.pending.start(this.executor);
		this.pending.add("a", tasks(0, 1), false);
		this.pending.await("b");
		assertThat(this.sent).isEmpty();
	}

	@Test
	void waitingEndsWhenAllThatWasThereIsSent() {
		this.pending.start(this.executor);
		this.pending.add("a", tasks(0, 1), false);
		Thread waiting = new Thread(() -> this.pending.await("a"));
		waiting.start();
		Awaitility.await().until(() -> waiting.getState() == Thread.State.WAITING);
		this.open.countDown();
		Awaitility.await().until(() -> !waiting.isAlive());
		assertThat(this.sent).hasSize(1);
	}

	@Test
	void callersWaitWhileTooMuchIsOnItsWay() {
		this.pending.start(this.executor);
		IntStream.range(0, 10).forEach((i) -> this.pending.add("a", tasks(i * 500, 500), false));
		Thread waiting = new Thread(() -> this.pending.add("a", tasks(5000, 1), false));
		waiting.start();
		Awaitility.await().until(() -> waiting.getState() == Thread.State.WAITING);
		this.open.countDown();
		Awaitility.await().until(() -> !waiting.isAlive());
		this.pending.await("a");
		assertThat(this.sent).endsWith("a:5000+1");
	}

	@Test
	void interruptedCallerDoesNotWait() {
		this.pending.start(this.executor);
		this.pending.add("a", tasks(0, 1), false);
		Thread.currentThread().interrupt();
		this.pending.await("a");
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
