package io.github.delayqueue.producer;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import io.github.delayqueue.store.TaskStore;

import static org.assertj.core.api.Assertions.assertThat;

class PaceTests {

	private static final Duration QUICK = Duration.ofMillis(1);

	private static final Duration MIDDLING = Duration.ofMillis(2);

	private static final Duration SLOW = Duration.ofMillis(4);

	private final Pace pace = Pace.adaptive();

	@Test
	void quickCallsGrowUpToTheLargest() {
		assertThat(after(QUICK)).isEqualTo(2 * Pace.FIRST);
		assertThat(after(QUICK)).isEqualTo(4 * Pace.FIRST).isEqualTo(TaskStore.MAX_BATCH);
		assertThat(after(QUICK)).isEqualTo(TaskStore.MAX_BATCH);
	}

	@Test
	void slowCallsShrinkDownToTheSmallestAndRecover() {
		assertThat(after(SLOW)).isEqualTo(Pace.FIRST / 2);
		assertThat(after(SLOW)).isEqualTo(Pace.FEWEST);
		assertThat(after(SLOW)).isEqualTo(Pace.FEWEST);
		assertThat(after(QUICK)).isEqualTo(2 * Pace.FEWEST);
	}

	@Test
	void whatIsNeitherStays() {
		assertThat(after(MIDDLING)).isEqualTo(Pace.FIRST);
	}

	@Test
	void callThatWasNotFullSaysNothingAboutLargerOnes() {
		this.pace.took(Pace.FIRST - 1, QUICK.toNanos());
		assertThat(this.pace.tasks()).isEqualTo(Pace.FIRST);
	}

	@Test
	void fewLargeTasksThatTakeLongAreHalved() {
		this.pace.took(2 * Pace.FEWEST, SLOW.toNanos());
		assertThat(this.pace.tasks()).isEqualTo(Pace.FEWEST);
	}

	@Test
	void constantPaceStays() {
		Pace constant = Pace.constant();
		constant.took(TaskStore.MAX_BATCH, SLOW.toNanos());
		assertThat(constant.tasks()).isEqualTo(TaskStore.MAX_BATCH);
	}

	private int after(Duration call) {
		this.pace.took(this.pace.tasks(), call.toNanos());
		return this.pace.tasks();
	}

}
