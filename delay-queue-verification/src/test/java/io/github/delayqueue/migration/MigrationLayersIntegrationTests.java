package io.github.delayqueue.migration;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.jdbc.support.JdbcTransactionManager;

import io.github.delayqueue.journal.Journal;
import io.github.delayqueue.journal.JournaledTaskStore;
import io.github.delayqueue.producer.TaskDetails;
import io.github.delayqueue.partition.PartitionedTaskStore;
import io.github.delayqueue.testsupport.Heavy;
import io.github.delayqueue.testsupport.TemporaryDatabase;
import io.github.delayqueue.testsupport.TestDatabase;

import static io.github.delayqueue.migration.MigrationFixture.QUEUE;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A migration that ends between any two of its steps is resumed, whatever the queue has
 * between producers and Redis.
 */
@Heavy
class MigrationLayersIntegrationTests {

	/** Within what a journal hands over at once. */
	private static final Instant DUE = Instant.now().plus(Duration.ofMinutes(10)).truncatedTo(ChronoUnit.MILLIS);

	private static final List<String> IDS = IntStream.range(0, 150).mapToObj((i) -> "order_" + i).toList();

	@ParameterizedTest
	@EnumSource
	void isResumedAfterEachStepWithAJournal(MoveStep step) throws Exception {
		try (TemporaryDatabase database = TestDatabase.H2.create()) {
			TestDatabase.H2.applyJournalSchema(database);
			Journal journal = Journal.builder(database.dataSource(), new JdbcTransactionManager(database.dataSource()))
				.build();
			MigrationFixture fixture = new MigrationFixture(
					(redis) -> new JournaledTaskStore(new PartitionedTaskStore(redis, (queue) -> 1), journal));
			isResumed(fixture, step);
		}
	}

	@ParameterizedTest
	@EnumSource
	void isResumedAfterEachStepWithPartitions(MoveStep step) throws Exception {
		isResumed(new MigrationFixture((redis) -> new PartitionedTaskStore(redis, (queue) -> 4)), step);
	}

	private static void isResumed(MigrationFixture fixture, MoveStep step) throws Exception {
		try {
			IDS.forEach((id) -> fixture.redis.opsForZSet().add(fixture.source, id, DUE.toEpochMilli()));
			Migration migration = SortedSetMigration.from(fixture.source).to(QUEUE).build();
			fixture.runUntil(step, migration);
			assertThat(fixture.move(migration))
				.isEqualTo(new MigrationProgress(fixture.source, QUEUE, IDS.size(), 0, 0, 0, 0));
			List<TaskDetails> tasks = fixture.scheduled();
			assertThat(tasks).extracting(TaskDetails::id).containsExactlyInAnyOrderElementsOf(IDS);
			assertThat(tasks).extracting(TaskDetails::dueAt).containsOnly(DUE);
			assertThat(fixture.delayQueue.stats(QUEUE).totals().scheduled()).isEqualTo(IDS.size());
		}
		finally {
			fixture.close();
		}
	}

}
