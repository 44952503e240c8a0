package io.github.delayqueue.producer;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.util.unit.DataSize;

import io.github.delayqueue.DeadReason;
import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.DuplicatePolicy;
import io.github.delayqueue.ScheduleOutcome;
import io.github.delayqueue.StoreUnavailableException;
import io.github.delayqueue.TaskFailure;
import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.convert.FailureJson;
import io.github.delayqueue.fixtures.Endings;
import io.github.delayqueue.fixtures.Step;
import io.github.delayqueue.management.QueueSteps;
import io.github.delayqueue.options.QueueOptions;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.store.WholeStore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link DelayQueueTemplate}, without polling and asynchronous scheduling.
 */
class DelayQueueTemplateTests {

	private static final Duration MINUTE = Duration.ofMinutes(1);

	private final ProducerFixture fixture = new ProducerFixture(
			(fixture) -> new QueueSteps(fixture.store, fixture.codec));

	private final DelayQueueTemplate template = this.fixture.template;

	@Test
	void dueTasksAreLookedAtAndNotTaken() {
		this.template.schedule("q", "later", List.of(1), Duration.ofSeconds(9));
		this.template.schedule("q", "due", List.of(2), Duration.ofSeconds(5));
		assertThat(this.template.listDue("q", 0, 10)).isEmpty();
		this.fixture.clock.advance(Duration.ofSeconds(5));
		assertThat(this.template.listDue("q", 0, 10)).singleElement()
			.returns("due", TaskDetails::id)
			.returns("[2]", TaskDetails::payloadJson);
		assertThat(this.template.listDue("q", 1, 10)).isEmpty();
		assertThat(this.template.stats("q").due()).isOne();
		assertThatExceptionOfType(DelayQueueException.class).isThrownBy(() -> this.template.listDue("q", 0, 501));
	}

	@Test
	void schedulesUnderGeneratedIdsAfterADelayAndAtAnInstant() {
		String delayed = this.template.schedulePayload("q", "payload", MINUTE).taskId();
		String fixed = this.template.schedulePayload("q", "payload", ProducerFixture.START.plusSeconds(5)).taskId();
		assertThat(fixed).isGreaterThan(delayed);
		assertThat(details("q", delayed).dueAt()).isEqualTo(ProducerFixture.START.plusSeconds(60));
		assertThat(details("q", fixed).dueAt()).isEqualTo(ProducerFixture.START.plusSeconds(5));
		assertThat(details("q", fixed).payload(String.class)).isEqualTo("payload");
	}

	@Test
	void requestKeepsPriorityHeadersAndPayloadAndRejectsDuplicates() {
		TaskRequest request = TaskRequest.queue("q")
			.id("a")
			.payload(List.of(1, 2))
			.priority(TaskPriority.HIGH)
			.header("tenant", "x")
			.onDuplicate(DuplicatePolicy.REJECT)
			.build();
		assertThat(this.template.schedule(request)).isEqualTo(new ScheduleResult("q", "a", ScheduleOutcome.CREATED));
		ScheduleResult again = this.template.schedule(request);
		assertThat(again.outcome()).isEqualTo(ScheduleOutcome.REJECTED);
		assertThat(again.isAccepted()).isFalse();
		TaskDetails task = details("q", "a");
		assertThat(task.priority()).isEqualTo(TaskPriority.HIGH);
		assertThat(task.headers()).containsEntry("tenant", "x");
		assertThat(task.payload(new ParameterizedTypeReference<List<Integer>>() {
		})).containsExactly(1, 2);
		assertThat(this.fixture.recorded.events()).containsExactly("schedule q 1", "schedule q 0");
	}

	@Test
	void nullIsNoPayloadAndNoPayloadIsTheId() {
		this.template.schedule("q", "a", null, MINUTE);
		this.template.schedule(TaskRequest.queue("q").id("b").build());
		assertThat(details("q", "a").payloadJson()).isNull();
		assertThat(details("q", "a").payload(String.class)).isEqualTo("a");
		assertThat(details("q", "b").payloadJson()).isNull();
		assertThat(details("q", "b").payload(String.class)).isEqualTo("b");
	}

