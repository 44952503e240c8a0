package io.github.delayqueue.store;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.delayqueue.DuplicatePolicy;
import io.github.delayqueue.ScheduleOutcome;
import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.TaskState;

import static io.github.delayqueue.fixtures.Tasks.bytes;
import static io.github.delayqueue.store.TaskStoreFixture.ids;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Finding and listing tasks, under any id.
 */
interface LookupContract extends TaskStoreFixture {

	@Test
	default void unknownIdIsNotFound() {
		scheduleDue("a");
		assertThat(store().find(queue(), "b")).isEmpty();
	}

	@Test
	default void scheduledTaskIsFoundWhole() {
		schedule(task("a", TaskPriority.LOW, SECOND));
		StoredTask task = found("a");
		assertThat(task.id()).isEqualTo("a");
		assertThat(task.state()).isEqualTo(TaskState.SCHEDULED);
		assertThat(task.at()).isEqualTo(START.plus(SECOND));
		assertThat(task.dueAt()).isEqualTo(START.plus(SECOND));
		assertThat(task.priority()).isEqualTo(TaskPriority.LOW);
		assertThat(task.failures()).isZero();
		assertThat(task.expiries()).isZero();
		assertThat(task.envelope()).isEqualTo(bytes("a"));
		assertThat(task.failure()).isNull();
	}

	@Test
	default void scheduledTasksAreListedByDueTimeWhateverTheirPriority() {
		schedule(task("a", TaskPriority.HIGH, Duration.ofSeconds(4)),
				task("b", TaskPriority.LOW, Duration.ofSeconds(1)), task("c", Duration.ofSeconds(3)),
				task("d", TaskPriority.LOW, Duration.ofSeconds(2)), task("e", Duration.ofSeconds(5)));
		assertThat(listed(TaskState.SCHEDULED)).containsExactly("b", "d", "c", "a", "e");
		assertThat(page(TaskState.SCHEDULED, 0, 2)).containsExactly("b", "d");
		assertThat(page(TaskState.SCHEDULED, 1, 3)).containsExactly("d", "c", "a");
		assertThat(page(TaskState.SCHEDULED, 4, 10)).containsExactly("e");
		assertThat(page(TaskState.SCHEDULED, 5, 10)).isEmpty();
	}

	@Test
	default void pagesOfScheduledTasksAreThePartsOfTheWholeListWhateverTheirPriorities() {
		TaskPriority[] priorities = TaskPriority.values();
		NewTask[] tasks = new NewTask[120];
		for (int i = 0; i < tasks.length; i++) {
			// many of each priority at the same time, and one priority that is rare
			TaskPriority priority = (i % 11 == 0) ? TaskPriority.HIGH : priorities[i * 7 % 13 % 2 + 1];
			tasks[i] = task("task-" + i * 37 % 120, priority, Duration.ofSeconds(i * 5 % 9));
		}
		schedule(tasks);
		List<String> all = listed(TaskState.SCHEDULED);
		assertThat(all).hasSize(tasks.length);
		for (int offset = 0; offset <= tasks.length; offset++) {
			assertThat(page(TaskState.SCHEDULED, offset, 7)).as("offset %d", offset)
				.isEqualTo(all.subList(offset, Math.min(offset + 7, tasks.length)));
		}
	}

	@Test
	default void tasksInFlightAreListedByDeadline() {
		scheduleDue("a", "b", "c");
		claim("t1");
		extend("a", "t1", Duration.ofMinutes(3));
		extend("b", "t1", Duration.ofMinutes(2));
		assertThat(listed(TaskState.IN_FLIGHT)).containsExactly("c", "b", "a");
		assertThat(page(TaskState.IN_FLIGHT, 1, 1)).containsExactly("b");
	}

	@Test
	default void tasksThatAreOverAreListedByWhenTheyBecameSo() {
		bury("c", "a", "b");
		completeAndKeep("z", "x", "y");
		assertThat(listed(TaskState.DEAD)).containsExactly("c", "a", "b");
		assertThat(page(TaskState.DEAD, 1, 1)).containsExactly("a");
		assertThat(listed(TaskState.COMPLETED)).containsExactly("z", "x", "y");
		assertThat(page(TaskState.COMPLETED, 2, 5)).containsExactly("y");
	}

	@Test
	default void tasksAreListedWithoutTheirEnvelopesOnRequest() {
		bury("a", "b");
		schedule(task("c", TaskPriority.HIGH, SECOND), task("d", TaskPriority.LOW, Duration.ofSeconds(2)));
		for (TaskState state : List.of(TaskState.DEAD, TaskState.SCHEDULED)) {
			List<StoredTask> whole = store().list(queue(), state, 0, 10);
			assertThat(whole).hasSize(2).extracting(StoredTask::envelope).doesNotContainNull();
			List<StoredTask> bare = store().list(queue(), state, 0, 10, Contents.NONE);
			assertThat(bare).extracting(StoredTask::envelope).containsExactly(null, null);
			assertThat(bare).usingRecursiveComparison().ignoringFields("envelope").isEqualTo(whole);
		}
	}

