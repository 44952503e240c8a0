package io.github.delayqueue.interrupts;

import java.time.Clock;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.github.delayqueue.event.DeliveryOutcome;
import io.github.delayqueue.event.TaskEvents;
import io.github.delayqueue.fixtures.FaultyTaskStore;
import io.github.delayqueue.fixtures.RecordingEvents;
import io.github.delayqueue.fixtures.Step;
import io.github.delayqueue.listener.Gate;
import io.github.delayqueue.listener.ListenerFixture;
import io.github.delayqueue.listener.ListenerOptions;
import io.github.delayqueue.listener.TaskContext;
import io.github.delayqueue.listener.TaskResult;
import io.github.delayqueue.listener.Withdrawal;
import io.github.delayqueue.options.QueueOptions;
import io.github.delayqueue.producer.DelayQueueTemplate;
import io.github.delayqueue.producer.TaskRequest;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.store.memory.InMemoryTaskStore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Handlers that are interrupted when their tasks are taken from them. Leases are so long
 * that no extension would tell them.
 */
@Execution(ExecutionMode.CONCURRENT)
class CancelInterruptsTests {

	private static final String QUEUE = "orders";

	private static final Duration LEASE_DURATION = Duration.ofDays(1);

	private final FaultyTaskStore store = new FaultyTaskStore(new InMemoryTaskStore(Clock.systemUTC()));

	private final RecordingEvents events = new RecordingEvents();

	private ListenerFixture instance = instance(this.store, false, this.events);

	private final Gate gate = new Gate();

	private final Queue<String> interrupted = new ConcurrentLinkedQueue<>();

	private static ListenerFixture instance(TaskStore store, boolean virtualThreads, RecordingEvents events) {
		return new ListenerFixture(store, ListenerFixture.defaults(), ListenerFixture.threads(virtualThreads),
				List.of(new CancelInterrupts()), events);
	}

	@AfterEach
	void close() {
		this.gate.open();
		this.store.heal();
		this.instance.close();
	}

	@ParameterizedTest
	@EnumSource
	void isInterruptedIfItsListenerSaysSo(Withdrawal withdrawal) {
		registerWaiting(options(true).with(CancelInterrupts.INTERRUPT, true));
		schedule("task");
		await().until(() -> this.gate.waiting() == 1);
		withdrawal.from(this.store, QUEUE, "task");
		await().until(() -> !this.events.ends().isEmpty());
		assertThat(this.interrupted).containsExactly("task");
		assertThat(this.events.outcomes()).containsExactly(DeliveryOutcome.STALE);
	}

	/** Only what was said before the answer is known to be not about others. */
	@Test
	void hearsOfWhatCameBeforeTheAnswerToItsClaim() {
		this.store.after(Step.CLAIM, () -> {
			if (this.store.find(QUEUE, "task").isPresent()) {
				this.store.cancel(QUEUE, "task");
			}
		});
		registerWaiting(options(true).with(CancelInterrupts.INTERRUPT, true));
		schedule("task");
		await().until(() -> !this.events.ends().isEmpty());
		assertThat(this.events.outcomes()).containsExactly(DeliveryOutcome.STALE);
	}

	@Test
	void hearsOfItByTheNextExtensionWhereThereAreNoWakeMessages() {
		this.store.fail(Step.SUBSCRIBE);
		AtomicReference<TaskContext> context = registerWaiting(
				options(true).leaseDuration(Duration.ofMillis(300)).with(CancelInterrupts.INTERRUPT, true));
		schedule("task");
		await().until(() -> this.gate.waiting() == 1);
		this.store.cancel(QUEUE, "task");
		await().until(() -> this.interrupted.contains("task"));
		assertThat(context.get().isCancelled()).isTrue();
	}

	@Test
	void ofABatchIsInterruptedOnceNothingOfItIsLeft() {
		List.of("a", "b", "c").forEach(this::schedule);
		this.instance.register(QUEUE, options(true).batchSize(3).with(CancelInterrupts.INTERRUPT, true).build(),
				(deliveries) -> {
					this.interrupted.addAll(deliveries.stream().map((delivery) -> delivery.task().id()).toList());
					this.gate.pass();
					return CompletableFuture.completedFuture(Collections.nCopies(deliveries.size(), TaskResult.done()));
				});
		await().until(() -> this.interrupted.size() == 3 && this.gate.waiting() > 0);
		this.interrupted.forEach((id) -> this.store.cancel(QUEUE, id));
		await().until(() -> this.events.ends().size() == 3);
		assertThat(this.gate.waiting()).isZero();
		assertThat(this.events.outcomes()).containsOnly(DeliveryOutcome.STALE);
	}

	@Test
	void thatGoesOnElsewhereIsTold() {
		AtomicReference<TaskContext> context = new AtomicReference<>();
		CompletableFuture<List<TaskResult>> later = new CompletableFuture<>();
		this.instance.register(QUEUE, options(true).with(CancelInterrupts.INTERRUPT, true).build(), (deliveries) -> {
			context.set(deliveries.get(0).context());
			return later;
		});
		schedule("task");
		await().until(() -> context.get() != null);
		this.store.cancel(QUEUE, "task");
		await().until(() -> context.get().isCancelled());
		later.complete(List.of(TaskResult.done()));
		await().until(() -> this.events.outcomes().contains(DeliveryOutcome.STALE));
	}

