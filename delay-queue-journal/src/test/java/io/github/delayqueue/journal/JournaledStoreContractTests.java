package io.github.delayqueue.journal;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import io.github.delayqueue.DuplicatePolicy;
import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.store.AbstractTaskStoreContractTests;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.ClaimedRecord;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.Generation;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.Retention;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.testsupport.MutableClock;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A queue with a journal keeps the whole contract, as one without.
 */
class JournaledStoreContractTests extends AbstractTaskStoreContractTests {

	/** All tasks are in the store below, too. */
	private static final Duration FOR_EVER = Duration.ofDays(4_000_000);

	private final JournalFixture fixture = new JournalFixture((queue) -> true, FOR_EVER);

	private final TaskStore store = new JsonEnvelopes(this.fixture.store);

	@Override
	public TaskStore store() {
		return this.store;
	}

	@Override
	public MutableClock clock() {
		return this.fixture.clock;
	}

	@Override
	protected void assertInvariant(String queue) {
		this.fixture.close();
	}

	/** As in the contract, with the size that envelopes have here. */
	@Override
	@Test
	public void claimStopsOnceItHasTakenItsNumberOfBytes() {
		byte[] envelope = "{\"v\":1}".getBytes(StandardCharsets.UTF_8);
		int bytes = Generation.mark(envelope, 1).length;
		this.fixture.store.schedule(queue(),
				Stream.of("a", "b", "c")
					.map((id) -> new NewTask(id, envelope, DueTime.in(Duration.ZERO), TaskPriority.NORMAL,
							DuplicatePolicy.REPLACE))
					.toList());
		assertThat(this.fixture.store
			.claim(queue(), new ClaimRequest("t1", 100, 100, TTR, bytes + 1, false, Retention.NONE))
			.tasks()).extracting(ClaimedRecord::id).containsExactly("a", "b");
	}

	/** A queue with a journal is in use. */
	@Test
	@Override
	public void onlyAQueueWithoutTasksIsForgotten() {
		store().announce(queue());
		assertThat(store().forget(queue())).isFalse();
		assertThat(store().queues()).contains(queue());
	}

	/** The same. */
	@Test
	@Override
	public void historyOfAForgottenQueueBeginsAnew() {
		onlyAQueueWithoutTasksIsForgotten();
	}

}
