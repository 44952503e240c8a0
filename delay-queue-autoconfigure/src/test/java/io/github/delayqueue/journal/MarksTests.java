package io.github.delayqueue.journal;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.fixtures.Step;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.DuplicatePolicy;
import io.github.delayqueue.store.NewTask;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is remembered of hand-overs until it is written down.
 */
class MarksTests {

	private static final String QUEUE = "orders";

	private final JournalFixture fixture = new JournalFixture();

	private final Marks marks = this.fixture.store.marks();

	@AfterEach
	void close() {
		this.fixture.close();
	}

	@Test
	void areWrittenWhenTheyAreOldOrTheTaskIsDueSoon() {
		schedule("far", Duration.ofMinutes(10));
		schedule("near", Marks.BEFORE_DUE.plusSeconds(12));
		schedule("due", Duration.ZERO);
		pass(Duration.ofSeconds(1));
		assertThat(this.fixture.rows(QUEUE)).isEqualTo("due:WAITING far:WAITING near:WAITING");
		pass(Duration.ofSeconds(1));
		assertThat(this.fixture.rows(QUEUE)).isEqualTo("due:HANDED far:WAITING near:WAITING");
		pass(Duration.ofSeconds(10));
		assertThat(this.fixture.rows(QUEUE)).isEqualTo("due:HANDED far:WAITING near:HANDED");
		pass(Marks.MAX_AGE.minusSeconds(12));
		assertThat(this.fixture.rows(QUEUE)).isEqualTo("due:HANDED far:HANDED near:HANDED");
	}

	@Test
	void areWrittenBeforeALoaderHandsATaskOverOnceMore() {
		Loading loading = this.fixture.loading(QUEUE);
		loading.round();
		for (int seconds = 0; seconds < 200; seconds += 7) {
			schedule("in-" + seconds, Duration.ofSeconds(seconds));
		}
		int calls = this.fixture.below.calls(Step.SCHEDULE);
		for (int second = 0; second < 100; second++) {
			pass(Duration.ofSeconds(1));
			loading.round();
		}
		assertThat(this.fixture.below.calls(Step.SCHEDULE)).isEqualTo(calls);
		assertThat(this.fixture.rows(QUEUE)).doesNotContain("WAITING");
	}

	@Test
	void areVoidWhenAllTasksAreToBeHandedOverOnceMore() {
		schedule("a", Duration.ofMinutes(1));
		this.marks.flush();
		this.marks.reset(QUEUE);
		assertThat(this.fixture.rows(QUEUE)).isEqualTo("a:HANDED");
		this.marks.flushDue();
		assertThat(this.fixture.rows(QUEUE)).isEqualTo("a:WAITING");
	}

	@Test
	void staySomethingToDoWhenTheDatabaseCannotBeReached() {
		schedule("a", Duration.ofMinutes(1));
		this.marks.flush();
		this.marks.reset(QUEUE);
		this.fixture.jdbc.sql("ALTER TABLE delay_queue_task RENAME TO gone").update();
		this.marks.flushDue();
		this.fixture.jdbc.sql("ALTER TABLE gone RENAME TO delay_queue_task").update();
		this.marks.flushDue();
		assertThat(this.fixture.rows(QUEUE)).isEqualTo("a:WAITING");
	}

	private void pass(Duration time) {
		this.fixture.clock.advance(time);
		this.marks.flushDue();
	}

	private void schedule(String id, Duration delay) {
		this.fixture.store.schedule(QUEUE, List.of(new NewTask(id, "{}".getBytes(StandardCharsets.UTF_8),
				DueTime.in(delay), TaskPriority.NORMAL, DuplicatePolicy.REPLACE)));
	}

}
