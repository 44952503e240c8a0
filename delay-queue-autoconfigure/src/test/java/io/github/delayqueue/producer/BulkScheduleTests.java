package io.github.delayqueue.producer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.store.DuplicatePolicy;
import io.github.delayqueue.store.ScheduleOutcome;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link DelayQueueTemplate#scheduleAll}.
 */
class BulkScheduleTests {

	private final ProducerFixture fixture = new ProducerFixture();

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
		assertThat(this.fixture.store.calls("schedule")).containsExactly("schedule 500", "schedule 100", "schedule 500",
				"schedule 100");
		assertThat(this.template.stats("q0").scheduled()).isEqualTo(600);
		assertThat(this.fixture.recorded.events()).containsExactly("schedule q0 500", "schedule q0 100",
				"schedule q1 500", "schedule q1 100");
	}

	@Test
	void idTwiceInOneCallIsSeenTwice() {
		TaskRequest rejecting = TaskRequest.queue("q").id("a").onDuplicate(DuplicatePolicy.REJECT).build();
		assertThat(this.template.scheduleAll(List.of(request("q", "a", 1), request("q", "a", 2), rejecting)))
			.extracting(ScheduleResult::outcome)
			.containsExactly(ScheduleOutcome.CREATED, ScheduleOutcome.REPLACED, ScheduleOutcome.REJECTED);
		assertThat(this.template.find("q", "a"))
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
		assertThat(this.fixture.store.calls()).isEmpty();
	}

	@Test
	void failureTellsHowFarItCame() {
		List<TaskRequest> requests = new ArrayList<>();
		for (int i = 0; i < 700; i++) {
			requests.add(request("q", "a" + i, i));
		}
		this.fixture.store.before("announce", () -> this.fixture.store.fail("schedule"));
		assertThatExceptionOfType(DelayQueueException.class).isThrownBy(() -> this.template.scheduleAll(requests))
			.withMessage("Could not reach queue 'q' (tried for 200 tasks, after 500 of 700 had been scheduled)")
			.satisfies((ex) -> assertThat(ex).hasCauseInstanceOf(IllegalStateException.class));
		assertThat(this.template.stats("q").scheduled()).isEqualTo(500);
	}

	@Test
	void nothingIsDoneForNothing() {
		assertThat(this.template.scheduleAll(List.of())).isEmpty();
		assertThat(this.fixture.store.calls()).isEmpty();
	}

	private static TaskRequest request(String queue, String id, Object payload) {
		return TaskRequest.queue(queue).id(id).payload(payload).delay(Duration.ofMinutes(1)).build();
	}

}