	@Test
	void idAloneIsNoPayload() {
		assertThat(this.template.scheduleId("q", "a", MINUTE).taskId()).isEqualTo("a");
		assertThat(this.template.scheduleId("q", "b", ProducerFixture.START.plusSeconds(5)).taskId()).isEqualTo("b");
		assertThat(details("q", "a")).returns(null, TaskDetails::payloadJson)
			.returns("a", (task) -> task.payload(String.class));
		assertThat(details("q", "b").dueAt()).isEqualTo(ProducerFixture.START.plusSeconds(5));
		String generated = this.template.schedulePayload("q", "a", MINUTE).taskId();
		assertThat(generated).isNotEqualTo("a");
		assertThat(details("q", generated).payloadJson()).isEqualTo("\"a\"");
	}

	@Test
	void requestOfALambdaNeedsNoBuild() {
		ScheduleResult result = this.template.schedule("q",
				(task) -> task.id("a").payload(1).delay(MINUTE).maxAttempts(2));
		assertThat(result).isEqualTo(new ScheduleResult("q", "a", ScheduleOutcome.CREATED));
		assertThat(details("q", "a").dueAt()).isEqualTo(ProducerFixture.START.plus(MINUTE));
	}

	@Test
	void scheduleThatFailsSaysWhatAndWhichAndIsToldOnce() {
		this.fixture.store.fail(Step.SCHEDULE);
		assertThatExceptionOfType(DelayQueueException.class)
			.isThrownBy(() -> this.template.schedule("q", "a", "payload", MINUTE))
			.withMessage("Task 'a': Could not reach queue 'q'")
			.satisfies((ex) -> {
				assertThat(ex.getQueue()).isEqualTo("q");
				assertThat(ex.getTaskId()).isEqualTo("a");
				assertThat(ex).hasCauseInstanceOf(IllegalStateException.class);
			});
		assertThat(this.fixture.recorded.events()).containsExactly("schedule q 0 Could not reach queue 'q'");
		assertThat(this.fixture.uses).isEmpty();
	}

	@Test
	void payloadThatIsTooLargeIsRefusedByTheSettingsOfItsQueue() {
		this.fixture.settings = QueueOptions.builder().maxPayloadSize(DataSize.ofBytes(5)).build();
		assertThatExceptionOfType(DelayQueueException.class)
			.isThrownBy(() -> this.template.schedule("q", "a", "12345", MINUTE))
			.withMessageContaining("takes 7 bytes")
			.withMessageContaining("delay-queue.producer.max-payload-size");
		assertThat(this.fixture.store.calls()).isEmpty();
		assertThat(this.fixture.recorded.events()).hasSize(1).first().asString().startsWith("schedule q 0 Task 'a'");
	}

	@Test
	void partsAreToldWhichQueuesAreUsedAndThatItStarts() {
		this.template.schedule("q", "a", 1, MINUTE);
		this.template.schedule("r", "a", 1, MINUTE);
		this.template.stop();
		this.template.start();
		assertThat(this.fixture.uses).containsExactly("scheduled q", "scheduled r", "ended", "began");
	}

	@ParameterizedTest
	@CsvSource({ "'', a", "q{, a", "q, ''", "q, 'a\u0000'" })
	void namesThatAreNotAllowedAreRefusedBeforeTheStoreIsAsked(String queue, String id) {
		List<Runnable> operations = List.of(() -> this.template.schedule(queue, id, 1, MINUTE),
				() -> this.template.cancel(queue, id), () -> this.template.reschedule(queue, id, MINUTE),
				() -> this.template.reschedule(queue, id, Instant.EPOCH), () -> this.template.find(queue, id),
				() -> this.template.redrive(queue, id));
		for (Runnable operation : operations) {
			assertThatExceptionOfType(DelayQueueException.class).isThrownBy(operation::run);
		}
		assertThat(this.fixture.store.calls()).isEmpty();
	}

	@Test
	void queueNamesThatAreNotAllowedAreRefusedBeforeTheStoreIsAsked() {
		List<Runnable> operations = List.of(() -> this.template.list("{", TaskState.DEAD, 0, 1),
				() -> this.template.stats("{"), () -> this.template.redrive("{", 1),
				() -> this.template.delete("{", TaskState.DEAD, 1), () -> this.template.pause("{"),
				() -> this.template.resume("{"), () -> this.template.clear("{"));
		for (Runnable operation : operations) {
			assertThatExceptionOfType(DelayQueueException.class).isThrownBy(operation::run)
				.withMessageStartingWith("Queue name '{' is not allowed");
		}
		assertThat(this.fixture.store.calls()).isEmpty();
	}

