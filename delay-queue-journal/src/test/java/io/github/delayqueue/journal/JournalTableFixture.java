package io.github.delayqueue.journal;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import javax.sql.DataSource;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.Replacement;
import io.github.delayqueue.testsupport.MutableClock;

import static io.github.delayqueue.fixtures.Tasks.bytes;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the parts of the contract of {@link JournalTable} are written with.
 */
interface JournalTableFixture {

	/** What the clock shows at the beginning of each test. */
	Instant START = Instant.parse("2026-11-21T12:00:00.000001Z");

	long NOW = START.toEpochMilli();

	long MICROS = TimeUnit.MILLISECONDS.toMicros(NOW) + 1;

	/** How long a statement may take. */
	Duration TIMEOUT = Duration.ofSeconds(20);

	Duration HORIZON = Duration.ofHours(2);

	CheckTimes CHECKS = new CheckTimes(HORIZON);

	JournalTable table();

	default LoaderTable loader() {
		return table().loader();
	}

	/** A queue of the test's own. */
	String queue();

	MutableClock clock();

	DataSource dataSource();

	/** Begins transactions of the database's default isolation. */
	TransactionTemplate transactions();

	default <T> T inTransaction(Supplier<T> action) {
		return transactions().execute((status) -> action.get());
	}

	default void doInTransaction(Runnable action) {
		transactions().executeWithoutResult((status) -> action.run());
	}

	/** A task that replaces, due now, whose envelope is the id. */
	static Arrival entry(String taskId) {
		return entry(taskId, taskId, NOW);
	}

	static Arrival entry(String taskId, String envelope, long dueMillis) {
		return arrival(taskId, bytes(envelope), dueMillis, TaskPriority.NORMAL, Replacement.REPLACE, false);
	}

	static Arrival rejecting(String taskId) {
		return arrival(taskId, bytes("rejecting"), NOW, TaskPriority.LOW, Replacement.REJECT, false);
	}

	static Arrival arrival(String taskId, byte[] envelope, long dueMillis, TaskPriority priority,
			Replacement onDuplicate, boolean generated) {
		return new Arrival(
				new NewTask(taskId, envelope, new DueTime(false, dueMillis), priority, onDuplicate, generated),
				Instant.EPOCH);
	}

	default List<WriteResult> write(Arrival... entries) {
		return inTransaction(() -> table().write(queue(), List.of(entries), -1));
	}

	/** Write tasks that are due now. */
	default List<Key> written(String... taskIds) {
		write(Arrays.stream(taskIds).map(JournalTableFixture::entry).toArray(Arrival[]::new));
		return Arrays.stream(taskIds).map((taskId) -> found(taskId).key()).toList();
	}

	/**
	 * A row as it may be found.
	 * @param dueMillis when it is due
	 * @param checkMillis when a loader looks at it
	 */
	default Key row(String taskId, long dueMillis, long checkMillis) {
		write(entry(taskId, taskId, dueMillis));
		check(taskId, checkMillis);
		return found(taskId).key();
	}

	/** The row of a task that was given up. */
	default Key deadRow(String taskId, long checkMillis) {
		Key key = deadLettered(taskId).get(0);
		check(taskId, checkMillis);
		return key;
	}

	/** Let a loader look at a row at a time. */
	default void check(String taskId, long checkMillis) {
		assertThat(jdbc().sql("UPDATE delay_queue_task SET check_at = ? WHERE queue = ? AND task_id = ?")
			.params(checkMillis, queue(), taskId)
			.update()).isOne();
	}

	/** Write tasks and give them up. */
	default List<Key> deadLettered(String... taskIds) {
		List<Key> keys = written(taskIds);
		keys.forEach((key) -> table().deadLetter(queue(), key, bytes("failure")));
		return keys;
	}

	default Row found(String taskId) {
		return find(taskId).orElseThrow();
	}

	default Optional<Row> find(String taskId) {
		return table().find(queue(), taskId);
	}

	/** How many rows the queue has. */
	default long count() {
		return jdbc().sql("SELECT COUNT(*) FROM delay_queue_task WHERE queue = ?")
			.param(queue())
			.query(Long.class)
			.single();
	}

	/** When a loader looks at a task. */
	default long checkOf(String taskId) {
		return found(taskId).checkMillis();
	}

	/** What a loader takes now, as one that is alone. */
	default List<Row> take(int limit) {
		return inTransaction(() -> loader().take(queue(), limit, false, LookedAt.NOTHING));
	}

	default JdbcClient jdbc() {
		return JdbcClient.create(dataSource());
	}

	static List<String> ids(List<Row> rows) {
		return rows.stream().map(Row::taskId).toList();
	}

	static List<Key> keys(List<Row> rows) {
		return rows.stream().map(Row::key).toList();
	}

}
