package io.github.delayqueue.producer;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import io.github.delayqueue.store.TaskStore;

import static org.assertj.core.api.Assertions.assertThat;

class PaceTests {

	private static final Duration QUICK = Duration.ofMillis(1);

	private static final Duration SLOW = Duration.ofMillis(4);

	private final Pace pace = new Pace(true);

	@Test
	void quickCallsGrowUpToTheLargest() {
		assertThat(after(QUICK)).isEqualTo(2 * Pace.FIRST);
		assertThat(after(QUICK)).isEqualTo(Pace.MOST).isLessThan(TaskStore.MAX_BATCH);
		assertThat(after(QUICK)).isEqualTo(Pace.MOST);
	}

	@Test
	void slowTasksMakeCallsShrinkDownToTheSmallestAndRecover() {
		assertThat(afterTasksOf(40)).isEqualTo(Pace.FIRST / 2);
		assertThat(afterTasksOf(40)).isEqualTo(Pace.FIRST / 2);
		assertThat(afterTasksOf(400)).isEqualTo(Pace.FEWEST);
		assertThat(afterTasksOf(400)).isEqualTo(Pace.FEWEST);
		assertThat(afterTasksOf(4)).isEqualTo(2 * Pace.FEWEST);
	}

	@Test
	void slowNetworkDoesNotKeepCallsSmall() {
		for (int i = 0; i < 6; i++) {
			this.pace.took(this.pace.tasks(), Duration.ofMillis(20).toNanos() + this.pace.tasks() * 2000L);
		}
		assertThat(this.pace.tasks()).isEqualTo(Pace.MOST);
	}

	@Test
	void slowTasksKeepCallsSmallOverASlowNetworkToo() {
		for (int i = 0; i < 50; i++) {
			this.pace.took(this.pace.tasks(), Duration.ofMillis(20).toNanos() + this.pace.tasks() * 40_000L);
		}
		assertThat(this.pace.tasks()).isLessThan(Pace.FIRST);
	}

	@Test
	void singleCallThatIsHeldUpIsForgotten() {
		this.pace.took(this.pace.tasks(), Duration.ofMillis(50).toNanos());
		for (int i = 0; i < 6; i++) {
			afterTasksOf(2);
		}
		assertThat(this.pace.tasks()).isEqualTo(Pace.MOST);
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
		Pace constant = new Pace(false);
		constant.took(TaskStore.MAX_BATCH, SLOW.toNanos());
		assertThat(constant.tasks()).isEqualTo(TaskStore.MAX_BATCH);
	}

	private int afterTasksOf(int micros) {
		return after(Duration.ofNanos(1000L * micros * this.pace.tasks()));
	}

	private int after(Duration call) {
		this.pace.took(this.pace.tasks(), call.toNanos());
		return this.pace.tasks();
	}

}
