package io.github.delayqueue.journal;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

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
	void areUrgentWhenAllTasksAreToBeHandedOverOnceMore() {
		assertThat(this.marks.isUrgent()).isFalse();
		this.marks.reset(QUEUE);
		assertThat(this.marks.isUrgent()).isTrue();
		this.marks.flush();
		assertThat(this.marks.isUrgent()).isFalse();
	}

	@Test
	void staySomethingToDoWhenTheDatabaseCannotBeReached() {
		this.marks.reset(QUEUE);
		this.fixture.jdbc.sql("ALTER TABLE delay_queue_task RENAME TO gone").update();
		this.marks.flush();
		assertThat(this.marks.isUrgent()).isTrue();
	}

}