	@ParameterizedTest
	@EnumSource(names = { "CANCEL", "RESCHEDULE", "FIND", "REDRIVE" })
	void operationOnATaskThatFailsNamesIt(Step operation) {
		this.fixture.store.fail(operation);
		assertThatExceptionOfType(DelayQueueException.class).isThrownBy(() -> {
			switch (operation) {
				case CANCEL -> this.template.cancel("q", "a");
				case RESCHEDULE -> this.template.reschedule("q", "a", MINUTE);
				case FIND -> this.template.find("q", "a");
				default -> this.template.redrive("q", "a");
			}
		}).withMessage("Task 'a': Could not reach queue 'q'").satisfies((ex) -> {
			assertThat(ex.getTaskId()).isEqualTo("a");
			assertThat(ex).hasCauseInstanceOf(IllegalStateException.class);
		});
	}

	@Test
	void storeThatCannotBeReachedIsStillThatWhenTheTaskIsNamed() {
		this.fixture.store.before(Step.FIND, () -> {
			throw new StoreUnavailableException("q", null, "Could not reach queue 'q'", new IllegalStateException());
		});
		assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(() -> this.template.find("q", "a"))
			.withMessage("Task 'a': Could not reach queue 'q'")
			.withCauseInstanceOf(IllegalStateException.class)
			.extracting(DelayQueueException::getTaskId)
			.isEqualTo("a");
	}

	@ParameterizedTest
	@CsvSource({ "-1, 1, 'offset must be 0 to 10000, but is -1'", "10001, 1, 'offset must be 0 to 10000, but is 10001'",
			"0, 0, 'limit must be 1 to 500, but is 0'", "0, 501, 'limit must be 1 to 500, but is 501'" })
	void listIsBounded(int offset, int limit, String message) {
		assertThatExceptionOfType(DelayQueueException.class)
			.isThrownBy(() -> this.template.list("q", TaskState.DEAD, offset, limit))
			.withMessage("Queue 'q': " + message);
		assertThat(this.fixture.store.calls()).isEmpty();
	}

	@Test
	void redrivesUpToTheLimitLongestDeadFirst() {
		for (int i = 0; i < 250; i++) {
			this.fixture.deadLetter("q", "a" + i);
			this.fixture.clock.advance(Duration.ofSeconds(1));
		}
		assertThat(this.template.redrive("q", 120)).isEqualTo(120);
		assertThat(this.template.stats("q").dead()).isEqualTo(130);
		assertThat(details("q", "a119").state()).isEqualTo(TaskState.SCHEDULED);
		assertThat(details("q", "a119").failures()).isZero();
		assertThat(details("q", "a120").state()).isEqualTo(TaskState.DEAD);
		assertThat(this.template.redrive("q", Integer.MAX_VALUE)).isEqualTo(130);
		assertThat(this.template.redrive("q", 1)).isZero();
		assertThat(this.template.redrive("q", "a1")).isFalse();
	}

	@Test
	void redriveThatFailsHalfwayTellsHowFarItCame() {
		for (int i = 0; i < 101; i++) {
			this.fixture.deadLetter("q", "a" + i);
		}
		List<String> redrives = new ArrayList<>();
		this.fixture.store.before(Step.REDRIVE, () -> {
			redrives.add("redrive");
			if (redrives.size() > 1) {
				throw new DelayQueueException("q", null, "Could not reach queue 'q'");
			}
		});
		assertThatExceptionOfType(DelayQueueException.class).isThrownBy(() -> this.template.redrive("q", 1000))
			.withMessage("Could not reach queue 'q' (after 100 tasks had been redriven)");
	}

