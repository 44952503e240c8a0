package io.github.delayqueue.journal;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import javax.sql.DataSource;

import org.springframework.transaction.support.TransactionTemplate;

import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.store.DuplicatePolicy;
import io.github.delayqueue.testsupport.MutableClock;

import static io.github.delayqueue.fixtures.Tasks.bytes;

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

	/** An entry that replaces, due now, whose envelope is the id. */
	static Entry entry(String taskId) {
		return entry(taskId, taskId, NOW);
	}

	static Entry entry(String taskId, String envelope, long dueMillis) {
		return new Entry(taskId, bytes(envelope), dueMillis, TaskPriority.NORMAL, DuplicatePolicy.REPLACE, false);
	}

	static Entry rejecting(String taskId) {
		return new Entry(taskId, bytes("rejecting"), NOW, TaskPriority.LOW, DuplicatePolicy.REJECT, false);
	}

	default List<Written> write(Entry... entries) {
		return inTransaction(() -> table().write(queue(), List.of(entries)));
	}

	/** Write tasks that are due now. */
	default List<Key> written(String... taskIds) {
		write(Arrays.stream(taskIds).map(JournalTableFixture::entry).toArray(Entry[]::new));
		return Arrays.stream(taskIds).map((taskId) -> found(taskId).key()).toList();
	}

	/** Write tasks and hand them over. */
	default List<Key> handed(String... taskIds) {
		List<Key> keys = written(taskIds);
		table().mark(queue(), keys, RowState.WAITING, RowState.HANDED);
		return keys;
	}

	/** Write tasks and give them up. */
	default List<Key> buried(String... taskIds) {
		List<Key> keys = written(taskIds);
		keys.forEach((key) -> table().bury(queue(), key, bytes("failure")));
		return keys;
	}

	default Row found(String taskId) {
		return find(taskId).orElseThrow();
	}

	default Optional<Row> find(String taskId) {
		return table().find(queue(), taskId);
	}

	/** How many rows of the queue wait. */
	default long count() {
		return table().countStored(queue(), -1, List.of())[0];
	}

	default RowState state(String taskId) {
		return found(taskId).state();
	}

	static List<String> ids(List<Row> rows) {
		return rows.stream().map(Row::taskId).toList();
	}

	static List<Key> keys(List<Row> rows) {
		return rows.stream().map(Row::key).toList();
	}

}
