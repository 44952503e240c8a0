package io.github.delayqueue.journal;

import java.time.Duration;
import java.util.stream.LongStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * When tasks that are in the table only are counted.
 */
class StoredCountsTests {

	private static final String QUEUE = "orders";

	/** When tasks are due. */
	private static final long FAR = JournalFixture.START.plus(Duration.ofDays(1)).toEpochMilli();

	private final JournalFixture fixture = new JournalFixture();

	private long nanos;

	/** How long it takes to count. */
	private long took;

	private final StoredCounts counts = new StoredCounts(this.fixture.store.table(), () -> this.nanos += this.took);

	private int rows;

	@AfterEach
	void close() {
		this.fixture.close();
	}

	@Test
	void fewAreCountedWheneverSomebodyAsks() {
		this.took = Duration.ofSeconds(1).toNanos();
		assertThat(count()).isZero();
		store(3);
		assertThat(count()).isEqualTo(3);
	}

	@Test
	void manyThatTakeLongAreCountedByTheLoaderOnly() {
		this.took = Duration.ofMillis(20).toNanos();
		store(10_000);
		assertThat(count()).isEqualTo(10_000);
		store(1);
		assertThat(count()).isEqualTo(10_000);
		assertThat(this.counts.isOld(QUEUE)).isFalse();
		this.nanos += Duration.ofSeconds(2).toNanos();
		refresh();
		assertThat(count()).isEqualTo(10_001);
	}

	@Test
	void loaderSeesThatFewHaveBecomeMany() {
		assertThat(count()).isZero();
		assertThat(this.counts.isOld(QUEUE)).isFalse();
		store(10_000);
		this.took = Duration.ofMillis(20).toNanos();
		this.nanos += Duration.ofSeconds(10).toNanos();
		refresh();
		store(1);
		assertThat(count()).as("without a look into the table").isEqualTo(10_000);
	}

	private void refresh() {
		assertThat(this.counts.isOld(QUEUE)).isTrue();
		this.counts.count(QUEUE, 0, 0);
	}

	private long count() {
		return LongStream.of(this.counts.get(QUEUE, 0, 0)).sum();
	}

	private void store(int count) {
		this.fixture.jdbc
			.sql("INSERT INTO delay_queue_task (queue, task_id, generation, due_at, priority, envelope, check_at, "
					+ "revision) SELECT ?, X, 1, ?, 'LOW', '00', ?, 1 FROM SYSTEM_RANGE(?, ?)")
			.params(QUEUE, FAR, FAR - JournalFixture.HORIZON.toMillis(), this.rows + 1, this.rows + count)
			.update();
		this.rows += count;
	}

}
