package io.github.delayqueue.journal;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import io.github.delayqueue.DeadReason;
import io.github.delayqueue.TaskFailure;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.convert.FailureJson;
import io.github.delayqueue.convert.TaskCodec;
import io.github.delayqueue.event.TaskEvents;
import io.github.delayqueue.fixtures.Codecs;
import io.github.delayqueue.fixtures.Endings;
import io.github.delayqueue.fixtures.Step;
import io.github.delayqueue.management.QueueSteps;
import io.github.delayqueue.options.QueueOptions;
import io.github.delayqueue.producer.DelayQueueTemplate;
import io.github.delayqueue.roles.Generation;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.ClaimedRecord;
import io.github.delayqueue.store.StoredTask;
import io.github.delayqueue.store.TaskStore;

import static io.github.delayqueue.fixtures.Tasks.task;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Purging dead letters of a queue with a journal: the table says which are dead.
 */
class JournalPurgeTests {

	private static final String QUEUE = "orders";

	private static final int PAGE = 50;

	@AutoClose
	private final JournalFixture fixture = new JournalFixture();

	private final JournaledTaskStore store = this.fixture.store;

	@Test
	void pagesWithinATransactionAreOthersEachTime() {
		deadLetter(this.store, 2 * PAGE + 10);
		this.fixture.transaction.executeWithoutResult((status) -> {
			assertThat(IntStream.range(0, 4).mapToObj((page) -> purge(PAGE))).containsExactly(50L, 50L, 10L, 0L);
			status.setRollbackOnly();
		});
		assertThat(this.store.stats(QUEUE).dead()).as("rolled back").isEqualTo(2 * PAGE + 10);
		this.fixture.transaction.executeWithoutResult((status) -> {
			assertThat(IntStream.range(0, 4).mapToObj((page) -> purge(PAGE))).containsExactly(50L, 50L, 10L, 0L);
			assertThat(this.fixture.memory.stats(QUEUE).dead()).as("before the commit").isEqualTo(2 * PAGE + 10);
		});
		assertThat(this.fixture.memory.stats(QUEUE).dead()).isZero();
		assertThat(this.fixture.memory.stats(QUEUE).totals().deleted()).isEqualTo(2 * PAGE + 10);
		assertThat(this.fixture.rows(QUEUE)).isEmpty();
	}

	@Test
	void allAreRedrivenAndPurgedWithinATransaction() {
		TaskCodec codec = Codecs.create();
		DelayQueueTemplate template = new DelayQueueTemplate(this.store, codec, TaskEvents.NONE,
				(queue) -> QueueOptions.DEFAULTS, new QueueSteps(this.store, codec));
		byte[] deadLettered = FailureJson
			.writeFailure(new TaskFailure(DeadReason.DEAD_LETTERED, null, null, Instant.EPOCH), null);
		for (int page = 0; page < 6; page++) {
			this.store.schedule(QUEUE,
					IntStream.range(0, PAGE).mapToObj((i) -> task(UUID.randomUUID().toString())).toList());
			deadLetter(this.store, QUEUE, deadLettered);
		}
		this.fixture.transaction.executeWithoutResult((status) -> {
			assertThat(template.redrive(QUEUE, 1000)).isEqualTo(6 * PAGE);
			status.setRollbackOnly();
		});
		this.fixture.transaction.executeWithoutResult((status) -> {
			assertThat(template.redrive(QUEUE, DeadReason.DEAD_LETTERED, 1000)).isEqualTo(6 * PAGE);
			status.setRollbackOnly();
		});
		this.fixture.transaction.executeWithoutResult(
				(status) -> assertThat(template.delete(QUEUE, DeadReason.DEAD_LETTERED, 1000)).isEqualTo(6 * PAGE));
		assertThat(this.fixture.memory.stats(QUEUE).dead()).isZero();
		assertThat(this.fixture.rows(QUEUE)).isEmpty();
	}

	@Test
	void taskThatIsDeadInTheStoreOnlyIsNotPurgedAsLongAsItsRowIsOpen() {
		this.store.schedule(QUEUE, List.of(task("a")));
		deadLetter(this.fixture.memory);
		assertThat(purge(10)).isZero();
		assertThat(this.fixture.rows(QUEUE)).startsWith("a:");
		assertThat(this.fixture.memory.find(QUEUE, "a")).map(StoredTask::state).contains(TaskState.DEAD);
	}

	@Test
	void deadTasksThatTheTableDoesNotKnowArePurgedOutsideOfTransactions() {
		this.fixture.memory.schedule(QUEUE, List.of(task("old"), task("older")));
		deadLetter(this.fixture.memory);
		deadLetter(this.store, 2);
		this.fixture.transaction.executeWithoutResult((status) -> {
			assertThat(purge(10)).isEqualTo(2);
			assertThat(purge(10)).isZero();
		});
		assertThat(this.fixture.memory.stats(QUEUE).dead()).isEqualTo(2);
		deadLetter(this.store, 2);
		assertThat(purge(3)).isEqualTo(3);
		assertThat(purge(3)).isEqualTo(1);
		assertThat(this.fixture.memory.stats(QUEUE).dead()).isZero();
		assertThat(this.fixture.rows(QUEUE)).isEmpty();
	}