	@Test
	default void onlySmallEnvelopesAreSeenAtAGlance() {
		byte[] start = "{\"v\":1,\"p\":\"".getBytes(StandardCharsets.US_ASCII);
		for (int bytes : List.of(start.length + 2, 1000, Contents.SMALL.maxBytes() / 2, Contents.SMALL.maxBytes() + 1,
				100_000)) {
			byte[] envelope = new byte[bytes];
			Arrays.fill(envelope, (byte) 'x');
			System.arraycopy(start, 0, envelope, 0, start.length);
			envelope[bytes - 2] = '"';
			envelope[bytes - 1] = '}';
			schedule(new NewTask("task-" + bytes, envelope, DueTime.in(Duration.ofMillis(bytes)), TaskPriority.NORMAL,
					DuplicatePolicy.REPLACE));
		}
		List<StoredTask> whole = store().list(queue(), TaskState.SCHEDULED, 1, 4);
		List<StoredTask> glance = store().list(queue(), TaskState.SCHEDULED, 1, 4, Contents.SMALL);
		assertThat(glance).usingRecursiveComparison().ignoringFields("envelope").isEqualTo(whole);
		assertThat(glance).extracting((task) -> task.envelope() != null).containsExactly(true, true, false, false);
		assertThat(glance.get(1)).usingRecursiveComparison().isEqualTo(whole.get(1));
		assertThatIllegalArgumentException()
			.isThrownBy(() -> store().list(queue(), TaskState.DEAD, 0, 501, Contents.SMALL));
	}

	@Test
	default void listedTaskIsTheOneThatIsFound() {
		for (Situation situation : Situation.values()) {
			if (situation.isKnown()) {
				situation.arrange(this);
				TaskState state = found(Situation.TASK).state();
				assertThat(state.name()).isEqualTo(situation.name());
				assertThat(store().list(queue(), state, 0, 10)).usingRecursiveComparison()
					.isEqualTo(List.of(found(Situation.TASK)));
				for (TaskState other : TaskState.values()) {
					assertThat(listed(other)).hasSize((other == state) ? 1 : 0);
				}
			}
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "order-1", "a b  c ", "a:b:c", "/path/to?x=1&y=2", "100%", "%2F", "{braces}", "+5", "-inf",
			"(1", "*", "0", "-1", "1e3", "'\"\\", "日本語のタスク", "naïve café", "👍🏽👨‍👩‍👧", "\u00A0", "e\u0301", "null",
			"true" })
	default void idOfAnyCharactersGoesThroughEveryStep(String id) {
		goThroughEveryStep(id);
	}

	@ParameterizedTest
	@ValueSource(strings = { "x", "é", "語", "👍" })
	default void idOf256BytesGoesThroughEveryStep(String character) {
		int width = bytes(character).length;
		String id = "x".repeat(256 % width) + character.repeat(256 / width);
		assertThat(bytes(id)).hasSize(256);
		goThroughEveryStep(id);
	}

	private void goThroughEveryStep(String id) {
		scheduleDue("other");
		store().reschedule(queue(), "other", DueTime.in(Duration.ofDays(1)));
		assertThat(schedule(task(id, SECOND))).containsExactly(ScheduleOutcome.CREATED);
		assertThat(store().reschedule(queue(), id, DueTime.in(Duration.ZERO))).isTrue();
		assertThat(found(id).id()).isEqualTo(id);
		assertThat(ids(claim("t1"))).containsExactly(id);
		assertThat(extend(id, "t1", SECOND)).isTrue();
		advance(SECOND);
		assertThat(ids(claim("t2"))).containsExactly(id);
		assertThat(settle(Settlement.retry(id, "t2", Duration.ZERO, bytes("failed")))).isTrue();
		assertThat(ids(claim("t3"))).containsExactly(id);
		assertThat(settle(Settlement.bury(id, "t3", true, bytes("failed")))).isTrue();
		assertThat(listed(TaskState.DEAD)).containsExactly(id);
		assertThat(store().redrive(queue(), List.of(id))).containsExactly(true);
		assertThat(ids(claim("t4"))).containsExactly(id);
		assertThat(settle(Settlement.complete(id, "t4", true))).isTrue();
		assertThat(listed(TaskState.COMPLETED)).containsExactly(id);
		assertThat(schedule(task(id, SECOND))).containsExactly(ScheduleOutcome.REPLACED);
		assertThat(store().cancel(queue(), id)).isTrue();
		assertThat(store().find(queue(), id)).isEmpty();
		assertThat(listed(TaskState.SCHEDULED)).containsExactly("other");
	}

	private List<String> page(TaskState state, int offset, int limit) {
		return store().list(queue(), state, offset, limit).stream().map(StoredTask::id).toList();
	}

}
