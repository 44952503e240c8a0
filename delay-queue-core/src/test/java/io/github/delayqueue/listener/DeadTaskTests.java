package io.github.delayqueue.listener;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.DeadReason;
import io.github.delayqueue.NonRetryable;
import io.github.delayqueue.TaskFailure;
import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.convert.TaskOptions;
import io.github.delayqueue.convert.UnsupportedEnvelopeException;
import io.github.delayqueue.event.DeliveryOutcome;
import io.github.delayqueue.fixtures.RecordingEvents;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.Replacement;
import io.github.delayqueue.store.StoredTask;
import io.github.delayqueue.store.memory.InMemoryTaskStore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Why tasks die, and what is kept of them.
 */
@Execution(ExecutionMode.CONCURRENT)
class DeadTaskTests {

	private static final String QUEUE = "orders";

	private final InMemoryTaskStore store = new InMemoryTaskStore(Clock.systemUTC());

	private final RecordingEvents events = new RecordingEvents();

	@AutoClose
	private final ListenerFixture instance = new ListenerFixture(this.store, this.events);

	private final Queue<String> handled = new ConcurrentLinkedQueue<>();

	@Test
	void diesWhenItsAttemptsAreUsedUp() {
		fail(new IllegalStateException("broken"), ListenerFixture.attempts(3).build());
		assertDead(DeadReason.ATTEMPTS_EXHAUSTED, 3, IllegalStateException.class, "broken");
		assertThat(this.events.outcomes()).containsExactly(DeliveryOutcome.RETRY, DeliveryOutcome.RETRY,
				DeliveryOutcome.DEAD);
	}

	@Test
	void diesAtOnceAfterANonRetryableException() {
		fail(new Hopeless(), ListenerFixture.attempts(3).build());
		assertDead(DeadReason.NOT_RETRYABLE, 1, Hopeless.class, "hopeless");
	}

	@Test
	void diesWhenItsHandlerDeadLettersIt() {
		this.instance.register(QUEUE, (task, context) -> TaskResult.deadLetter("nobody wants it"),
				ListenerFixture.attempts(3).build());
		this.instance.schedule(QUEUE, "task", "payload", Duration.ZERO);
		assertDead(DeadReason.DEAD_LETTERED, 1, null, "nobody wants it");
	}

	@Test
	void reasonIsKeptAsItIsAndLoggedInOneLine() {
		String reason = "no\n2026-01-01 INFO all is well \u001b[2J\u202egnorw\u2028";
		ListAppender<ILoggingEvent> log = new ListAppender<>();
		Logger logger = (Logger) LoggerFactory.getLogger(io.github.delayqueue.run.TaskRun.class);
		log.start();
		logger.addAppender(log);
		try {
			this.instance.register("hostile-reasons", (task, context) -> TaskResult.deadLetter(reason),
					ListenerFixture.attempts(3).build());
			this.instance.schedule("hostile-reasons", "task", "payload", Duration.ZERO);
			await().until(() -> this.events.outcomes().contains(DeliveryOutcome.DEAD));
		}
		finally {
			logger.detachAppender(log);
		}
		assertThat(this.instance.failureOf("hostile-reasons", "task").message()).isEqualTo(reason);
		List<ILoggingEvent> logged;
		synchronized (log) {
			logged = List.copyOf(log.list);
		}
		assertThat(logged).extracting(ILoggingEvent::getFormattedMessage)
			.contains("Task 'task' of queue 'hostile-reasons' is dead: DEAD_LETTERED (no?2026-01-01 INFO all is well "
					+ "?[2J?gnorw?)");
	}

	@Test
	void diesUnhandledWhenItHasLostAsManyLeasesAsAllowed() {
		this.instance.schedule(QUEUE, "task", "payload", Duration.ZERO);
		for (int i = 0; i < 3; i++) {
			await().until(() -> this.store.stats(QUEUE), (stats) -> stats.due() + stats.leasesLost() == 1);
			this.store.claim(QUEUE, ClaimRequest.of("crashed-" + i, 1, Duration.ofMillis(1)));
		}
		register(ListenerOptions.builder().maxLeaseLosses(3).build());
		assertDead(DeadReason.LEASES_EXHAUSTED, 0, null,
				"Its lease was lost 3 times without an answer of the handler (retry.max-lease-losses)");
		assertThat(this.handled).isEmpty();
		assertThat(this.events.leasesLost()).containsExactly(3);
	}

