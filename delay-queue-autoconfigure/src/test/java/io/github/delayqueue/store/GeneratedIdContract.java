package io.github.delayqueue.store;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

import io.github.delayqueue.DuplicatePolicy;
import io.github.delayqueue.ScheduleOutcome;
import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.TaskState;

import static io.github.delayqueue.fixtures.Tasks.bytes;
import static io.github.delayqueue.store.TaskStoreFixture.ids;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tasks whose ids were generated for them: nothing is looked for, and yet a task that a
 * driver has sent twice is there once.
 */
interface GeneratedIdContract extends TaskStoreFixture {

	@Test
	default void generatedTaskIsStoredWhole() {
		assertThat(schedule(generated("a", TaskPriority.NORMAL, SECOND))).containsExactly(ScheduleOutcome.CREATED);
		StoredTask task = found("a");
		assertThat(task.state()).isEqualTo(TaskState.SCHEDULED);
		assertThat(task.priority()).isEqualTo(TaskPriority.NORMAL);
		assertThat(task.dueAt()).isEqualTo(START.plus(SECOND));
		assertThat(task.envelope()).isEqualTo(bytes("a again"));
		assertThat(task.failures()).isZero();
		assertThat(totals().scheduled()).isOne();
		assertThat(totals().replaced()).isZero();
		assertThat(claim("t1").tasks()).isEmpty();
		advance(SECOND);
		assertThat(ids(claim("t2"))).containsExactly("a");
		assertThat(settle(Settlement.complete("a", "t2", false))).isTrue();
	}

	@Test
	default void generatedTasksOfAllPrioritiesAreStoredInOneCall() {
		assertThat(schedule(generated("l", TaskPriority.LOW, Duration.ZERO),
				generated("n", TaskPriority.NORMAL, Duration.ZERO), generated("h", TaskPriority.HIGH, Duration.ZERO),
				task("chosen", Duration.ZERO)))
			.containsOnly(ScheduleOutcome.CREATED);
		assertThat(ids(claim("t1"))).containsExactly("h", "chosen", "n", "l");
	}

	@ParameterizedTest
	@EnumSource
	default void generatedTaskThatIsSentTwiceIsStoredOnce(TaskPriority priority) {
		NewTask task = generated("a", priority, SECOND);
		assertThat(schedule(task)).containsExactly(ScheduleOutcome.CREATED);
		advance(Duration.ofMillis(10));
		assertThat(schedule(task)).containsExactly(ScheduleOutcome.CREATED);
		assertThat(listed(TaskState.SCHEDULED)).containsExactly("a");
		assertThat(found("a").dueAt()).isEqualTo(now().plus(SECOND));
		assertThat(totals().scheduled()).isEqualTo(2);
		assertThat(totals().replaced()).isOne();
	}

	@ParameterizedTest
	@EnumSource(mode = Mode.EXCLUDE, names = "UNKNOWN")
	default void generatedTaskThatComesAgainTakesThePlaceOfTheFirst(Situation situation) {
		situation.arrange(this);
		long replaced = totals().replaced();
		assertThat(schedule(generated(Situation.TASK, TaskPriority.NORMAL, Duration.ZERO)))
			.containsExactly(ScheduleOutcome.CREATED);
		StoredTask task = found(Situation.TASK);
		assertThat(task.state()).isEqualTo(TaskState.SCHEDULED);
		assertThat(task.failures()).isZero();
		assertThat(task.failure()).isNull();
		assertThat(settle(Settlement.complete(Situation.TASK, Situation.TOKEN, false))).isFalse();
		assertThat(totals().replaced() - replaced).isEqualTo((situation == Situation.COMPLETED) ? 0 : 1);
		assertThat(ids(claim("new"))).containsExactly(Situation.TASK);
		assertThat(store().list(queue(), TaskState.IN_FLIGHT, 0, 10)).hasSize(1);
	}

	@Test
	default void generatedIdIsRejectedWhereThatIsAskedFor() {
		scheduleDue("a");
		NewTask rejecting = new NewTask("a", bytes("new"), DueTime.in(Duration.ZERO), TaskPriority.NORMAL,
				DuplicatePolicy.REJECT, true);
		assertThat(store().schedule(queue(), List.of(rejecting))).containsExactly(ScheduleOutcome.REJECTED);
		assertThat(found("a").envelope()).isEqualTo(bytes("a"));
	}

	private NewTask generated(String id, TaskPriority priority, Duration delay) {
		return new NewTask(id, bytes(id + " again"), DueTime.in(delay), priority, DuplicatePolicy.REPLACE, true);
	}

}
