package io.github.delayqueue.store;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.delayqueue.QueueStats;
import io.github.delayqueue.ScheduleOutcome;
import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.fixtures.Endings;
import io.github.delayqueue.roles.Generation;
import io.github.delayqueue.roles.QueueControl;
import io.github.delayqueue.roles.QueueView;

import static io.github.delayqueue.fixtures.Tasks.bytes;
import static io.github.delayqueue.fixtures.Tasks.newer;
import static io.github.delayqueue.store.Situation.TASK;
import static io.github.delayqueue.store.Situation.TOKEN;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Steps that are held to the generation of a task.
 */
interface VersionContract extends TaskStoreFixture {

	@Test
	default void newerCreatesATaskThatIsNotKnown() {
		assertThat(schedule(newer("a", 5, SECOND))).containsExactly(ScheduleOutcome.CREATED);
		StoredTask task = found("a");
		assertThat(task.envelope()).isEqualTo(Generation.mark(bytes("{\"v\":1}"), 5));
		assertThat(task.dueAt()).isEqualTo(START.plus(SECOND));
		assertThat(totals().scheduled()).isOne();
		assertThat(totals().replaced()).isZero();
	}

	@ParameterizedTest
	@EnumSource(mode = Mode.EXCLUDE, names = "UNKNOWN")
	default void newerReplacesWhatIsOlderInEveryState(Situation situation) {
		arrange(situation, 4);
		assertThat(schedule(newer(TASK, 5, SECOND))).containsExactly(ScheduleOutcome.REPLACED);
		StoredTask task = found(TASK);
		assertThat(task.state()).isEqualTo(TaskState.SCHEDULED);
		assertThat(generation()).isEqualTo(5);
		assertThat(task.failures()).isZero();
		assertThat(task.failure()).isNull();
		assertThat(settle(Endings.complete(TASK, TOKEN, false))).isFalse();
		assertThat(totals().replaced()).isEqualTo((situation == Situation.COMPLETED) ? 1 : 2);
	}

	@ParameterizedTest
	@EnumSource(mode = Mode.EXCLUDE, names = "UNKNOWN")
	default void newerReplacesWhatHasNoGenerationInEveryState(Situation situation) {
		situation.arrange(this);
		assertThat(schedule(newer(TASK, 0, SECOND))).containsExactly(ScheduleOutcome.REPLACED);
		assertThat(found(TASK).state()).isEqualTo(TaskState.SCHEDULED);
		assertThat(generation()).isZero();
	}

	@ParameterizedTest
	@EnumSource(mode = Mode.EXCLUDE, names = "UNKNOWN")
	default void newerLeavesWhatIsNotOlderInEveryState(Situation situation) {
		arrange(situation, 5);
		for (long generation : List.of(5L, 4L, 0L)) {
			unchanged(() -> assertThat(schedule(newer(TASK, generation, SECOND)))
				.containsExactly(ScheduleOutcome.REJECTED));
		}
		unchanged(() -> assertThat(schedule(unmarked(TASK))).containsExactly(ScheduleOutcome.REJECTED));
		if (situation == Situation.IN_FLIGHT) {
			assertThat(settle(Endings.complete(TASK, TOKEN, false))).isTrue();
		}
	}

	/** A loader of the journal was first. */
	@Test
	default void newerOfAGeneratedIdThatIsKnownAllTheSameIsRejected() {
		assertThat(schedule(generated("a", SECOND))).containsExactly(ScheduleOutcome.CREATED);
		assertThat(schedule(generated("a", SECOND.multipliedBy(2)), generated("b", SECOND)))
			.containsExactly(ScheduleOutcome.REJECTED, ScheduleOutcome.CREATED);
		assertThat(found("a").dueAt()).isEqualTo(START.plus(SECOND));
		assertThat(found("b").state()).isEqualTo(TaskState.SCHEDULED);
		assertThat(totals().scheduled()).isEqualTo(2);
	}