	@Test
	void redrivesAndPurgesByReason() {
		for (int i = 0; i < 350; i++) {
			die("a" + i, (i % 3 == 0) ? DeadReason.UNREADABLE : DeadReason.DEAD_LETTERED);
			this.fixture.clock.advance(Duration.ofSeconds(1));
		}
		assertThat(this.template.redrive("q", DeadReason.UNREADABLE, 60)).isEqualTo(60);
		assertThat(details("q", "a177").state()).isEqualTo(TaskState.SCHEDULED);
		assertThat(details("q", "a180").state()).isEqualTo(TaskState.DEAD);
		assertThat(details("q", "a178").state()).isEqualTo(TaskState.DEAD);
		assertThat(this.template.redrive("q", DeadReason.EXPIRED, 60)).isZero();
		assertThat(this.template.delete("q", DeadReason.UNREADABLE, 1000)).isEqualTo(57);
		assertThat(this.template.delete("q", DeadReason.UNREADABLE, 1000)).isZero();
		assertThat(this.template.stats("q").dead()).isEqualTo(233);
		assertThat(this.template.delete("q", DeadReason.DEAD_LETTERED, Integer.MAX_VALUE)).isEqualTo(233);
	}

	@Test
	void redriveByReasonEndsAlthoughTasksDieAgainMeanwhile() {
		this.fixture.deadLetter("q", "a");
		this.fixture.deadLetter("q", "b");
		this.fixture.store.before(Step.LIST,
				() -> this.fixture.claim("q").forEach((id) -> this.fixture.deadLetterClaimed("q", id)));
		assertThat(this.template.redrive("q", DeadReason.DEAD_LETTERED, 1000)).isEqualTo(2);
		assertThat(this.template.redrive("q", DeadReason.EXPIRED, 1000)).isZero();
	}

	private void die(String taskId, DeadReason reason) {
		this.template.schedule("q", taskId, taskId, Duration.ZERO);
		String token = "token of " + taskId;
		this.fixture.store.claim("q", ClaimRequest.of(token, 1, MINUTE));
		assertThat(this.fixture.store.settle("q",
				List.of(Endings.deadLetter(taskId, token, true,
						FailureJson.writeFailure(new TaskFailure(reason, null, null, ProducerFixture.START), null)))))
			.containsExactly(true);
	}

	@Test
	void deletesWhatIsOverAndNothingElse() {
		this.fixture.settings = QueueOptions.builder().completedRetention(MINUTE).build();
		this.fixture.deadLetter("q", "dead");
		this.template.schedule("q", "done", 1, Duration.ZERO);
		this.fixture.completeAndKeep("q");
		this.template.schedule("q", "held", 1, Duration.ZERO);
		this.fixture.claim("q");
		this.template.schedule("q", "waiting", 1, MINUTE);
		assertThat(List.of("dead", "done", "held", "waiting", "unknown"))
			.extracting((id) -> this.template.delete("q", id))
			.containsExactly(true, true, false, false, false);
		assertThat(this.template.find("q", "dead")).isEmpty();
		assertThat(this.template.find("q", "done")).isEmpty();
		assertThat(details("q", "held").state()).isEqualTo(TaskState.IN_FLIGHT);
		assertThat(details("q", "waiting").state()).isEqualTo(TaskState.SCHEDULED);
	}

	@Test
	void cancelsManyAndAnswersThoseThatThereWere() {
		this.fixture.deadLetter("q", "dead");
		this.template.schedule("q", "a", 1, MINUTE);
		this.template.schedule("q", "b", 1, MINUTE);
		assertThat(this.template.cancelAll("q", List.of("b", "dead", "a", "unknown", "a"))).containsExactly("b", "a");
		assertThat(this.template.stats("q").waiting()).isZero();
		assertThat(this.template.cancelAll("q", List.of())).isEmpty();
	}

	@Test
	void cancelOfManyIsBoundedAndChecksAllNamesBeforeTheFirst() {
		this.template.schedule("q", "a", 1, MINUTE);
		assertThatExceptionOfType(DelayQueueException.class)
			.isThrownBy(() -> this.template.cancelAll("q", Collections.nCopies(501, "a")))
			.withMessage("Queue 'q': number of ids must be 0 to 500, but is 501");
		assertThatExceptionOfType(DelayQueueException.class)
			.isThrownBy(() -> this.template.cancelAll("q", List.of("a", "")));
		assertThat(details("q", "a").state()).isEqualTo(TaskState.SCHEDULED);
	}

