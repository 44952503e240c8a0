package io.github.delayqueue.bulk;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.ScheduleOutcome;
import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.convert.TaskOptions;
import io.github.delayqueue.fixtures.Step;
import io.github.delayqueue.producer.DelayQueueTemplate;
import io.github.delayqueue.producer.EncodedTask;
import io.github.delayqueue.producer.NotReplicatedException;
import io.github.delayqueue.producer.ProducerFixture;
import io.github.delayqueue.producer.ScheduleResult;
import io.github.delayqueue.producer.TaskRequest;
import io.github.delayqueue.roles.QueueView;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.Replacement;
import io.github.delayqueue.testsupport.Patience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link AsyncSender} and {@link DelayQueueTemplate#scheduleAsync}.
 */
@Timeout(60)
class AsyncSenderTests {

	private final BulkFixture fixture = new BulkFixture();

	private final DelayQueueTemplate template = this.fixture.template;

	/** Calls of the store wait for a permit. */
	private final Semaphore permits = new Semaphore(0);

	private final CountDownLatch underWay = new CountDownLatch(1);

	@AfterEach
	void close() {
		this.permits.release(1000);
		this.template.destroy();
	}

	@Test
	void completesWithTheResult() throws Exception {
		assertThat(this.template.scheduleAsync(request("q", "a")).get())
			.isEqualTo(new ScheduleResult("q", "a", ScheduleOutcome.CREATED));
		assertThat(this.template.scheduleAsync(request("q", "a")).get().outcome()).isEqualTo(ScheduleOutcome.REPLACED);
		assertThat(this.fixture.store.find("q", "a")).isPresent();
	}

	@Test
	void requestThatCannotBeWrittenFailsItsFuture() {
		CompletableFuture<ScheduleResult> future = this.template
			.scheduleAsync(TaskRequest.queue("q").id("a").payload(ProducerFixture.unwritable()).build());
		assertThat(future).isCompletedExceptionally();
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(future::get)
			.withCauseInstanceOf(DelayQueueException.class)
			.withMessageContaining("Task 'a' for queue 'q' is not scheduled: its payload of type java.util.ArrayList");
	}

	@Test
	void storeThatCannotTellTheSourceFailsTheFuture() {
		this.fixture.store.fail(Step.SOURCE);
		CompletableFuture<ScheduleResult> future = this.template.scheduleAsync(request("q", "a"));
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(future::get)
			.withCauseInstanceOf(DelayQueueException.class);
	}

	@Test
	void collectsWhileACallIsUnderWayAndSendsTogether() throws Exception {
		holdCalls();
		List<CompletableFuture<ScheduleResult>> futures = new ArrayList<>();
		futures.add(this.template.scheduleAsync(request("q", "first")));
		this.underWay.await();
		for (int i = 0; i < 700; i++) {
			futures.add(this.template.scheduleAsync(request("q", "a" + i)));
		}
		assertThat(futures).noneMatch(CompletableFuture::isDone);
		this.permits.release(3);
		for (CompletableFuture<ScheduleResult> future : futures) {
			assertThat(future.get().outcome()).isEqualTo(ScheduleOutcome.CREATED);
		}
		assertThat(this.fixture.store.calls("schedule")).containsExactly("schedule 1", "schedule 500", "schedule 200");
	}

	@Test
	void queuesDoNotWaitForEachOther() throws Exception {
		this.fixture.store.before(Step.SCHEDULE, () -> {
			if (Thread.currentThread().getName().startsWith("delay-queue-producer-") && this.underWay.getCount() == 1) {
				this.underWay.countDown();
				this.permits.acquireUninterruptibly();
			}
		});
		CompletableFuture<ScheduleResult> held = this.template.scheduleAsync(request("slow", "a"));
		this.underWay.await();
		assertThat(this.template.scheduleAsync(request("q", "a")).get().isAccepted()).isTrue();
		assertThat(held).isNotDone();
		this.permits.release();
		assertThat(held.get().isAccepted()).isTrue();
	}

	@Test
	void callThatFailsFailsExactlyItsFutures() throws Exception {
		AtomicInteger calls = new AtomicInteger();
		this.fixture.store.before(Step.SCHEDULE, () -> {
			this.underWay.countDown();
			this.permits.acquireUninterruptibly();
			if (calls.incrementAndGet() == 2) {
				throw new DelayQueueException("q", null, "Could not reach queue 'q'");
			}
		});
		CompletableFuture<ScheduleResult> first = this.template.scheduleAsync(request("q", "first"));
		this.underWay.await();
		List<CompletableFuture<ScheduleResult>> second = new ArrayList<>();
		for (int i = 0; i < 500; i++) {
			second.add(this.template.scheduleAsync(request("q", "b" + i)));
		}
		CompletableFuture<ScheduleResult> third = this.template.scheduleAsync(request("q", "third"));
		this.permits.release(3);
		assertThat(first.get().isAccepted()).isTrue();
		assertThat(third.get().isAccepted()).isTrue();
		for (int i = 0; i < 500; i++) {
			String id = "b" + i;
			assertThatExceptionOfType(ExecutionException.class).isThrownBy(second.get(i)::get)
				.havingCause()
				.isInstanceOfSatisfying(DelayQueueException.class, (ex) -> assertThat(ex.getTaskId()).isEqualTo(id))
				.withMessage("Task '" + id + "': Could not reach queue 'q'");
		}
	}

	@Test
	void callThatFailsInAnUnexpectedWayFailsItsFuturesAndDoesNotEndTheSender() throws Exception {
		this.fixture.store.before(Step.SCHEDULE, () -> {
			throw new AssertionError("unexpected");
		});
		assertThatExceptionOfType(ExecutionException.class)
			.isThrownBy(this.template.scheduleAsync(request("q", "a"))::get)
			.withCauseInstanceOf(AssertionError.class);
		this.fixture.store.heal();
		assertThat(this.template.scheduleAsync(request("q", "a")).get().isAccepted()).isTrue();
	}

	@Test
	void bufferIsBoundedInTasks() throws Exception {
		holdCalls();
		AsyncSender sender = new AsyncSender(this.fixture.sender(), 3, 10_000);
		List<CompletableFuture<ScheduleResult>> taken = new ArrayList<>();
		for (int i = 0; i < 3; i++) {
			taken.add(sender.send(encoded("a" + i)));
		}
		CompletableFuture<ScheduleResult> refused = sender.send(encoded("b"));
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(refused::get)
			.havingCause()
			.withMessageMatching("Task 'b' for queue 'q' is not scheduled: 3 tasks \\(\\d+ bytes\\) that were scheduled"
					+ " without waiting are still to be sent; wait for their futures, or use scheduleAll");
		this.permits.release(10);
		for (CompletableFuture<ScheduleResult> future : taken) {
			assertThat(future.get().isAccepted()).isTrue();
		}
		assertThat(sender.send(encoded("b")).get().isAccepted()).isTrue();
		sender.close(Duration.ofSeconds(5));
	}

	@Test
	void bufferIsBoundedInBytesButTakesATaskOfAnySizeWhileEmpty() throws Exception {
		holdCalls();
		AsyncSender sender = new AsyncSender(this.fixture.sender(), 100, 5);
		CompletableFuture<ScheduleResult> taken = sender.send(encoded("a"));
		assertThat(sender.send(encoded("b"))).isCompletedExceptionally();
		this.permits.release();
		assertThat(taken.get().isAccepted()).isTrue();
		sender.close(Duration.ofSeconds(5));
	}

	@Test
	void actionThatWaitsForAnotherTaskOfTheSameQueueDoesNotBlockIt() throws Exception {
		CompletableFuture<ScheduleResult> chained = this.template.scheduleAsync(request("q", "a"))
			.thenApply((result) -> this.template.scheduleAsync(request("q", "b")).join());
		assertThat(chained.get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS).taskId()).isEqualTo("b");
	}

	@Test
	void eachFutureFailsWithItsOwnTask() throws Exception {
		this.fixture.store.replicas(0, 2);
		holdCalls();
		List<CompletableFuture<ScheduleResult>> futures = new ArrayList<>();
		futures.add(this.template.scheduleAsync(request("q", "a0")));
		this.underWay.await();
		for (int i = 0; i < 5; i++) {
			futures.add(this.template.scheduleAsync(request("q", "a" + i)));
		}
		this.permits.release(2);
		for (int i = 0; i < futures.size(); i++) {
			String id = "a" + Math.max(0, i - 1);
			ScheduleOutcome outcome = (i == 1) ? ScheduleOutcome.REPLACED : ScheduleOutcome.CREATED;
			assertThatExceptionOfType(ExecutionException.class).isThrownBy(futures.get(i)::get)
				.havingCause()
				.isInstanceOfSatisfying(NotReplicatedException.class, (ex) -> {
					assertThat(ex.getTaskId()).isEqualTo(id);
					assertThat(ex.getMessage()).startsWith("Task '" + id + "' is stored in queue 'q'");
					assertThat(ex.getResults()).containsExactly(new ScheduleResult("q", id, outcome));
				});
		}
		assertThat(this.fixture.store.calls("schedule")).containsExactly("schedule 1", "schedule 5");
	}

	@Test
	void stopSendsWhatIsWaitingAndTheTemplateGoesOnWorking() throws Exception {
		this.template.start();
		List<CompletableFuture<ScheduleResult>> futures = sendWhileHeld(50);
		this.permits.release(100);
		this.template.stop();
		assertThat(futures).allMatch(CompletableFuture::isDone);
		assertThat(QueueView.of(this.fixture.store).stats("q").waiting()).isEqualTo(50);
		this.template.start();
		assertThat(this.template.scheduleAsync(request("q", "later")).get().isAccepted()).isTrue();
	}

	@Test
	void destroySendsWhatIsWaitingAndRefusesMore() throws Exception {
		List<CompletableFuture<ScheduleResult>> futures = sendWhileHeld(50);
		this.permits.release(100);
		this.template.destroy();
		assertThat(futures).allMatch(CompletableFuture::isDone);
		assertThat(QueueView.of(this.fixture.store).stats("q").waiting()).isEqualTo(50);
		assertThatExceptionOfType(ExecutionException.class)
			.isThrownBy(this.template.scheduleAsync(request("q", "later"))::get)
			.withMessageContaining("is not scheduled: the template is closed");
	}

	@Test
	void whatCouldNotBeSentWhenClosedFails() throws Exception {
		holdCalls();
		AsyncSender sender = new AsyncSender(this.fixture.sender(), 100_000, 1_000_000);
		CompletableFuture<ScheduleResult> first = sender.send(encoded("first"));
		this.underWay.await();
		CompletableFuture<ScheduleResult> second = sender.send(encoded("second"));
		sender.close(Duration.ofMillis(20));
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(second::get)
			.havingCause()
			.withMessage("Task 'second': Not scheduled: the template was closed, and the store did not take it within"
					+ " 20ms");
		this.permits.release();
		assertThat(first.get().isAccepted()).isTrue();
	}

	private List<CompletableFuture<ScheduleResult>> sendWhileHeld(int count) {
		holdCalls();
		List<CompletableFuture<ScheduleResult>> futures = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			futures.add(this.template.scheduleAsync(request("q", "a" + i)));
		}
		return futures;
	}

	private void holdCalls() {
		this.fixture.store.before(Step.SCHEDULE, () -> {
			this.underWay.countDown();
			this.permits.acquireUninterruptibly();
		});
	}

	private EncodedTask encoded(String id) {
		byte[] envelope = this.fixture.codec.writeEnvelope("q", id, null, Map.of(), TaskOptions.NONE, 10);
		return new EncodedTask("q",
				new NewTask(id, envelope, DueTime.in(Duration.ofMinutes(1)), TaskPriority.NORMAL, Replacement.REPLACE));
	}

	private static TaskRequest request(String queue, String id) {
		return TaskRequest.queue(queue).id(id).payload(id).delay(Duration.ofMinutes(1)).build();
	}

}