	@Test
	void thatSchedulesItsOwnIdAnewIsNotInterrupted() {
		DelayQueueTemplate template = template();
		AtomicReference<TaskContext> own = new AtomicReference<>();
		this.instance.register(QUEUE, (task, context) -> {
			template.schedule(TaskRequest.queue(QUEUE).id("task").payload("again").delay(Duration.ofDays(9)).build());
			own.set(context);
			return this.gate.pass();
		}, options(true).with(CancelInterrupts.INTERRUPT, true).build());
		schedule("task");
		await().until(() -> own.get() != null && own.get().isLeaseLost());
		assertThat(own.get().isCancelled()).isFalse();
		this.gate.open();
		await().until(() -> !this.events.ends().isEmpty());
		assertThat(this.events.outcomes()).containsExactly(DeliveryOutcome.SUCCESS);
	}

	@Test
	void ofARecurringTaskIsInterrupted() {
		registerWaiting(options(true).with(CancelInterrupts.INTERRUPT, true));
		DelayQueueTemplate template = template();
		template.schedule(TaskRequest.queue(QUEUE).id("hourly").payload("payload").every(Duration.ofHours(1)).build());
		this.store.reschedule(QUEUE, "hourly", DueTime.in(Duration.ZERO));
		await().until(() -> this.gate.waiting() == 1);
		template.cancel(QUEUE, "hourly");
		await().until(() -> this.events.outcomes().contains(DeliveryOutcome.STALE));
		assertThat(this.interrupted).containsExactly("hourly");
		assertThat(this.store.find(QUEUE, "hourly")).isEmpty();
	}

	/** With leases so short that it is looked for interrupts all the time. */
	@Test
	void interruptHitsNoOtherTaskOfTheWorker() {
		int tasks = 2000;
		Queue<String> cancelled = new ConcurrentLinkedQueue<>();
		Queue<String> found = new ConcurrentLinkedQueue<>();
		TaskStore plain = new InMemoryTaskStore(Clock.systemUTC());
		RecordingEvents ends = new RecordingEvents();
		try (ListenerFixture many = instance(plain, false, ends)) {
			many.register(QUEUE, (task, context) -> {
				if (Thread.currentThread().isInterrupted()) {
					found.add(task.id());
				}
				try {
					if (task.id().hashCode() % 2 == 0 && plain.cancel(QUEUE, task.id())) {
						cancelled.add(task.id());
						Thread.sleep(task.id().hashCode() / 2 % 40);
					}
				}
				catch (InterruptedException ex) {
					this.interrupted.add(task.id());
				}
				return TaskResult.done();
			}, ListenerOptions.builder()
				.concurrency(16)
				.leaseDuration(Duration.ofMillis(100))
				.handlerTimeout(Duration.ofMinutes(1))
				.with(CancelInterrupts.INTERRUPT, true)
				.build());
			for (int i = 0; i < tasks; i++) {
				many.schedule(QUEUE, "task-" + i, "payload", Duration.ZERO);
			}
			await().until(() -> ends.ends().size() >= tasks);
		}
		assertThat(found).isEmpty();
		assertThat(this.interrupted).isNotEmpty();
		assertThat(cancelled).containsAll(this.interrupted);
	}

	@Test
	@EnabledForJreRange(min = JRE.JAVA_21)
	void isInterruptedOnAVirtualThread() {
		this.instance.close();
		this.instance = instance(this.store, true, this.events);
		this.instance.register(QUEUE, (task, context) -> this.gate.pass(),
				ListenerOptions.builder()
					.leaseDuration(Duration.ofDays(1))
					.with(CancelInterrupts.INTERRUPT, true)
					.build());
		List.of("task", "other").forEach(this::schedule);
		await().until(() -> this.gate.waiting() == 2);
		this.store.cancel(QUEUE, "task");
		await().until(() -> this.events.outcomes().contains(DeliveryOutcome.STALE));
		assertThat(this.gate.waiting()).isOne();
	}

	private AtomicReference<TaskContext> registerWaiting(ListenerOptions.Builder options) {
		AtomicReference<TaskContext> last = new AtomicReference<>();
		this.instance.register(QUEUE, (task, context) -> {
			last.set(context);
			try {
				return this.gate.pass();
			}
			catch (InterruptedException ex) {
				this.interrupted.add(task.id());
				throw ex;
			}
		}, options.build());
		return last;
	}

	private DelayQueueTemplate template() {
		return new DelayQueueTemplate(this.store, this.instance.codec(), TaskEvents.NONE,
				(queue) -> QueueOptions.DEFAULTS);
	}

	private void schedule(String id) {
		this.instance.schedule(QUEUE, id, "payload", Duration.ZERO);
	}

	private static ListenerOptions.Builder options(boolean renew) {
		return ListenerOptions.builder().concurrency(4).leaseDuration(LEASE_DURATION).autoRenewLease(renew);
	}

}