	@Test
	void cancelOfManyThatFailsHalfwayTellsHowFarItCame() {
		this.template.schedule("q", "a", 1, MINUTE);
		this.template.schedule("q", "b", 1, MINUTE);
		this.fixture.store.before(Step.CANCEL, () -> {
			if (this.template.stats("q").waiting() == 1) {
				throw new DelayQueueException("q", null, "Could not reach queue 'q'");
			}
		});
		assertThatExceptionOfType(DelayQueueException.class)
			.isThrownBy(() -> this.template.cancelAll("q", List.of("a", "b")))
			.withMessage("Could not reach queue 'q' (after 1 tasks had been cancelled)");
	}

	@Test
	void payloadAloneIsDueNowAndTimesOfDayAreInstants() {
		assertThat(details("q", this.template.schedulePayload("q", "payload").taskId()).dueAt())
			.isEqualTo(ProducerFixture.START);
		ZonedDateTime dueAt = ProducerFixture.START.plusSeconds(5).atZone(ZoneId.of("Asia/Tokyo"));
		assertThat(details("q", this.template.schedulePayload("q", "payload", dueAt).taskId()).dueAt())
			.isEqualTo(dueAt.toInstant());
		assertThat(details("q", this.template.schedule("q", "a", "payload", dueAt).taskId()).dueAt())
			.isEqualTo(dueAt.toInstant());
		assertThat(this.template.reschedule("q", "a", dueAt.plusSeconds(1))).isTrue();
		assertThat(details("q", "a").dueAt()).isEqualTo(dueAt.plusSeconds(1).toInstant());
	}

	@Test
	void requestAsPayloadIsAMistake() {
		TaskRequest request = TaskRequest.queue("q").build();
		assertThatExceptionOfType(DelayQueueException.class)
			.isThrownBy(() -> this.template.schedulePayload("q", request))
			.withMessageContaining("its payload is a TaskRequest");
		assertThatExceptionOfType(DelayQueueException.class)
			.isThrownBy(() -> this.template.schedulePayload("q", TaskRequest.queue("q").id("a")))
			.withMessageContaining("its payload is a TaskRequest");
	}

	@Test
	void purgesDeadAndCompletedTasksUpToTheLimit() {
		this.fixture.settings = QueueOptions.builder().completedRetention(MINUTE).build();
		this.template.schedule("q", "done", 1, Duration.ZERO);
		this.fixture.completeAndKeep("q");
		for (int i = 0; i < 700; i++) {
			this.fixture.deadLetter("q", "a" + i);
		}
		assertThat(this.template.delete("q", TaskState.DEAD, 600)).isEqualTo(600);
		assertThat(this.template.delete("q", TaskState.DEAD, 600)).isEqualTo(100);
		assertThat(this.template.stats("q").totals().deleted()).isEqualTo(700);
		assertThat(this.template.stats("q").completed()).isEqualTo(1);
		assertThat(this.template.delete("q", TaskState.COMPLETED, 10)).isEqualTo(1);
	}

	@Test
	void purgeGoesOnAfterAPageThatIsNotFull() {
		for (int i = 0; i < 20; i++) {
			this.fixture.deadLetter("q", "a" + i);
		}
		TaskStore store = new WholeStore(this.fixture.store) {

			@Override
			public long purge(String queue, TaskState state, int limit) {
				return super.purge(queue, state, Math.min(limit, 7));
			}

		};
		DelayQueueTemplate template = new DelayQueueTemplate(store, this.fixture.codec, this.fixture.events,
				(queue) -> this.fixture.settings, new QueueSteps(store, this.fixture.codec));
		assertThat(template.delete("q", TaskState.DEAD, 1000)).isEqualTo(20);
	}

	@Test
	void limitsBelowOneAreRefused() {
		assertThatExceptionOfType(DelayQueueException.class).isThrownBy(() -> this.template.redrive("q", 0))
			.withMessage("Queue 'q': limit must be at least 1, but is 0");
		assertThatExceptionOfType(DelayQueueException.class)
			.isThrownBy(() -> this.template.delete("q", TaskState.DEAD, 0))
			.withMessage("Queue 'q': limit must be at least 1, but is 0");
	}

	private TaskDetails details(String queue, String taskId) {
		Optional<TaskDetails> found = this.template.find(queue, taskId);
		assertThat(found).isPresent();
		return found.get();
	}

}
