package io.github.delayqueue.producer;

import java.time.Duration;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.github.delayqueue.DuplicatePolicy;
import io.github.delayqueue.ScheduleOutcome;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Tests for {@link NotReplicatedException} and what leads to it.
 */
@Timeout(60)
class MinReplicasTests {

	private final ProducerFixture fixture = new ProducerFixture();

	private final DelayQueueTemplate template = this.fixture.template;

	@BeforeEach
	void askForTwoReplicas() {
		this.fixture.store.replicas(0, 2);
	}

	@AfterEach
	void close() {
		this.template.destroy();
	}

	@Test
	void enoughReplicasAreASuccess() {
		this.fixture.store.replicas(2, 2);
		assertThat(this.template.schedule("q", "a", 1, Duration.ZERO).taskId()).isEqualTo("a");
		this.fixture.store.replicas(3, 2);
		assertThat(this.template.schedule("q", "b", 1, Duration.ZERO).taskId()).isEqualTo("b");
		assertThat(this.fixture.store.calls("schedule")).containsExactly("schedule 1", "schedule 1");
	}

	@Test
	void tooFewReplicasAreAnErrorThatSaysThatTheTaskIsStored() {
		this.fixture.store.replicas(1, 2);
		assertThatExceptionOfType(NotReplicatedException.class)
			.isThrownBy(() -> this.template.schedule("q", "a", 1, Duration.ZERO))
			.withMessageContaining("Task 'a' is stored in queue 'q' and may run, but 1 of 2 replicas confirmed it")
			.withMessageContaining("delay-queue.producer.min-replicas")
			.satisfies((ex) -> {
				assertThat(ex.getQueue()).isEqualTo("q");
				assertThat(ex.getTaskId()).isEqualTo("a");
				assertThat(ex.getReplicas()).isEqualTo(1);
				assertThat(ex.getMinReplicas()).isEqualTo(2);
				assertThat(ex.getResults()).containsExactly(result("a"));
				assertThat(ex.getReplicatedBefore()).isEmpty();
			});
		assertThat(this.fixture.store.find("q", "a")).isPresent();
		assertThat(this.fixture.claim("q")).hasSize(1);
		assertThat(this.fixture.recorded.events().get(0)).startsWith("schedule q 1 Task 'a' is stored");
		assertThat(this.fixture.uses).containsOnlyOnce("scheduled q");
	}

	@Test
	void generatedIdIsInTheException() {
		NotReplicatedException error = catchThrowableOfType(NotReplicatedException.class,
				() -> this.template.schedulePayload("q", 1, Duration.ZERO));
		assertThat(this.fixture.store.find("q", error.getTaskId())).isPresent();
	}

	@Test
	void taskThatIsKnownIsAnErrorToo() {
		this.fixture.store.replicas(2, 2);
		this.template.schedule("q", "a", 1, Duration.ZERO);
		this.fixture.store.replicas(0, 2);
		TaskRequest again = TaskRequest.queue("q").id("a").onDuplicate(DuplicatePolicy.REJECT).build();
		assertThatExceptionOfType(NotReplicatedException.class).isThrownBy(() -> this.template.schedule(again))
			.satisfies((ex) -> assertThat(ex.getResults())
				.containsExactly(new ScheduleResult("q", "a", ScheduleOutcome.REJECTED)));
	}

	private static ScheduleResult result(String id) {
		return new ScheduleResult("q", id, ScheduleOutcome.CREATED);
	}

}
