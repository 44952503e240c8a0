package io.github.delayqueue.partition;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.store.memory.InMemoryTaskStore;

import static io.github.delayqueue.fixtures.Tasks.task;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link QueuePartitions}: when the store is asked again.
 */
class QueuePartitionsTests {

	private static final Duration BELIEVED = Duration.ofSeconds(10);

	private final InMemoryTaskStore store = new InMemoryTaskStore(Clock.systemUTC());

	private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1000);

	private final QueuePartitions four = new QueuePartitions(this.store, "q", 4, this.nanos::get);

	@Test
	void consumerLetsAllPartitionsKnowTheNumberAlsoWhenTheStoreHasBeenEmptied() {
		this.four.require("q#2");
		assertThat(this.four.names()).allMatch((partition) -> known(partition).equals("4"));
		this.four.require("q");
		this.store.reset();
		pass(BELIEVED.minusNanos(1));
		this.four.require("q");
		assertThat(known("q")).isEqualTo("1");
		pass(Duration.ofNanos(1));
		this.four.require("q");
		assertThat(this.four.names()).allMatch((partition) -> known(partition).equals("4"));
	}

	@Test
	void consumerNoticesThatTheQueueHasBegunAnewWithAnotherNumber() {
		this.four.require("q");
		this.store.reset();
		this.store.learn("q", "8", false);
		pass(BELIEVED);
		assertThatExceptionOfType(DelayQueueException.class).isThrownBy(() -> this.four.require("q"));
		assertThatExceptionOfType(DelayQueueException.class).isThrownBy(() -> this.four.require("q#1"));
	}

	@Test
	void numberOfAnotherApplicationIsBelievedForAWhile() {
		QueuePartitions unset = new QueuePartitions(this.store, "q", 1, this.nanos::get);
		assertThat(unset.believed()).hasSize(1);
		this.four.agree();
		this.store.schedule("q", List.of(task("a", Duration.ZERO)));
		assertThat(unset.believed()).hasSize(1);
		assertThat(unset.found()).hasSize(4);
		pass(BELIEVED);
		assertThat(unset.believed()).hasSize(4);
	}

	private void pass(Duration time) {
		this.nanos.addAndGet(time.toNanos());
	}

	private String known(String partition) {
		return this.store.learn(partition, "", true);
	}

}
