package io.github.delayqueue.journal;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import io.github.delayqueue.ScheduleOutcome;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.debounce.Debounce;
import io.github.delayqueue.fixtures.Endings;
import io.github.delayqueue.fixtures.Tasks;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.Replacement;
import io.github.delayqueue.store.StoredTask;

import static io.github.delayqueue.fixtures.Tasks.task;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Debounced tasks of queues with a journal: the row has the limit, and the store only
 * says whether the task has been delivered.
 */
class JournalDebounceTests {

	private static final String QUEUE = "reindex";

	private static final Duration QUIET = Duration.ofSeconds(5);

	@AutoClose
	private final JournalFixture fixture = new JournalFixture();

	private final JournaledTaskStore store = this.fixture.store;

	@Test
	void rolledBackTaskNeitherBeginsABurstNorMovesTheTask() {
		this.fixture.transaction.executeWithoutResult((status) -> {
			assertThat(schedule(8)).isEqualTo(ScheduleOutcome.CREATED);
			status.setRollbackOnly();
		});
		advance(4);
		schedule(8);
		assertDue(9);
		advance(3);
		this.fixture.transaction.executeWithoutResult((status) -> {
			assertThat(schedule(8)).isEqualTo(ScheduleOutcome.REPLACED);
			assertThat(this.store.find(QUEUE, "a")).map(StoredTask::dueAt).contains(at(12));
			status.setRollbackOnly();
		});
		assertDue(9);
		assertThat(this.fixture.memory.find(QUEUE, "a")).map(StoredTask::dueAt).contains(at(9));
	}

	@Test
	void burstGoesOnWithinATransactionAndBehindIt() {
		this.fixture.transaction.executeWithoutResult((status) -> {
			schedule(8);
			advance(4);
			schedule(8);
		});
		assertDue(8);
		advance(1);
		assertThat(this.fixture.memory.find(QUEUE, "a")).map(StoredTask::dueAt).contains(at(8));
		schedule(8);
		assertDue(8);
	}

	@Test
	void rowSaysHowLongWhileTheStoreIsAwayOrHasLostTheTask() {
		schedule(8);
		this.fixture.unreachable.set(true);
		advance(4);
		assertThat(schedule(8)).isEqualTo(ScheduleOutcome.REPLACED);
		assertDue(8);
		advance(5);
		schedule(8);
		assertDue(8);
		this.fixture.unreachable.set(false);
		this.fixture.memory.clear(QUEUE);
		schedule(8);
		assertDue(8);
	}

	@Test
	void burstIsOverOnceTheStoreHasDeliveredTheTaskAlsoBeforeItIsDueByTheRow() {
		schedule(60);
		this.fixture.memory.reschedule(QUEUE, "a", DueTime.in(Duration.ZERO));
		assertThat(this.store.claim(QUEUE, ClaimRequest.of("token", 1, Duration.ofSeconds(30))).tasks()).hasSize(1);
		advance(1);
		schedule(8);
		assertDue(6);
		assertThat(this.store.settle(QUEUE, List.of(Endings.complete("a", "token", false)))).containsExactly(false);
		assertThat(this.fixture.memory.find(QUEUE, "a")).map(StoredTask::state).contains(TaskState.SCHEDULED);
		advance(4);
		schedule(8);
		assertDue(9);
	}

	@Test
	void burstBeyondTheHorizonIsOneOfTheTableAlone() {
		Duration quiet = JournalFixture.HORIZON.plusHours(1);
		Duration atMost = JournalFixture.HORIZON.plusHours(2);
		schedule(quiet, atMost);
		assertThat(this.fixture.memory.find(QUEUE, "a")).isEmpty();
		this.fixture.clock.advance(Duration.ofMinutes(90));
		schedule(quiet, atMost);
		assertThat(due()).isEqualTo(JournalFixture.START.plus(atMost));
	}

	@Test
	void debouncedTasksAmongOthersAreWrittenInTheOrderOfTheCall() {
		schedule(8);
		advance(4);
		NewTask other = task("b", QUIET, Replacement.REJECT);
		assertThat(this.store.schedule(QUEUE,
				List.of(other, debounced(QUIET, Duration.ofSeconds(8)), other, task("a", Duration.ofHours(1)),
						debounced(QUIET, Duration.ofSeconds(9)), debounced(QUIET, Duration.ofSeconds(10)))))
			.containsExactly(ScheduleOutcome.CREATED, ScheduleOutcome.REPLACED, ScheduleOutcome.REJECTED,
					ScheduleOutcome.REPLACED, ScheduleOutcome.REPLACED, ScheduleOutcome.REPLACED);
		assertDue(9);
		advance(5);
		schedule(8);
		assertDue(13);
		assertThat(Stream.of("a", "b").map((id) -> this.fixture.memory.find(QUEUE, id).orElseThrow().dueAt()))
			.containsExactly(at(13), at(9));
	}

	@Test
	void taskThatWasOnlyCompletedAndKeptIsAFirstOne() {
		schedule(8);
		advance(5);
		this.store.claim(QUEUE, ClaimRequest.of("token", 1, Duration.ofSeconds(30)));
		this.store.settle(QUEUE, List.of(Endings.complete("a", "token", true)));
		assertThat(schedule(8)).isEqualTo(ScheduleOutcome.REPLACED);
		assertDue(10);
	}

	private ScheduleOutcome schedule(int atMostSeconds) {
		return schedule(QUIET, Duration.ofSeconds(atMostSeconds));
	}

	private ScheduleOutcome schedule(Duration quiet, Duration atMost) {
		return this.store.schedule(QUEUE, List.of(debounced(quiet, atMost))).get(0);
	}

	private static NewTask debounced(Duration quiet, Duration atMost) {
		return Tasks.with(Debounce.of(quiet, atMost), Tasks.task("a"));
	}

	private void advance(int seconds) {
		this.fixture.clock.advance(Duration.ofSeconds(seconds));
	}

	private static Instant at(int seconds) {
		return JournalFixture.START.plusSeconds(seconds);
	}

	private void assertDue(int seconds) {
		assertThat(due()).isEqualTo(at(seconds));
	}

	/** By the row. */
	private Instant due() {
		return Instant.ofEpochMilli(this.fixture.jdbc.sql("SELECT due_at FROM delay_queue_task WHERE task_id = 'a'")
			.query(Long.class)
			.single());
	}

}
