package io.github.delayqueue.polling;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.support.GenericApplicationContext;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.fixtures.Step;
import io.github.delayqueue.fixtures.Tasks;
import io.github.delayqueue.options.QueueOptions;
import io.github.delayqueue.producer.ClaimedTask;
import io.github.delayqueue.producer.DelayQueueTemplate;
import io.github.delayqueue.producer.TaskQueue;
import io.github.delayqueue.roles.QueueControl;
import io.github.delayqueue.roles.SourceNames;
import io.github.delayqueue.testsupport.Patience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests for waiting for tasks. The poll interval is a day, so whoever is not told of a
 * task does not get it.
 */
class BlockingPollTests {

	@Test
	void queueOfATypeIsPolledToo() throws InterruptedException {
		TaskQueue<String> queue = this.template.queue("q", String.class);
		queue.schedule("a", "x", Duration.ZERO);
		queue.schedule("b", "y", Duration.ZERO);
		assertThat(queue.poll(1, LEASE_DURATION)).extracting(ClaimedTask::id).containsExactly("a");
		assertThat(queue.poll(1, LEASE_DURATION, DAY)).extracting(ClaimedTask::id).containsExactly("b");
	}

	private static final Duration LEASE_DURATION = Duration.ofMinutes(1);

	private static final Duration DAY = Duration.ofDays(1);

	private final PollingFixture fixture = new PollingFixture();

	private final DelayQueueTemplate template = this.fixture.template;

	private final ExecutorService threads = Executors.newCachedThreadPool();

	BlockingPollTests() {
		this.fixture.settings = QueueOptions.builder().pollInterval(DAY).build();
	}

	@AfterEach
	void end() {
		this.threads.shutdownNow();
	}