	@Test
	void purgeOfWhatIsRedrivenMeanwhileLeavesIt() {
		deadLetter(this.store, 1);
		String id = this.store.list(QUEUE, TaskState.DEAD, 0, 1).get(0).id();
		this.fixture.transaction.executeWithoutResult((status) -> {
			assertThat(this.store.redrive(QUEUE, List.of(id))).containsExactly(true);
			assertThat(purge(10)).isZero();
		});
		assertThat(this.fixture.rows(QUEUE)).startsWith(id);
		assertThat(this.fixture.memory.find(QUEUE, id)).map(StoredTask::state).contains(TaskState.SCHEDULED);
	}

	@Test
	void tasksThatSomebodyHoldsKeepNoOthersFromBeingPurged() throws SQLException {
		deadLetter(this.store, PAGE);
		this.fixture.clock.advance(Duration.ofSeconds(1));
		deadLetter(this.store, 10);
		try (Connection connection = this.fixture.dataSource.getConnection()) {
			connection.setAutoCommit(false);
			connection.createStatement()
				.executeQuery("SELECT task_id FROM delay_queue_task WHERE dead_at = "
						+ JournalFixture.START.toEpochMilli() + " FOR UPDATE");
			assertThat(purge(PAGE)).isEqualTo(10);
			assertThat(purge(PAGE)).isZero();
			connection.rollback();
		}
		assertThat(purge(PAGE)).isEqualTo(PAGE);
		assertThat(this.fixture.memory.stats(QUEUE).dead()).isZero();
	}

	@Test
	void purgeThatReachesTheStoreLateLeavesWhatHasDiedSince() {
		this.store.schedule(QUEUE, List.of(task("a")));
		deadLetter(this.store);
		this.fixture.below.before(Step.PURGE, () -> {
			this.fixture.below.before(Step.PURGE, () -> {
			});
			this.fixture.clock.advance(Duration.ofSeconds(1));
			this.store.schedule(QUEUE, List.of(task("a")));
			deadLetter(this.store);
		});
		assertThat(purge(1)).isOne();
		assertThat(this.fixture.rows(QUEUE)).isEqualTo("a:DEAD");
		assertThat(this.fixture.memory.find(QUEUE, "a")).map(StoredTask::state).contains(TaskState.DEAD);
		assertThat(purge(1)).isOne();
		assertThat(this.fixture.memory.find(QUEUE, "a")).isEmpty();
	}

	@Test
	void taskThatDiesWhileOneThatTheTableDoesNotKnowIsPurgedStays() {
		this.fixture.memory.schedule(QUEUE, List.of(task("a")));
		deadLetter(this.fixture.memory);
		this.fixture.below.before(Step.PURGE, () -> {
			this.fixture.clock.advance(Duration.ofSeconds(1));
			this.store.schedule(QUEUE, List.of(task("a")));
			deadLetter(this.store);
		});
		assertThat(purge(1)).isZero();
		assertThat(this.fixture.memory.find(QUEUE, "a")).map(StoredTask::state).contains(TaskState.DEAD);
	}

	@Test
	void namedTasksArePurgedFromTableAndStoreIfTheyAreDead() {
		this.store.schedule(QUEUE, List.of(task("dead"), task("other")));
		deadLetter(this.store);
		this.store.schedule(QUEUE, List.of(task("waiting")));
		this.fixture.transaction.executeWithoutResult((status) -> {
			assertThat(purge("dead", "waiting", "unknown")).isOne();
			assertThat(this.fixture.memory.stats(QUEUE).dead()).as("before the commit").isEqualTo(2);
			status.setRollbackOnly();
		});
		assertThat(this.store.stats(QUEUE).dead()).as("rolled back").isEqualTo(2);
		assertThat(purge("dead", "waiting", "unknown")).isOne();
		assertThat(this.fixture.rows(QUEUE)).contains("other:DEAD").contains("waiting:").doesNotContain("dead:");
		assertThat(this.fixture.memory.find(QUEUE, "dead")).isEmpty();
		assertThat(purge("dead")).isZero();
	}

	private long purge(String... ids) {
		return this.store.purge(QUEUE, TaskState.DEAD,
				Stream.of(ids).collect(Collectors.toMap((id) -> id, (id) -> Generation.MAX)));
	}

	private long purge(int limit) {
		return this.store.purge(QUEUE, TaskState.DEAD, limit);
	}

	private static void deadLetter(TaskStore store, int count) {
		for (int left = count; left > 0; left -= PAGE) {
			store.schedule(QUEUE,
					IntStream.range(0, Math.min(left, PAGE))
						.mapToObj((i) -> task(UUID.randomUUID().toString()))
						.toList());
			deadLetter(store);
		}
	}

	/** All that is due. */
	private static void deadLetter(TaskStore store) {
		deadLetter(store, QUEUE, null);
	}

	private static void deadLetter(TaskStore store, String partition, byte @Nullable [] failure) {
		String token = UUID.randomUUID().toString();
		List<ClaimedRecord> claimed = store.claim(partition, ClaimRequest.of(token, PAGE, Duration.ofMinutes(1)))
			.tasks();
		assertThat(claimed).isNotEmpty();
		assertThat(store.settle(partition,
				claimed.stream().map((task) -> Endings.deadLetter(task.id(), token, true, failure)).toList()))
			.containsOnly(true);
	}

}