	private static NewTask generated(String id, Duration delay) {
		NewTask task = newer(id, 5, delay);
		return new NewTask(id, task.envelope(), task.due(), task.priority(), task.onDuplicate(), true);
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"g\":\"9\"}", "{\"g\":\"000000000000000x\"}", "{\"g\":\"99999999999999999\"}",
			"{\"v\":1,\"g\":\"9999999999999999\"}", "{\"g\":9999999999999999}", "[]", "" })
	default void whatOnlyLooksLikeAGenerationIsNone(String envelope) {
		schedule(new NewTask("a", bytes(envelope), DueTime.in(SECOND), TaskPriority.NORMAL, Replacement.REPLACE));
		assertThat(schedule(newer("a", 1, SECOND))).containsExactly(ScheduleOutcome.REPLACED);
	}

	@Test
	default void idThatComesTwiceIsSeenTwice() {
		assertThat(schedule(newer("a", 2, SECOND), newer("a", 1, SECOND), newer("a", 2, SECOND),
				newer("a", 3, Duration.ofSeconds(3)), newer("b", 1, SECOND)))
			.containsExactly(ScheduleOutcome.CREATED, ScheduleOutcome.REJECTED, ScheduleOutcome.REJECTED,
					ScheduleOutcome.REPLACED, ScheduleOutcome.CREATED);
		assertThat(found("a").dueAt()).isEqualTo(START.plusSeconds(3));
		assertThat(Generation.of(found("a").envelope())).hasValue(3);
		assertThat(totals().scheduled()).isEqualTo(3);
		assertThat(totals().replaced()).isOne();
	}

	@Test
	default void policiesMayBeMixedInOneCall() {
		schedule(newer("a", 5, SECOND), newer("b", 5, SECOND));
		NewTask older = replacing("a", 1);
		assertThat(schedule(newer("a", 4, SECOND), older, newer("a", 2, SECOND), newer("b", 6, SECOND), older))
			.containsExactly(ScheduleOutcome.REJECTED, ScheduleOutcome.REPLACED, ScheduleOutcome.REPLACED,
					ScheduleOutcome.REPLACED, ScheduleOutcome.REPLACED);
		assertThat(Generation.of(found("a").envelope())).hasValue(1);
		assertThat(Generation.of(found("b").envelope())).hasValue(6);
	}

	@ParameterizedTest
	@EnumSource(mode = Mode.INCLUDE, names = { "SCHEDULED", "IN_FLIGHT" })
	default void cancelRemovesWhatIsNotNewer(Situation situation) {
		arrange(situation, 5);
		unchanged(() -> assertThat(store().cancel(queue(), TASK, Generation.upTo(4))).isFalse());
		assertThat(store().cancel(queue(), TASK, Generation.upTo(5))).isTrue();
		assertThat(store().find(queue(), TASK)).isEmpty();
		assertThat(totals().cancelled()).isOne();
		assertThat(settle(Endings.complete(TASK, TOKEN, false))).isFalse();
		assertThat(store().cancel(queue(), TASK, Generation.upTo(5))).isFalse();
	}

	@ParameterizedTest
	@EnumSource(mode = Mode.INCLUDE, names = { "SCHEDULED", "IN_FLIGHT" })
	default void cancelOfAGenerationRemovesWhatHasNone(Situation situation) {
		situation.arrange(this);
		assertThat(store().cancel(queue(), TASK, Generation.upTo(0))).isTrue();
		assertThat(store().find(queue(), TASK)).isEmpty();
	}

	@ParameterizedTest
	@EnumSource(mode = Mode.EXCLUDE, names = { "SCHEDULED", "IN_FLIGHT" })
	default void cancelOfAGenerationLeavesWhatIsFinishedOrUnknown(Situation situation) {
		arrange(situation, 5);
		unchanged(() -> assertThat(store().cancel(queue(), TASK, Generation.upTo(9))).isFalse());
	}

	@Test
	default void rescheduleOfAGenerationMovesWhatIsOfItAndMarksIt() {
		arrange(Situation.SCHEDULED, 4);
		StoredTask before = found(TASK);
		assertThat(store().reschedule(queue(), TASK, DueTime.in(Duration.ofDays(1)), Generation.exactly(4, 5)))
			.isTrue();
		StoredTask task = found(TASK);
		assertThat(task.dueAt()).isEqualTo(task.at()).isEqualTo(now().plus(Duration.ofDays(1)));
		assertThat(task.envelope()).isEqualTo(Generation.mark(bytes("{\"v\":1}"), 5));
		assertThat(task).usingRecursiveComparison().ignoringFields("at", "dueAt", "envelope").isEqualTo(before);
		assertThat(task.failures()).isOne();
		unchanged(() -> assertThat(store().reschedule(queue(), TASK, DueTime.in(SECOND), Generation.exactly(4, 6)))
			.isFalse());
		unchanged(() -> assertThat(store().reschedule(queue(), TASK, DueTime.in(SECOND), Generation.exactly(6, 7)))
			.isFalse());
		assertThat(schedule(newer(TASK, 5, SECOND))).containsExactly(ScheduleOutcome.REJECTED);
	}

	@ParameterizedTest
	@ValueSource(strings = { "{}", "{\"g\":\"12\",\"v\":1}", "{\"g\":\"0000000000000004", "", "[]", "7" })
	default void rescheduleOfAGenerationLeavesWhatHasNone(String envelope) {
		schedule(new NewTask(TASK, bytes(envelope), DueTime.in(SECOND), TaskPriority.LOW, Replacement.REPLACE));
		unchanged(() -> assertThat(
				store().reschedule(queue(), TASK, DueTime.in(Duration.ofDays(1)), Generation.exactly(0, 7)))
			.isFalse());
	}

	@ParameterizedTest
	@EnumSource(mode = Mode.EXCLUDE, names = "SCHEDULED")
	default void rescheduleOfAGenerationLeavesWhatIsNotScheduled(Situation situation) {
		arrange(situation, 4);
		unchanged(() -> assertThat(store().reschedule(queue(), TASK, DueTime.in(SECOND), Generation.exactly(4, 5)))
			.isFalse());
	}

	@Test
	default void droppedTaskIsGoneAndCountedAsCancelled() {
		scheduleDue("a", "b");
		claim(TOKEN);
		assertThat(settle(Endings.drop("a", "wrong"))).isFalse();
		assertThat(settle(Endings.drop("a", TOKEN))).isTrue();
		assertThat(settle(Endings.drop("a", TOKEN))).isFalse();
		assertThat(settle(Endings.complete("b", TOKEN, false))).isTrue();
		assertThat(store().find(queue(), "a")).isEmpty();
		assertThat(totals().cancelled()).isOne();
		assertThat(totals().completed()).isOne();
		assertThat(totals().stale()).isEqualTo(2);
		advance(LEASE_DURATION.plus(SECOND));
		assertThat(claim("later").tasks()).isEmpty();
	}

	/** As the situation arranges it, and then with a generation. */
	private void arrange(Situation situation, long generation) {
		if (!situation.isKnown()) {
			return;
		}
		schedule(newer(TASK, 1, Duration.ofHours(1)));
		schedule(new NewTask(TASK, Generation.mark(bytes("{\"v\":1}"), generation), DueTime.in(Duration.ZERO),
				TaskPriority.HIGH, Replacement.NEWER));
		situation.finish(this);
	}

	private long generation() {
		return Generation.of(found(TASK).envelope()).orElseThrow();
	}

	private void unchanged(Runnable operation) {
		Optional<StoredTask> before = store().find(queue(), TASK);
		QueueStats statsBefore = stats();
		operation.run();
		assertThat(store().find(queue(), TASK)).usingRecursiveComparison().isEqualTo(before);
		assertThat(stats()).isEqualTo(statsBefore);
	}

	private static NewTask unmarked(String id) {
		return new NewTask(id, bytes("{\"v\":1}"), DueTime.in(SECOND), TaskPriority.NORMAL, Replacement.NEWER);
	}

	private static NewTask replacing(String id, long generation) {
		return new NewTask(id, Generation.mark(bytes("{\"v\":1}"), generation), DueTime.in(SECOND), TaskPriority.LOW,
				Replacement.REPLACE);
	}

	@ParameterizedTest
	@EnumSource
	default void purgeByIdForgetsWhatIsDead(Situation situation) {
		situation.arrange(this);
		if (situation == Situation.DEAD) {
			assertThat(QueueControl.of(store())
				.purge(queue(), TaskState.DEAD, Map.of("unknown", Generation.MAX, TASK, Generation.MAX))).isOne();
			assertThat(store().find(queue(), TASK)).isEmpty();
			assertThat(stats().dead()).isZero();
			assertThat(totals().deleted()).isOne();
			assertThat(schedule(newer(TASK, 1, SECOND))).containsExactly(ScheduleOutcome.CREATED);
		}
		else {
			unchanged(() -> assertThat(QueueControl.of(store())
				.purge(queue(), TaskState.DEAD, Map.of("unknown", Generation.MAX, TASK, Generation.MAX))).isZero());
		}
	}

	@ParameterizedTest
	@EnumSource
	default void purgeByIdForgetsWhatIsCompletedIfThatIsMeant(Situation situation) {
		situation.arrange(this);
		Map<String, Long> both = Map.of("unknown", Generation.MAX, TASK, Generation.MAX);
		if (situation == Situation.COMPLETED) {
			assertThat(QueueControl.of(store()).purge(queue(), TaskState.COMPLETED, both)).isOne();
			assertThat(store().find(queue(), TASK)).isEmpty();
			assertThat(stats().completed()).isZero();
			assertThat(totals().deleted()).isZero();
			assertThat(schedule(newer(TASK, 1, SECOND))).containsExactly(ScheduleOutcome.CREATED);
		}
		else {
			unchanged(() -> assertThat(QueueControl.of(store()).purge(queue(), TaskState.COMPLETED, both)).isZero());
		}
	}

	@Test
	default void purgeByIdLeavesWhatIsNewer() {
		deadLettered("older", 6);
		deadLettered("same", 7);
		deadLettered("newer", 8);
		assertThat(
				QueueControl.of(store()).purge(queue(), TaskState.DEAD, Map.of("older", 7L, "same", 7L, "newer", 7L)))
			.isEqualTo(2);
		assertThat(QueueView.of(store()).list(queue(), TaskState.DEAD, 0, 10)).extracting(StoredTask::id)
			.containsExactly("newer");
	}

	@Test
	default void purgeByIdLeavesWhatHasDiedSince() {
		deadLettered("earlier", 6);
		Instant until = QueueView.of(store()).list(queue(), TaskState.DEAD, 0, 1).get(0).at();
		deadLettered("later", 6);
		Map<String, Long> both = Map.of("earlier", Generation.MAX, "later", Generation.MAX);
		assertThat(QueueControl.of(store()).purge(queue(), TaskState.DEAD, both, until.minusMillis(1))).isZero();
		assertThat(QueueControl.of(store()).purge(queue(), TaskState.DEAD, both, until)).isOne();
		assertThat(QueueView.of(store()).list(queue(), TaskState.DEAD, 0, 10)).extracting(StoredTask::id)
			.containsExactly("later");
	}

	@Test
	default void purgeByIdForgetsLargeTasks() {
		byte[] large = bytes("{\"v\":\"" + "x".repeat(700_000) + "\"}");
		Map<String, Long> generations = new HashMap<>();
		for (int i = 0; i < 5; i++) {
			dead(new NewTask("large-" + i, Generation.mark(large, 7), DueTime.in(Duration.ZERO), TaskPriority.NORMAL,
					Replacement.REPLACE));
			generations.put("large-" + i, (i == 2) ? 6L : 7L);
		}
		assertThat(QueueControl.of(store()).purge(queue(), TaskState.DEAD, generations)).isEqualTo(4);
		assertThat(stats().dead()).isOne();
	}

	private void dead(NewTask task) {
		schedule(task);
		advance(SECOND);
		claim("bury");
		settle(Endings.deadLetter(task.id(), "bury", true, null));
	}

	private void deadLettered(String id, long generation) {
		dead(replacing(id, generation));
	}

}
