package io.github.delayqueue.bulk;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import com.fasterxml.jackson.annotation.JsonValue;
import org.junit.jupiter.api.Test;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.DuplicatePolicy;
import io.github.delayqueue.ScheduleOutcome;
import io.github.delayqueue.fixtures.Step;
import io.github.delayqueue.management.QueueSteps;
import io.github.delayqueue.producer.DelayQueueTemplate;
import io.github.delayqueue.producer.NotReplicatedException;
import io.github.delayqueue.producer.ProducerFixture;
import io.github.delayqueue.producer.ScheduleResult;
import io.github.delayqueue.producer.TaskRequest;
import io.github.delayqueue.roles.QueueView;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Tests for {@link DelayQueueTemplate#scheduleAll}.
 */
class BulkScheduleTests {

	private final BulkFixture fixture = new BulkFixture();

	private final DelayQueueTemplate template = this.fixture.template;

	@Test
	void answersInTheOrderOfRequestsOfAnyQueues() {
		List<TaskRequest> requests = new ArrayList<>();
		for (int i = 0; i < 1200; i++) {
			requests.add(request("q" + i % 2, "a" + i, i));
		}
		List<ScheduleResult> results = this.template.scheduleAll(requests);
		assertThat(results).hasSize(1200);
		for (int i = 0; i < 1200; i++) {
			assertThat(results.get(i)).isEqualTo(new ScheduleResult("q" + i % 2, "a" + i, ScheduleOutcome.CREATED));
		}
		assertThat(this.fixture.store.calls("schedule")).containsExactly("schedule 200", "schedule 200", "schedule 200",
				"schedule 200", "schedule 200", "schedule 200");
		assertThat(QueueView.of(this.fixture.store).stats("q0").waiting()).isEqualTo(600);
		assertThat(this.fixture.recorded.events()).containsExactly("schedule q0 200", "schedule q1 200",
				"schedule q0 200", "schedule q1 200", "schedule q0 200", "schedule q1 200");
	}

	@Test
	void idTwiceInOneCallIsSeenTwice() {
		TaskRequest rejecting = TaskRequest.queue("q").id("a").onDuplicate(DuplicatePolicy.REJECT).build();
		assertThat(this.template.scheduleAll(List.of(request("q", "a", 1), request("q", "a", 2), rejecting)))
			.extracting(ScheduleResult::outcome)
			.containsExactly(ScheduleOutcome.CREATED, ScheduleOutcome.REPLACED, ScheduleOutcome.REJECTED);
		assertThat(new QueueSteps(this.fixture.store, this.fixture.codec).find("q", "a"))
			.hasValueSatisfying((task) -> assertThat(task.payloadJson()).isEqualTo("2"));
	}

	@Test
	void callsAreBoundedInBytes() {
		String large = "x".repeat(900_000);
		List<TaskRequest> requests = new ArrayList<>();
		for (int i = 0; i < 9; i++) {
			requests.add(request("q", "a" + i, large));
		}
		this.template.scheduleAll(requests);
		assertThat(this.fixture.store.calls("schedule")).containsExactly("schedule 4", "schedule 4", "schedule 1");
	}

	@Test
	void nothingIsSentIfOneRequestCannotBeWritten() {
		List<TaskRequest> requests = List.of(request("q", "a", 1), request("q", "b", ProducerFixture.unwritable()));
		assertThatExceptionOfType(DelayQueueException.class).isThrownBy(() -> this.template.scheduleAll(requests))
			.withMessageStartingWith(
					"Task 'b' for queue 'q' is not scheduled: its payload of type java.util.ArrayList");
		assertThat(this.fixture.store.calls("schedule")).isEmpty();
	}

	@Test
	void nothingIsSentBeforeAsManyAsAreWrittenAhead() {
		List<TaskRequest> requests = new ArrayList<>(newTasks(BulkSchedule.WRITTEN_AHEAD - 1));
		requests.add(request("q", "b", ProducerFixture.unwritable()));
		assertThatExceptionOfType(DelayQueueException.class).isThrownBy(() -> this.template.scheduleAll(requests))
			.withMessageNotContaining("are scheduled");
		assertThat(this.fixture.store.calls("schedule")).isEmpty();
	}

	@Test
	void requestThatCannotBeWrittenBehindManyTellsHowManyAreScheduled() {
		List<TaskRequest> requests = new ArrayList<>(newTasks(BulkSchedule.WRITTEN_AHEAD + 1));
		requests.add(request("q", "b", ProducerFixture.unwritable()));
		requests.addAll(newTasks(10));
		assertThatExceptionOfType(DelayQueueException.class).isThrownBy(() -> this.template.scheduleAll(requests))
			.withMessageStartingWith("Task 'b' for queue 'q' is not scheduled: its payload of type java.util.ArrayList")
			.withMessageEndingWith("(1200 of 2012 are scheduled)")
			.satisfies((ex) -> assertThat(ex.getTaskId()).isEqualTo("b"))
			.satisfies((ex) -> assertThat(ex.getQueue()).isEqualTo("q"))
			.havingCause()
			.withMessageContaining("nesting");
		assertThat(QueueView.of(this.fixture.store).stats("q").waiting()).isEqualTo(1200);
		assertThat(this.fixture.recorded.events()).contains("schedule q 200");
	}

	@Test
	void fewAreInMemoryHoweverManyThereAre() {
		AtomicInteger written = new AtomicInteger();
		List<Integer> writtenBefore = new ArrayList<>();
		this.fixture.store.before(Step.SCHEDULE, () -> writtenBefore.add(written.get()));
		List<TaskRequest> requests = Collections.nCopies(6000,
				TaskRequest.queue("q").payload(new Counted(written)).build());
		assertThat(this.template.scheduleAll(requests)).hasSize(6000);
		assertThat(writtenBefore).hasSize(30);
		for (int call = 0; call < 30; call++) {
			assertThat(writtenBefore.get(call) - 200 * call).isBetween(200, BulkSchedule.WRITTEN_AHEAD + 1);
		}
	}

	@Test
	void tasksOfManyQueuesAreSentInLargeCalls() {
		List<TaskRequest> requests = new ArrayList<>();
		for (int i = 0; i < 20_000; i++) {
			requests.add(request("q" + i % 16, "a" + i, i));
		}
		List<ScheduleResult> results = this.template.scheduleAll(requests);
		for (int i = 0; i < 20_000; i++) {
			assertThat(results.get(i)).isEqualTo(new ScheduleResult("q" + i % 16, "a" + i, ScheduleOutcome.CREATED));
		}
		assertThat(this.fixture.store.calls("schedule")).hasSizeLessThan(20_000 / 100);
	}

	@Test
	void failureTellsHowFarItCame() {
		List<TaskRequest> requests = new ArrayList<>();
		for (int i = 0; i < 700; i++) {
			requests.add(request("q", "a" + i, i));
		}
		this.fixture.onUse = () -> this.fixture.store.fail(Step.SCHEDULE);
		assertThatExceptionOfType(DelayQueueException.class).isThrownBy(() -> this.template.scheduleAll(requests))
			.withMessage("Could not reach queue 'q' (tried for 200 tasks; 200 of 700 are scheduled)")
			.satisfies((ex) -> assertThat(ex).hasCauseInstanceOf(IllegalStateException.class));
		assertThat(QueueView.of(this.fixture.store).stats("q").waiting()).isEqualTo(200);
	}

	@Test
	void newTasksAreSentWhileTheStoreWorksOnOthers() {
		List<Integer> answeredBefore = new ArrayList<>();
		this.fixture.store.before(Step.SCHEDULE, () -> answeredBefore.add(this.fixture.recorded.events().size()));
		assertThat(this.template.scheduleAll(newTasks(2000))).extracting(ScheduleResult::outcome)
			.containsOnly(ScheduleOutcome.CREATED);
		assertThat(answeredBefore).containsExactly(0, 0, 0, 1, 2, 3, 4, 5, 6, 7);
		assertThat(this.fixture.store.calls("schedule")).hasSize(10).containsOnly("schedule 200");
		assertThat(QueueView.of(this.fixture.store).stats("q").waiting()).isEqualTo(2000);
	}

	@Test
	void failureCountsAllThatWasSentBehindIt() {
		AtomicInteger answers = new AtomicInteger();
		this.fixture.store.before(Step.ANSWER, () -> {
			if (answers.incrementAndGet() == 1) {
				throw new DelayQueueException("q", null, "Broken");
			}
		});
		assertThatExceptionOfType(DelayQueueException.class).isThrownBy(() -> this.template.scheduleAll(newTasks(2000)))
			.withMessage("Broken (tried for 200 tasks; 400 of 2000 are scheduled)");
		assertThat(QueueView.of(this.fixture.store).stats("q").waiting()).isEqualTo(600);
		assertThat(this.fixture.recorded.events()).containsExactly("schedule q 0 Broken", "schedule q 200",
				"schedule q 200");
	}

	@Test
	void tasksWithIdsAreSentOneCallAfterTheOther() {
		List<TaskRequest> requests = new ArrayList<>(newTasks(500));
		for (int i = 0; i < 600; i++) {
			requests.add(request("q", "a" + i, i));
		}
		List<Integer> answeredBefore = new ArrayList<>();
		this.fixture.store.before(Step.SCHEDULE, () -> answeredBefore.add(this.fixture.recorded.events().size()));
		this.template.scheduleAll(requests);
		assertThat(answeredBefore).containsExactly(0, 0, 2, 3, 4, 5);
	}

	@Test
	void furtherFailuresAreSuppressed() {
		this.fixture.store.fail(Step.ANSWER);
		assertThatExceptionOfType(DelayQueueException.class).isThrownBy(() -> this.template.scheduleAll(newTasks(1000)))
			.withMessageContaining("0 of 1000 are scheduled")
			.satisfies((ex) -> assertThat(ex.getSuppressed()).hasSize(2));
	}

	@Test
	void endsWithTheFirstCallOfTooFewReplicas() {
		int[] calls = { 0 };
		this.fixture.store.before(Step.SCHEDULE, () -> this.fixture.store.replicas((++calls[0] == 2) ? 1 : 2, 2));
		NotReplicatedException error = catchThrowableOfType(NotReplicatedException.class,
				() -> this.template.scheduleAll(numbered(500)));
		assertThat(error).hasMessageContaining("200 tasks are stored in queue 'q'")
			.hasMessageContaining("200 of 500 tasks had been scheduled and replicated before; 100 were not sent");
		assertThat(error.getTaskId()).isNull();
		assertThat(error.getReplicatedBefore()).hasSize(200).startsWith(result("a0")).endsWith(result("a199"));
		assertThat(error.getResults()).hasSize(200).startsWith(result("a200")).endsWith(result("a399"));
		assertThat(QueueView.of(this.fixture.store).stats("q").waiting()).isEqualTo(400);
	}

	private static ScheduleResult result(String id) {
		return new ScheduleResult("q", id, ScheduleOutcome.CREATED);
	}

	private static List<TaskRequest> numbered(int count) {
		return IntStream.range(0, count).mapToObj((i) -> request("q", "a" + i, i)).toList();
	}

	private static List<TaskRequest> newTasks(int count) {
		return Collections.nCopies(count, TaskRequest.queue("q").delay(Duration.ofMinutes(1)).build());
	}

	@Test
	void nothingIsDoneForNothing() {
		assertThat(this.template.scheduleAll(List.of())).isEmpty();
		assertThat(this.fixture.store.calls()).isEmpty();
	}

	private static TaskRequest request(String queue, String id, Object payload) {
		return TaskRequest.queue(queue).id(id).payload(payload).delay(Duration.ofMinutes(1)).build();
	}

	/**
	 * Counts how often it is written.
	 */
	private record Counted(AtomicInteger count) {

		@JsonValue
		int next() {
			return this.count.incrementAndGet();
		}

	}

}
