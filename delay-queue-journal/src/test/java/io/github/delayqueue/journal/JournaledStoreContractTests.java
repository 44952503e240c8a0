package io.github.delayqueue.journal;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.debounce.Debounce;
import io.github.delayqueue.fixtures.Tasks;
import io.github.delayqueue.roles.Generation;
import io.github.delayqueue.store.AbstractTaskStoreContractTests;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.ClaimTerms;
import io.github.delayqueue.store.ClaimedRecord;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.FleetContract;
import io.github.delayqueue.store.MutableClockFixture;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.Replacement;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.testsupport.MutableClock;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A queue with a journal keeps the whole contract, as one without.
 */
class JournaledStoreContractTests extends AbstractTaskStoreContractTests implements FleetContract, MutableClockFixture {

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
		this.fixture.store.schedule(queue(), Stream.of("a", "b", "c")
			.map((id) -> new NewTask(id, envelope, DueTime.in(Duration.ZERO), TaskPriority.NORMAL, Replacement.REPLACE))
			.toList());
		assertThat(this.fixture.store
			.claim(queue(), ClaimRequest.of("t1", 100, new ClaimTerms(LEASE_DURATION, bytes + 1, List.of(), null, "")))
			.tasks()).extracting(ClaimedRecord::id).containsExactly("a", "b");
	}

	/** The row keeps its time; in the store, what is given to it is due now. */
	@Test
	@Override
	public void debouncedTaskThatIsOverdueKeepsItsPlace() {
		NewTask task = Tasks.with(Debounce.of(Duration.ofSeconds(5), Duration.ofSeconds(8)), Tasks.task("a"));
		for (int seconds : new int[] { 0, 4, 9, 14, 19 }) {
			clock().set(START.plusSeconds(seconds));
			this.fixture.store.schedule(queue(), List.of(task));
			assertThat(this.fixture.memory.find(queue(), "a").orElseThrow().dueAt())
				.isEqualTo(START.plusSeconds(Math.max(seconds, (seconds == 0) ? 5 : 8)));
		}
		assertThat(this.fixture.jdbc.sql("SELECT due_at FROM delay_queue_task").query(Long.class).single())
			.isEqualTo(START.plusSeconds(8).toEpochMilli());
	}

	/** No producer makes such ids, and what has one reaches no handler. */
	@Test
	@Override
	public void searchGoesOnBehindAnIdWithLines() {
		scheduleDue("a", "two\nlines");
		assertThat(claim("t1").tasks()).extracting(ClaimedRecord::id).containsExactly("a");
	}

}
