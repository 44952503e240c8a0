package io.github.delayqueue.journal;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.StoreUnavailableException;
import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.Replacement;
import io.github.delayqueue.testsupport.Patience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class SharedWritesTests {

	private final ExecutorService threads = Executors.newCachedThreadPool();

	/** The statement of task 0 waits for it. */
	private final CountDownLatch open = new CountDownLatch(1);

	/** What was tried to be written together, in the order of the attempts. */
	private final List<String> statements = Collections.synchronizedList(new ArrayList<>());

	private final SharedWrites writes = new SharedWrites(this::write);

	/** Statements with it fail. */
	private volatile String rejected = "none";

	private volatile RuntimeException failure = new DelayQueueException("a", null, "rejected");

	private void write(String queue, List<Arrival> tasks) {
		List<String> ids = tasks.stream().map((arrival) -> arrival.task().id()).toList();
		this.statements.add(queue + ids);
		if (ids.contains("0")) {
			await(this.open);
		}
		if (ids.contains(this.rejected)) {
			throw this.failure;
		}
	}

	private static void await(CountDownLatch latch) {
		try {
			assertThat(latch.await(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@AfterEach
	void stop() {
		this.open.countDown();
		this.threads.shutdownNow();
	}

	@Test
	void taskThatComesAloneIsWrittenByItself() throws Exception {
		this.open.countDown();
		schedule("a", "0").get();
		schedule("a", "1").get();
		assertThat(this.statements).containsExactly("a[0]", "a[1]");
	}

	@Test
	void whatComesMeanwhileIsWrittenTogether() throws Exception {
		List<Future<?>> calls = scheduleBehindTheFirst("1", "2", "3");
		assertThat(calls).noneMatch(Future::isDone);
		this.open.countDown();
		for (Future<?> call : calls) {
			call.get();
		}
		assertThat(this.statements).containsExactly("a[0]", "a[1, 2, 3]");
	}

	@Test
	void otherQueuesDoNotWait() throws Exception {
		schedule("a", "0");
		Awaitility.await().until(() -> !this.statements.isEmpty());
		schedule("b", "1").get();
		assertThat(this.statements).containsExactly("a[0]", "b[1]");
	}

	@Test
	void onlyWhoIsToBlameLearnsOfAFailure() throws Exception {
		this.rejected = "2";
		List<Future<?>> calls = scheduleBehindTheFirst("1", "2", "3");
		this.open.countDown();
		calls.get(0).get();
		calls.get(2).get();
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> calls.get(1).get())
			.withCauseInstanceOf(DelayQueueException.class);
		assertThat(this.statements).startsWith("a[0]", "a[1, 2, 3]").contains("a[1]", "a[2]", "a[3]").hasSize(5);
	}

	@Test
	void whoHasComeFirstAloneLearnsOfAFailureAtOnce() {
		this.open.countDown();
		this.rejected = "1";
		assertThatExceptionOfType(DelayQueueException.class).isThrownBy(() -> this.writes.write("a", arrival("1")));
		assertThat(this.statements).containsExactly("a[1]");
		this.writes.write("a", arrival("2"));
	}

	@Test
	void databaseThatIsOutOfReachIsSoForAll() throws Exception {
		this.rejected = "2";
		this.failure = new StoreUnavailableException("a", null, "out of reach", null);
		List<Future<?>> calls = scheduleBehindTheFirst("1", "2", "3");
		this.open.countDown();
		List<Throwable> causes = new ArrayList<>();
		for (Future<?> call : calls) {
			assertThatExceptionOfType(ExecutionException.class).isThrownBy(call::get)
				.satisfies((ex) -> causes.add(ex.getCause()));
		}
		assertThat(causes).doesNotHaveDuplicates()
			.allSatisfy((cause) -> assertThat(cause).isInstanceOf(StoreUnavailableException.class)
				.hasMessageContaining("out of reach"));
		assertThat(this.statements).containsExactly("a[0]", "a[1, 2, 3]");
	}

	@Test
	void errorOfOneThreadDoesNotHoldOthersUp() throws Exception {
		SharedWrites failing = new SharedWrites((queue, tasks) -> {
			write(queue, tasks);
			if (tasks.size() > 1) {
				throw new StackOverflowError("for a test");
			}
		});
		List<Future<?>> calls = scheduleBehindTheFirst(failing, "1", "2");
		this.open.countDown();
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> calls.get(0).get())
			.withCauseInstanceOf(StackOverflowError.class);
		calls.get(1).get();
	}

	@Test
	void interruptedThreadIsNoReasonForOthersToFail() throws Exception {
		List<Future<?>> calls = new ArrayList<>();
		SharedWrites interrupted = new SharedWrites((queue, tasks) -> {
			write(queue, tasks);
			if (tasks.size() > 1) {
				Thread.currentThread().interrupt();
				throw new StoreUnavailableException("a", null, "interrupted", null);
			}
		});
		calls.addAll(scheduleBehindTheFirst(interrupted, "1", "2"));
		this.open.countDown();
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> calls.get(0).get())
			.withCauseInstanceOf(StoreUnavailableException.class);
		calls.get(1).get();
	}

	@Test
	void statementHasNoMoreTasksThanAStoreTakes() throws Exception {
		List<Future<?>> calls = scheduleBehindTheFirst(
				IntStream.rangeClosed(1, 600).mapToObj(String::valueOf).toArray(String[]::new));
		this.open.countDown();
		for (Future<?> call : calls) {
			call.get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
		}
		assertThat(this.statements).hasSize(3);
	}

	private List<Future<?>> scheduleBehindTheFirst(String... ids) {
		return scheduleBehindTheFirst(this.writes, ids);
	}

	/** One after the other, while the statement of task 0 is under way. */
	private List<Future<?>> scheduleBehindTheFirst(SharedWrites writes, String... ids) {
		List<Future<?>> calls = new ArrayList<>();
		this.threads.submit(() -> writes.write("a", arrival("0")));
		Awaitility.await().until(() -> !this.statements.isEmpty());
		for (String id : ids) {
			FutureTask<?> call = new FutureTask<>(() -> writes.write("a", arrival(id)), null);
			calls.add(call);
			Thread thread = new Thread(call);
			thread.start();
			Awaitility.await()
				.pollInterval(Duration.ofMillis(1))
				.until(() -> thread.getState() == Thread.State.WAITING);
		}
		return calls;
	}

	private Future<?> schedule(String queue, String id) {
		return this.threads.submit(() -> this.writes.write(queue, arrival(id)));
	}

	private static Arrival arrival(String id) {
		return new Arrival(new NewTask(id, new byte[] { '{', '}' }, new DueTime(false, 0), TaskPriority.NORMAL,
				Replacement.REPLACE, true), Instant.EPOCH);
	}

}