	@Test
	void diesUnhandledWhenItIsOverdueByMoreThanItAllowsItself() {
		this.instance.schedule(QUEUE, "task", "payload", Duration.ZERO,
				new TaskOptions(null, null, null, Duration.ofMillis(50), null));
		this.instance.schedule(QUEUE, "patient", "payload", Duration.ZERO);
		await().until(() -> this.store.stats(QUEUE).oldestDueAge().toMillis() > 100);
		register(ListenerOptions.defaults());
		assertThat(awaitDead().reason()).isEqualTo(DeadReason.EXPIRED);
		await().until(() -> !this.handled.isEmpty());
		assertThat(this.handled).containsExactly("patient");
	}

	@Test
	void diesWithItsRawBytesWhenItsEnvelopeCannotBeReadWhileItsNeighboursAreHandled() {
		byte[] garbage = "no JSON".getBytes(StandardCharsets.UTF_8);
		scheduleRaw(garbage);
		scheduleNeighbours();
		register(ListenerOptions.defaults());
		assertThat(awaitDead().reason()).isEqualTo(DeadReason.UNREADABLE);
		assertThat(find().envelope()).isEqualTo(garbage);
		assertThat(find().failures()).isZero();
		assertNeighboursAreHandled();
	}

	@Test
	void diesWhenItsPayloadIsOfAnotherTypeWhileItsNeighboursAreHandled() {
		this.instance.schedule(QUEUE, "task", List.of("a", "list"), Duration.ZERO);
		scheduleNeighbours();
		register(ListenerOptions.defaults());
		TaskFailure failure = awaitDead();
		assertThat(failure.reason()).isEqualTo(DeadReason.UNREADABLE);
		assertThat(failure.message()).contains("java.lang.String").doesNotContain("list\"");
		assertNeighboursAreHandled();
	}

	@Test
	void isHandedBackForAWhileWhenItsEnvelopeIsOfALaterVersion() {
		Instant before = Instant.now();
		scheduleRaw("{\"v\":3,\"p\":1}".getBytes(StandardCharsets.UTF_8));
		scheduleNeighbours();
		register(ListenerOptions.defaults());
		assertNeighboursAreHandled();
		await().until(() -> this.store.stats(QUEUE).inFlight() == 0);
		StoredTask task = find();
		assertThat(task.state()).isEqualTo(TaskState.SCHEDULED);
		assertThat(task.at()).isBetween(before.plusSeconds(10), Instant.now().plusMillis(10_001));
		assertThat(task.failures()).isZero();
		assertThat(task.leasesLost()).isZero();
		assertThat(this.events.pollErrors()).hasOnlyElementsOfType(UnsupportedEnvelopeException.class).hasSize(1);
		await().until(() -> this.events.ends().size() == 20);
		assertThat(this.events.outcomes()).containsOnly(DeliveryOutcome.SUCCESS);
	}

	private void fail(RuntimeException failure, ListenerOptions options) {
		this.instance.register(QUEUE, (task, context) -> {
			throw failure;
		}, options);
		this.instance.schedule(QUEUE, "task", "payload", Duration.ZERO);
	}

	private void register(ListenerOptions options) {
		this.instance.register(QUEUE, (task, context) -> record(task.id()), options);
	}

	private TaskResult record(String taskId) {
		this.handled.add(taskId);
		return TaskResult.done();
	}

	private void scheduleRaw(byte[] envelope) {
		this.store.schedule(QUEUE, List
			.of(new NewTask("task", envelope, DueTime.in(Duration.ZERO), TaskPriority.NORMAL, Replacement.REPLACE)));
	}

	private void scheduleNeighbours() {
		for (int i = 0; i < 20; i++) {
			this.instance.schedule(QUEUE, "neighbour-" + i, "payload", Duration.ZERO);
		}
	}

	private void assertNeighboursAreHandled() {
		await().until(() -> this.store.stats(QUEUE).totals().completed() == 20);
		assertThat(this.handled).hasSize(20).doesNotContain("task");
	}

	private StoredTask find() {
		return this.store.find(QUEUE, "task").orElseThrow();
	}

	private TaskFailure awaitDead() {
		await().until(() -> find().state() == TaskState.DEAD);
		return this.instance.failureOf(QUEUE, "task");
	}

	private void assertDead(DeadReason reason, int failures, Class<?> type, String message) {
		TaskFailure failure = awaitDead();
		assertThat(failure.reason()).isEqualTo(reason);
		assertThat(failure.type()).isEqualTo((type != null) ? type.getName() : null);
		assertThat(failure.message()).isEqualTo(message);
		assertThat(find().failures()).isEqualTo(failures);
		await().until(() -> this.events.outcomes().contains(DeliveryOutcome.DEAD));
		assertThat(this.events.ends().get(this.events.ends().size() - 1).failure()).isEqualTo(failure);
	}

	private static final class Hopeless extends RuntimeException implements NonRetryable {

		private static final long serialVersionUID = 1L;

		Hopeless() {
			super("hopeless");
		}

	}

}