	@Test
	void taskThatIsDueIsReturnedWithoutWaiting() throws InterruptedException {
		this.template.schedule("q", "a", null, Duration.ZERO);
		assertThat(this.template.poll("q", 10, LEASE_DURATION, DAY)).extracting(ClaimedTask::id).containsExactly("a");
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 4 })
	void taskThatIsScheduledMeanwhileIsReturned(int partitions) throws Exception {
		this.fixture.store.partition(partitions);
		Future<List<ClaimedTask>> waiting = begin(DAY);
		this.fixture.store.schedule(SourceNames.name("q", partitions - 1), List.of(Tasks.task("a")));
		assertThat(result(waiting)).extracting(ClaimedTask::id).containsExactly("a");
	}

	@Test
	void taskThatIsScheduledBetweenTheClaimAndTheWaitIsReturned() throws Exception {
		AtomicBoolean scheduled = new AtomicBoolean();
		this.fixture.store.after(Step.CLAIM, () -> {
			if (scheduled.compareAndSet(false, true)) {
				this.template.schedule("q", "a", null, Duration.ZERO);
			}
		});
		assertThat(result(begin(DAY))).extracting(ClaimedTask::id).containsExactly("a");
	}

	@Test
	void taskThatBecomesDueIsReturned() throws Exception {
		this.template.schedule("q", "later", null, Duration.ofMillis(200));
		this.fixture.store.after(Step.CLAIM, () -> this.fixture.clock.advance(Duration.ofMillis(200)));
		assertThat(result(begin(DAY))).extracting(ClaimedTask::id).containsExactly("later");
	}

	@Test
	void wakeForLaterMakesNoClaimNow() throws Exception {
		Future<List<ClaimedTask>> waiting = begin(DAY);
		this.template.schedule("q", "later", null, Duration.ofHours(1));
		await().until(() -> this.fixture.store.calls(Step.WAKE) == 1);
		this.template.schedule("q", "a", null, Duration.ZERO);
		assertThat(result(waiting)).hasSize(1);
		assertThat(this.fixture.store.calls(Step.CLAIM)).as("the first one, and that of the due task").isEqualTo(2);
	}

	@Test
	void whoWaitsInALoopSubscribesOnceAndAsksOnceEachTime() throws InterruptedException {
		for (int i = 0; i < 3; i++) {
			assertThat(this.template.poll("q", 10, LEASE_DURATION, Duration.ofMillis(20))).isEmpty();
		}
		assertThat(this.fixture.store.calls(Step.SUBSCRIBE)).isOne();
		assertThat(this.fixture.store.calls(Step.CLAIM)).isEqualTo(3);
	}

	@Test
	void taskOfAQueueThatIsResumedIsReturned() throws Exception {
		QueueControl.of(this.fixture.store).setPaused("q", true);
		this.template.schedule("q", "a", null, Duration.ZERO);
		Future<List<ClaimedTask>> waiting = begin(DAY);
		QueueControl.of(this.fixture.store).setPaused("q", false);
		assertThat(result(waiting)).hasSize(1);
	}

	@Test
	void storeThatSubscribesNobodyIsPolled() throws Exception {
		this.fixture.settings = QueueOptions.builder().pollInterval(Duration.ofMillis(10)).build();
		this.fixture.store.fail(Step.SUBSCRIBE);
		Future<List<ClaimedTask>> waiting = begin(DAY);
		this.template.schedule("q", "a", null, Duration.ZERO);
		assertThat(result(waiting)).hasSize(1);
	}

	@Test
	void interruptEndsTheWait() throws InterruptedException {
		CountDownLatch interrupted = new CountDownLatch(1);
		Thread thread = new Thread(() -> {
			try {
				this.template.poll("q", 10, LEASE_DURATION, DAY);
			}
			catch (InterruptedException ex) {
				interrupted.countDown();
			}
		});
		thread.start();
		await().until(() -> this.fixture.store.calls(Step.CLAIM) == 1);
		thread.interrupt();
		assertThat(interrupted.await(Patience.LIMIT.toMillis(), TimeUnit.MILLISECONDS)).isTrue();
	}

	@Test
	void claimThatFailsBecauseOfAnInterruptIsOne() {
		this.fixture.store.before(Step.CLAIM, () -> {
			Thread.currentThread().interrupt();
			throw new DelayQueueException("q", null, "interrupted for a test");
		});
		assertThatExceptionOfType(InterruptedException.class)
			.isThrownBy(() -> this.template.poll("q", 10, LEASE_DURATION, DAY))
			.withMessage("interrupted for a test");
		assertThat(Thread.interrupted()).isFalse();
	}

	@Test
	void closingTheContextEndsTheWaitBeforeAnythingIsStopped() throws Exception {
		GenericApplicationContext context = new GenericApplicationContext();
		context.registerBean("template", DelayQueueTemplate.class, () -> this.template);
		context.refresh();
		this.fixture.polling().endWaitsWith(context);
		Future<List<ClaimedTask>> waiting = begin(DAY);
		GenericApplicationContext below = new GenericApplicationContext(context);
		below.refresh();
		below.close();
		assertThat(waiting).isNotDone();
		context.publishEvent(new ContextClosedEvent(context));
		assertThat(result(waiting)).isEmpty();
		assertThatExceptionOfType(DelayQueueException.class)
			.isThrownBy(() -> this.template.poll("q", 10, LEASE_DURATION, DAY))
			.withMessage("Queue 'q': nobody can wait for tasks while the application is stopping");
		context.close();
	}

	@Test
	void contextThatIsPausedEndsTheWaitAndOneThatIsStartedAgainAllowsIt() throws Exception {
		this.template.start();
		Future<List<ClaimedTask>> waiting = begin(DAY);
		this.template.stop();
		assertThat(result(waiting)).isEmpty();
		this.template.start();
		Future<List<ClaimedTask>> again = begin(DAY);
		this.template.schedule("q", "a", null, Duration.ZERO);
		assertThat(result(again)).hasSize(1);
	}

	@Test
	void impossibleWaitIsRefused() {
		assertThatExceptionOfType(DelayQueueException.class)
			.isThrownBy(() -> this.template.poll("q", 10, LEASE_DURATION, Duration.ofMillis(-1)))
			.withMessage("Queue 'q': maxWait must be between zero and 36500 days, but is -1ms");
		assertThatExceptionOfType(DelayQueueException.class)
			.isThrownBy(() -> this.template.poll("q", 10, LEASE_DURATION, Duration.ofSeconds(Long.MAX_VALUE)))
			.withMessageContaining("maxWait must be between zero and 36500 days");
		assertThatExceptionOfType(DelayQueueException.class)
			.isThrownBy(() -> this.template.poll("q", 0, LEASE_DURATION, DAY))
			.withMessageContaining("limit must be 1 to 500");
	}

	/** A poll that has claimed in vain once. */
	private Future<List<ClaimedTask>> begin(Duration maxWait) {
		int before = this.fixture.store.calls(Step.CLAIM);
		Future<List<ClaimedTask>> waiting = this.threads
			.submit(() -> this.template.poll("q", 10, LEASE_DURATION, maxWait));
		await().until(() -> this.fixture.store.calls(Step.CLAIM) >= before + 1);
		return waiting;
	}

	private static List<ClaimedTask> result(Future<List<ClaimedTask>> waiting) throws Exception {
		return waiting.get(Patience.LIMIT.toMillis(), TimeUnit.MILLISECONDS);
	}

}
