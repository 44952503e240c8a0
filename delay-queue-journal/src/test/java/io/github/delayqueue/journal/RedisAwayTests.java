package io.github.delayqueue.journal;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.ScheduleOutcome;
import io.github.delayqueue.StoreUnavailableException;
import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.fixtures.Endings;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.ClaimedRecord;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.Replacement;
import io.github.delayqueue.store.StoredTask;
import io.github.delayqueue.store.TaskStore;

import static io.github.delayqueue.fixtures.Tasks.task;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A business transaction that changes a queue with a journal while Redis is out of reach:
 * the table answers, and the transaction commits whatever is answered.
 */
class RedisAwayTests {

	private static final String QUEUE = "orders";

	private static final Duration MINUTE = Duration.ofMinutes(1);

	@AutoClose
	private final JournalFixture fixture = new JournalFixture();

	private final JournaledTaskStore store = new JournaledTaskStore(this.fixture.below,
			Journal.builder(this.fixture.dataSource, this.fixture.transactionManager)
				.clock(this.fixture.clock)
				.build());

	@BeforeEach
	void createBusinessTable() {
		this.fixture.jdbc.sql("CREATE TABLE business (number INTEGER)").update();
	}

	@Test
	void taskThatHasBeenHandledIsNotThereToCancelOrMove() {
		schedule("handled", Duration.ZERO);
		claim("token");
		this.store.settle(QUEUE, List.of(Endings.complete("handled", "token", false)));
		commitWithoutRedis(() -> {
			assertThat(this.store.cancel(QUEUE, "handled")).isFalse();
			assertThat(this.store.reschedule(QUEUE, "handled", DueTime.in(MINUTE))).isFalse();
		});
	}

	@Test
	void taskFromBeforeTheJournalIsNotSeen() {
		this.fixture.memory.schedule(QUEUE, List.of(task("old", MINUTE)));
		commitWithoutRedis(() -> {
			assertThat(this.store.cancel(QUEUE, "old")).isFalse();
			assertThat(this.store.reschedule(QUEUE, "old", DueTime.in(Duration.ZERO))).isFalse();
		});
		assertThat(this.store.cancel(QUEUE, "old")).isTrue();
	}

	@Test
	void taskIsMoved() {
		schedule("a", MINUTE);
		commitWithoutRedis(
				() -> assertThat(this.store.reschedule(QUEUE, "a", DueTime.in(MINUTE.multipliedBy(2)))).isTrue());
		this.fixture.clock.advance(MINUTE);
		assertThat(claim("token")).as("delivered at the old time").isEmpty();
		this.fixture.loading(QUEUE).round();
		this.fixture.clock.advance(MINUTE);
		assertThat(claim("other")).extracting(ClaimedRecord::id).containsExactly("a");
	}

	@Test
	void taskInFlightIsMoved() {
		schedule("a", Duration.ZERO);
		claim("token");
		commitWithoutRedis(() -> assertThat(this.store.reschedule(QUEUE, "a", DueTime.in(MINUTE))).isTrue());
		assertThat(this.store.settle(QUEUE, List.of(Endings.complete("a", "token", false)))).containsExactly(false);
		this.fixture.clock.advance(MINUTE);
		this.fixture.loading(QUEUE).round();
		assertThat(claim("other")).extracting(ClaimedRecord::id).containsExactly("a");
	}

	@Test
	void duplicateIsRejectedByItsRow() {
		schedule("known", MINUTE);
		commitWithoutRedis(() -> assertThat(reject(this.store, "known", "new"))
			.containsExactly(ScheduleOutcome.REJECTED, ScheduleOutcome.CREATED));
		this.fixture.clock.advance(MINUTE);
		this.fixture.loading(QUEUE).round();
		assertThat(claim("token")).extracting(ClaimedRecord::id).containsExactlyInAnyOrder("known", "new");
	}

	@Test
	void duplicateOfACompletedTaskThatMayBeKeptIsAQuestionToRedis() {
		JournaledTaskStore keeping = this.fixture.store;
		schedule("known", MINUTE);
		commitWithoutRedis(() -> {
			assertThat(reject(keeping, "known")).containsExactly(ScheduleOutcome.REJECTED);
			assertThatExceptionOfType(StoreUnavailableException.class)
				.isThrownBy(() -> reject(keeping, "known", "new"));
			assertThat(keeping.schedule(QUEUE, List.of(task("other")))).containsExactly(ScheduleOutcome.CREATED);
		});
		assertThat(this.fixture.rows(QUEUE)).matches("known:\\w+ other:\\w+");
	}

	@Test
	void envelopeThatCannotBeTakenIsTheCallersConcern() {
		this.fixture.transaction.executeWithoutResult((status) -> {
			business();
			assertThatExceptionOfType(DelayQueueException.class)
				.isThrownBy(() -> this.store.schedule(QUEUE, List.of(task("a"), invalid("b"))))
				.withMessageContaining("JSON object");
		});
		assertThat(this.fixture.rows(QUEUE)).isEmpty();
		assertThat(businessRows()).isOne();
	}

	@Test
	void deadTasksAreRedrivenAndPurged() {
		for (String id : List.of("redriven", "purged")) {
			schedule(id, Duration.ZERO);
			claim(id);
			this.store.settle(QUEUE, List.of(Endings.deadLetter(id, id, true, null)));
		}
		commitWithoutRedis(() -> {
			assertThat(this.store.redrive(QUEUE, List.of("redriven", "unknown"))).containsExactly(true, false);
			assertThat(this.store.purge(QUEUE, TaskState.DEAD, 10)).isOne();
		});
		assertThat(this.fixture.rows(QUEUE)).matches("redriven:\\w+");
		assertThat(this.fixture.store.purge(QUEUE, TaskState.DEAD, 10)).as("what was left in Redis").isOne();
		assertThat(this.fixture.memory.find(QUEUE, "purged")).isEmpty();
		assertThat(this.fixture.memory.find(QUEUE, "redriven")).isPresent();
	}

	@Test
	void queueIsCleared() {
		schedule("a", MINUTE);
		commitWithoutRedis(() -> assertThat(this.store.clear(QUEUE)).isOne());
		this.fixture.clock.advance(MINUTE);
		assertThat(claim("token")).isEmpty();
		assertThat(this.fixture.memory.find(QUEUE, "a")).map(StoredTask::state).isEmpty();
	}

	private void commitWithoutRedis(Runnable steps) {
		this.fixture.unreachable.set(true);
		this.fixture.transaction.executeWithoutResult((status) -> {
			business();
			steps.run();
		});
		this.fixture.unreachable.set(false);
		assertThat(businessRows()).isOne();
	}

	private void business() {
		this.fixture.jdbc.sql("INSERT INTO business VALUES (1)").update();
	}

	private int businessRows() {
		return this.fixture.jdbc.sql("SELECT COUNT(*) FROM business").query(Integer.class).single();
	}

	private void schedule(String id, Duration delay) {
		this.store.schedule(QUEUE, List.of(task(id, delay)));
	}

	private static List<ScheduleOutcome> reject(TaskStore store, String... ids) {
		return store.schedule(QUEUE,
				List.of(ids).stream().map((id) -> task(id, Duration.ZERO, Replacement.REJECT)).toList());
	}

	private static NewTask invalid(String id) {
		return new NewTask(id, new byte[] { 1 }, DueTime.in(Duration.ZERO), TaskPriority.NORMAL, Replacement.REPLACE);
	}

	private List<ClaimedRecord> claim(String token) {
		return this.store.claim(QUEUE, ClaimRequest.of(token, 10, MINUTE)).tasks();
	}

}
