package io.github.delayqueue.store.memory;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import io.github.delayqueue.TaskState;
import io.github.delayqueue.store.AbstractVersionedStoreContractTests;
import io.github.delayqueue.store.ClaimResult;
import io.github.delayqueue.store.FleetContract;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.testsupport.MutableClock;
import io.github.delayqueue.testsupport.Patience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * The contract, and what only a store in the same process with a clock of microseconds
 * can show.
 */
class InMemoryTaskStoreTests extends AbstractVersionedStoreContractTests implements FleetContract {

	private static final Duration MICROSECOND = Duration.ofNanos(1000);

	private final MutableClock clock = new MutableClock(START);

	private final InMemoryTaskStore store = new InMemoryTaskStore(this.clock);

	@Override
	public TaskStore store() {
		return this.store;
	}

	@Override
	public MutableClock clock() {
		return this.clock;
	}

	@Override
	protected void assertInvariant(String queue) {
		TaskTableInvariant.check(this.store.state(queue).table());
	}

	@Test
	void taskIsNotEarlyByThePartOfAMillisecondInWhichItWasScheduled() {
		advance(MICROSECOND);
		schedule(task("a", Duration.ofMillis(5)));
		assertThat(found("a").dueAt()).isEqualTo(START.plusMillis(6));
		clock().set(START.plusMillis(6).minus(MICROSECOND));
		ClaimResult early = claim("t1");
		assertThat(early.tasks()).isEmpty();
		assertThat(early.wakeIn()).isEqualTo(MICROSECOND);
		assertThat(early.now()).isEqualTo(now());
		clock().set(START.plusMillis(6));
		assertThat(claim("t2").tasks()).hasSize(1);
	}

	@Test
	void deadlineCountsFromTheMillisecondOfTheClaimAndIsRoundedUp() {
		scheduleDue("a");
		advance(MICROSECOND);
		claim("t1");
		assertThat(found("a").at()).isEqualTo(START.plus(LEASE_DURATION));
		extend("a", "t1", Duration.ofNanos(1));
		assertThat(found("a").at()).isEqualTo(START.plusMillis(1));
	}

	@Test
	void failingWakeListenerHarmsNeitherTheStepNorOtherListeners() {
		List<Duration> wakes = new ArrayList<>();
		this.store.subscribe(queue(), (in) -> {
			throw new IllegalStateException("Broken listener");
		});
		this.store.subscribe(queue(), wakes::add);
		schedule(task("a", SECOND));
		assertThat(listed(TaskState.SCHEDULED)).containsExactly("a");
		assertThat(wakes).containsExactly(SECOND);
	}

	@Test
	void wakeListenerIsCalledOutsideTheLock() {
		List<Integer> claimed = new ArrayList<>();
		this.store.subscribe(queue(),
				(in) -> claimed.add(CompletableFuture.supplyAsync(() -> claim("t1").tasks().size())
					.orTimeout(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)
					.join()));
		scheduleDue("a");
		assertThat(claimed).containsExactly(1);
	}

	@Test
	void onlyTasksThatAreOverCanBePurged() {
		scheduleDue("a");
		assertThatIllegalArgumentException().isThrownBy(() -> this.store.purge(queue(), TaskState.SCHEDULED, 1))
			.withMessageContaining("SCHEDULED");
		assertThat(listed(TaskState.SCHEDULED)).containsExactly("a");
	}

}
