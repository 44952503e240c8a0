package io.github.delayqueue.listener;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

import io.github.delayqueue.TaskFailure;
import io.github.delayqueue.options.FailureLogging;
import io.github.delayqueue.store.memory.InMemoryTaskStore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What is in the log of handlers that fail.
 */
class FailureLogTests {

	private final String queue = "failures-" + UUID.randomUUID();

	private final InMemoryTaskStore store = new InMemoryTaskStore(Clock.systemUTC());

	private final ListenerFixture instance = new ListenerFixture(this.store, ListenerFixture.defaults(),
			new PatientThreads(false));

	private final ListAppender<ILoggingEvent> log = new ListAppender<>();

	private final Logger all = (Logger) LoggerFactory.getLogger("io.github.delayqueue");

	private final Level level = this.all.getLevel();

	@BeforeEach
	void capture() {
		this.log.start();
		this.all.addAppender(this.log);
	}

	@AfterEach
	void close() {
		this.instance.close();
		this.all.setLevel(this.level);
		this.all.detachAppender(this.log);
	}

	@Test
	void eachAttemptIsALineAndTheLastHasTheStackTrace() {
		fail(new IllegalStateException("The bank is closed"), ListenerFixture.attempts(3).build());
		assertThat(linesOf(4)).containsExactly(
				failed("1 of 3", "10ms") + "java.lang.IllegalStateException: The bank is closed",
				failed("2 of 3", "10ms") + "java.lang.IllegalStateException: The bank is closed",
				last("3 of 3") + "java.lang.IllegalStateException: The bank is closed", "Task 'task' of queue '"
						+ this.queue + "' is dead: ATTEMPTS_EXHAUSTED (java.lang.IllegalStateException)");
		assertThat(events()).extracting((event) -> event.getThrowableProxy() != null)
			.containsExactly(false, false, true, false);
		assertThat(events()).extracting(ILoggingEvent::getLevel).containsOnly(Level.WARN);
		// documented
		assertThat(events()).extracting(ILoggingEvent::getLoggerName)
			.containsExactly("io.github.delayqueue.listener.CallEnd", "io.github.delayqueue.listener.CallEnd",
					"io.github.delayqueue.listener.CallEnd", "io.github.delayqueue.run.TaskRun");
	}

	@Test
	void onlyTheTypeIsLoggedWhereMessagesHoldPersonalDataAtAnyLevel() {
		this.all.setLevel(Level.TRACE);
		fail(new IllegalStateException("Jane Doe", new IllegalArgumentException("Jane Doe")),
				ListenerFixture.attempts(2).logFailures(FailureLogging.TYPE_ONLY).build());
		assertThat(linesOf(3)).startsWith(failed("1 of 2", "10ms") + "java.lang.IllegalStateException",
				last("2 of 2") + "java.lang.IllegalStateException");
		assertThat(this.instance.failureOf(this.queue, "task").message()).isEqualTo("Jane Doe");
		this.instance.close();
		assertThat(this.log.list).noneMatch((event) -> event.getFormattedMessage().contains("Jane"))
			.noneMatch((event) -> event.getThrowableProxy() != null
					&& String.valueOf(event.getThrowableProxy().getMessage()).contains("Jane"));
	}

	@Test
	void messageCannotForgeALineAndIsBounded() {
		fail(new IllegalStateException("no\n2026-01-01 INFO all is well \u001b[2J\u202e" + "x".repeat(2_000_000)),
				ListenerFixture.attempts(2).build());
		assertThat(linesOf(3).subList(0, 2))
			.allSatisfy((line) -> assertThat(line).contains("no?2026-01-01 INFO all is well ?[2J?xxx")
				.hasSizeLessThan(TaskFailure.MAX_MESSAGE_LENGTH + 300));
	}

	@Test
	void aBatchThatFailsHasALineForEachTaskAndOneStackTrace() {
		for (int i = 0; i < 3; i++) {
			this.instance.schedule(this.queue, "task-" + i, "payload", Duration.ZERO);
		}
		IllegalStateException cause = new IllegalStateException("The bank is closed");
		this.instance.register(this.queue, ListenerFixture.attempts(1).batchSize(3).build(), (deliveries) -> {
			throw cause;
		});
		assertThat(linesOf(6)).filteredOn((line) -> line.startsWith("Attempt 1 of 1 at task 'task-")).hasSize(3);
		assertThat(events()).filteredOn((event) -> event.getThrowableProxy() != null).hasSize(1);
	}

	@Test
	void aFailureOfATaskThatIsGoneByThenPromisesNoFurtherAttempt() {
		this.instance.register(this.queue, ListenerFixture.attempts(3).build(), (deliveries) -> {
			this.store.cancel(this.queue, "task");
			MDC.put("trace", "handler");
			throw new IllegalStateException("The bank is closed");
		});
		this.instance.schedule(this.queue, "task", "payload", Duration.ZERO);
		assertThat(linesOf(1)).containsExactly("Attempt 1 of 3 at task 'task' of queue '" + this.queue
				+ "' has failed, which changes nothing: its lease was lost, or the task was cancelled, replaced or moved "
				+ "meanwhile: java.lang.IllegalStateException: The bank is closed");
		assertThat(events().get(0).getMDCPropertyMap()).as("as the handler has left it")
			.containsEntry("trace", "handler");
	}

	@Test
	void aPayloadThatCannotBeReadIsALineThatNamesTheTaskOnce() {
		this.instance.register(this.queue, (task, context) -> TaskResult.done(), ListenerFixture.attempts(2).build());
		this.instance.schedule(this.queue, "task", List.of(1), Duration.ZERO);
		String problem = "It has a payload that cannot be read as java.lang.String: ";
		assertThat(linesOf(1)).singleElement()
			.asString()
			.startsWith("Task 'task' of queue '" + this.queue + "' is dead: UNREADABLE (" + problem)
			.containsOnlyOnce(this.queue);
		assertThat(this.instance.failureOf(this.queue, "task").message()).startsWith(problem);
	}

	private void fail(RuntimeException cause, ListenerOptions options) {
		this.instance.register(this.queue, (task, context) -> {
			throw cause;
		}, options);
		this.instance.schedule(this.queue, "task", "payload", Duration.ZERO);
	}

	private String failed(String attempt, String delay) {
		return "Attempt " + attempt + " at task 'task' of queue '" + this.queue
				+ "' has failed, the next one is due in " + delay + ": ";
	}

	private String last(String attempt) {
		return "Attempt " + attempt + " at task 'task' of queue '" + this.queue + "' has failed and was the last: ";
	}

	private List<String> linesOf(int count) {
		await().until(() -> events().size() >= count);
		assertThat(events()).hasSize(count);
		return events().stream().map(ILoggingEvent::getFormattedMessage).toList();
	}

	private List<ILoggingEvent> events() {
		List<ILoggingEvent> logged;
		synchronized (this.log) {
			logged = List.copyOf(this.log.list);
		}
		return logged.stream()
			.filter((event) -> event.getLevel().isGreaterOrEqual(Level.WARN)
					&& event.getFormattedMessage().contains(this.queue))
			.toList();
	}

}
