package io.github.delayqueue.journal;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.debounce.Debounce;
import io.github.delayqueue.event.TaskEvents;
import io.github.delayqueue.fixtures.Tasks;
import io.github.delayqueue.partition.PartitionedTaskStore;
import io.github.delayqueue.roles.DueSpan;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.Replacement;
import io.github.delayqueue.store.StoredTask;
import io.github.delayqueue.store.memory.InMemoryTaskStore;
import io.github.delayqueue.testsupport.MutableClock;

import static io.github.delayqueue.fixtures.Tasks.bytes;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Nothing is early by the clock of Redis, whatever those of the application and the
 * database show.
 */
class ClocksApartTests {

	private static final String QUEUE = "orders";

	private static final String RECURRING = "{\"v\":2,\"r\":{\"every\":60000}}";

	private static final Duration NEAR = Duration.ofMinutes(20);

	private static final Duration FAR = JournalFixture.HORIZON.plusMinutes(20);

	private static final Duration PASSED = Duration.ofMinutes(5);

	@AutoClose
	private final JournalFixture fixture = new JournalFixture();

	private final MutableClock application = this.fixture.clock;

	private final MutableClock database = new MutableClock(JournalFixture.START);

	private final MutableClock redis = new MutableClock(JournalFixture.START);

	private InMemoryTaskStore memory = new InMemoryTaskStore(this.redis);

	private JournaledTaskStore store = open();

	@ParameterizedTest
	@ValueSource(longs = { -3600, -8, 3600 })
	void rowSaysWhenATaskIsDueByTheClockOfTheDatabase(long ahead) {
		this.application.advance(Duration.ofSeconds(ahead));
		schedule("task", DueTime.in(NEAR));
		this.store.schedule(QUEUE, List.of(Tasks.with(Debounce.of(NEAR, FAR), Tasks.task("debounced"))));
		assertThat(rowDue("task")).isEqualTo(this.database.instant().plus(NEAR));
		assertThat(rowDue("debounced")).isEqualTo(this.database.instant().plus(NEAR));
		pass(PASSED);
		this.store.reschedule(QUEUE, "task", DueTime.in(NEAR));
		assertThat(rowDue("task")).isEqualTo(this.database.instant().plus(NEAR));
	}

	@ParameterizedTest
	@ValueSource(longs = { -3600, -8, 8, 3600 })
	void delayThatIsRestoredIsWhatIsLeftOfIt(long databaseAhead) {
		this.database.advance(Duration.ofSeconds(databaseAhead));
		schedule("task", DueTime.in(NEAR));
		Instant due = this.redis.instant().plus(NEAR);
		assertThat(redisDue("task")).isEqualTo(due);
		pass(PASSED);
		loseRedis();
		assertThat(redisDue("task")).isBetween(due, due.plusSeconds(Math.max(0, databaseAhead)));
	}

	@ParameterizedTest
	@ValueSource(longs = { -3600, 0, 3600 })
	void delayBeyondTheHorizonIsWhatIsLeftOfItWhenItComes(long databaseAhead) {
		this.database.advance(Duration.ofSeconds(databaseAhead));
		schedule("odd", DueTime.in(FAR.plusMillis(1)));
		schedule("even", DueTime.in(FAR));
		schedule("moved", DueTime.at(this.redis.instant().plus(FAR)));
		this.store.reschedule(QUEUE, "moved", DueTime.in(FAR));
		Instant due = this.redis.instant().plus(FAR);
		pass(FAR.minusMinutes(10));
		load();
		assertThat(List.of(redisDue("even"), redisDue("odd"), redisDue("moved"))).allSatisfy(
				(one) -> assertThat(one).isBetween(due, due.plusMillis(1).plusSeconds(Math.max(0, databaseAhead))));
	}

	@ParameterizedTest
	@ValueSource(longs = { -3000, 0, 3000 })
	void instantIsOneByTheClockOfRedis(long databaseAhead) {
		this.database.advance(Duration.ofSeconds(databaseAhead));
		Instant due = this.redis.instant().plus(FAR).plusSeconds(600);
		schedule("odd", DueTime.at(due.plusMillis(1)));
		schedule("even", DueTime.at(due));
		schedule("moved", DueTime.in(NEAR));
		this.store.reschedule(QUEUE, "moved", DueTime.at(due));
		pass(FAR.plusMinutes(5));
		load();
		assertThat(List.of(redisDue("even"), redisDue("moved"), redisDue("odd").minusMillis(1))).containsOnly(due);
		loseRedis();
		assertThat(redisDue("even")).isBetween(due, due.plusSeconds(Math.max(0, -databaseAhead)));
	}

	@ParameterizedTest
	@ValueSource(longs = { -600, 600 })
	void runOfARecurringTaskIsRestoredAsItWas(long databaseAhead) {
		this.database.advance(Duration.ofSeconds(databaseAhead));
		Instant due = this.redis.instant().plus(NEAR);
		schedule("task", RECURRING, DueTime.at(due));
		pass(PASSED);
		loseRedis();
		assertThat(redisDue("task")).isEqualTo(due);
	}

	@Test
	void whatIsLeftCountsWhatPassedBeforeTheCommit() {
		this.application.advance(Duration.ofHours(1));
		Instant due = this.redis.instant().plus(NEAR);
		this.fixture.transaction.executeWithoutResult((status) -> {
			schedule("task", DueTime.in(NEAR));
			pass(PASSED);
			this.application.advance(Duration.ofHours(1));
		});
		assertThat(redisDue("task")).isEqualTo(due);
		assertThat(rowDue("task")).isEqualTo(due);
	}

	@ParameterizedTest
	@ValueSource(longs = { -3600, 3600 })
	void deadTaskThatIsRedrivenIsNotEarlyEither(long databaseAhead) {
		this.database.advance(Duration.ofSeconds(databaseAhead));
		schedule("task", DueTime.in(FAR));
		this.fixture.jdbc.sql("UPDATE delay_queue_task SET dead_at = 1").update();
		this.store.redrive(QUEUE, List.of("task"), new DueSpan(NEAR, Duration.ZERO));
		assertThat(rowDue("task")).isEqualTo(this.database.instant().plus(NEAR));
	}

	private JournaledTaskStore open() {
		return new JournaledTaskStore(new PartitionedTaskStore(this.memory, (queue) -> 1),
				Journal.builder(this.fixture.dataSource, this.fixture.transactionManager)
					.clock(this.application)
					.databaseClock(this.database)
					.build());
	}

	private void schedule(String id, DueTime due) {
		schedule(id, "{}", due);
	}

	private void schedule(String id, String envelope, DueTime due) {
		this.store.schedule(QUEUE,
				List.of(new NewTask(id, bytes(envelope), due, TaskPriority.NORMAL, Replacement.REPLACE)));
	}

	private void pass(Duration time) {
		Stream.of(this.application, this.database, this.redis).forEach((clock) -> clock.advance(time));
	}

	private void load() {
		new SingleLoading(QUEUE, this.store.parts(), TaskEvents.NONE).round();
	}

	/** An empty one takes its place. */
	private void loseRedis() {
		load();
		this.memory = new InMemoryTaskStore(this.redis);
		this.store = open();
		pass(Duration.ofSeconds(2));
		load();
	}

	private Instant redisDue(String id) {
		return this.memory.find(QUEUE, id).map(StoredTask::dueAt).orElseThrow();
	}

	private Instant rowDue(String id) {
		return Instant.ofEpochMilli(this.fixture.jdbc.sql("SELECT due_at FROM delay_queue_task WHERE task_id = ?")
			.param(id)
			.query(Long.class)
			.single());
	}

}
