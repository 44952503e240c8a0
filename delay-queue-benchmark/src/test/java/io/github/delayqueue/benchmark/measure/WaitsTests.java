package io.github.delayqueue.benchmark.measure;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class WaitsTests {

	private final List<Thread> threads = new ArrayList<>();

	@Test
	void conditionIsAskedOnTheCallingThreadUntilItHolds() {
		assertThat(Waits.until(System.currentTimeMillis() + 60_000, 1, () -> asked() == 5)).isTrue();
		assertThat(this.threads).hasSize(5).containsOnly(Thread.currentThread());
	}

	@Test
	void conditionThatNeverHoldsEndsTheWaitingAtItsLimit() {
		long limit = System.currentTimeMillis() + 50;
		assertThat(Waits.until(limit, 5, () -> asked() < 0)).isFalse();
		assertThat(System.currentTimeMillis()).isGreaterThanOrEqualTo(limit);
		assertThat(this.threads).hasSizeGreaterThan(1);
	}

	@Test
	void conditionIsAskedAlsoWhereTheLimitIsOver() {
		assertThat(Waits.until(0, 5, () -> true)).isTrue();
		assertThat(Waits.until(0, 5, () -> false)).isFalse();
	}

	@Test
	void interruptedPauseFailsAndTheThreadStaysInterrupted() {
		Thread.currentThread().interrupt();
		assertThatIllegalStateException().isThrownBy(() -> Waits.pause(60_000));
		assertThat(Thread.interrupted()).isTrue();
	}

	private int asked() {
		this.threads.add(Thread.currentThread());
		return this.threads.size();
	}

}
