package io.github.delayqueue.migration;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.github.delayqueue.producer.TaskDetails;

import static io.github.delayqueue.migration.MigrationFixture.QUEUE;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the application does with a task between two steps of its being moved has effect.
 */
class MigrationMeanwhileIntegrationTests {

	private static final String ID = "order_1";

	private static final Instant LATER = Instant.now().plus(Duration.ofMinutes(30)).truncatedTo(ChronoUnit.MILLIS);

	@AutoClose
	private final MigrationFixture fixture = new MigrationFixture();

	private final String key = this.fixture.source;

	@BeforeEach
	void addWhatIsOverdue() {
		this.fixture.redis.opsForZSet().add(this.key, ID, 1);
	}

	@ParameterizedTest
	@EnumSource(names = { "TAKEN", "SCHEDULED" })
	void replacementIsLeftAlone(MoveStep step) {
		moveWith(step, () -> this.fixture.delayQueue.schedule(QUEUE, ID, "newer", LATER));
		List<TaskDetails> tasks = this.fixture.scheduled();
		assertThat(tasks).extracting(TaskDetails::dueAt).containsExactly(LATER);
		assertThat(tasks.get(0).payload(String.class)).isEqualTo("newer");
	}

	@Test
	void newDueTimeIsKept() {
		moveWith(MoveStep.SCHEDULED, () -> assertThat(this.fixture.delayQueue.reschedule(QUEUE, ID, LATER)).isTrue());
		assertThat(this.fixture.scheduled()).extracting(TaskDetails::dueAt).containsExactly(LATER);
	}

	@Test
	void whatIsCancelledStaysCancelled() {
		moveWith(MoveStep.SCHEDULED, () -> assertThat(this.fixture.delayQueue.cancel(QUEUE, ID)).isTrue());
		assertThat(this.fixture.scheduled()).isEmpty();
	}

	@ParameterizedTest
	@EnumSource(names = { "TAKEN", "SCHEDULED" })
	void replacementOutlivesThatItsEntryWasMovedByAnotherInstance(MoveStep step) {
		moveWith(step, () -> {
			// that one has finished while we were paused
			this.fixture.redis.delete(this.fixture.prefix + "moving:{" + this.key + "}");
			this.fixture.delayQueue.schedule(QUEUE, ID, "newer", LATER);
		});
		assertThat(this.fixture.scheduled()).extracting(TaskDetails::dueAt).containsExactly(LATER);
	}

	private void moveWith(MoveStep step, Runnable meanwhile) {
		AtomicBoolean done = new AtomicBoolean();
		MigrationRunner runner = this.fixture.runner((ended) -> {
			if (ended == step && !done.getAndSet(true)) {
				meanwhile.run();
			}
		}, SortedSetMigration.from(this.key).to(QUEUE).build());
		runner.start();
		Awaitility.await().until(() -> done.get() && MigrationFixture.isDone(runner.progress().get(0)));
		runner.stop();
	}

}
