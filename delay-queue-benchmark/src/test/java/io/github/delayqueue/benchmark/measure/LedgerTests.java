package io.github.delayqueue.benchmark.measure;

import org.junit.jupiter.api.Test;

import io.github.delayqueue.benchmark.Payloads;

import static org.assertj.core.api.Assertions.assertThat;

class LedgerTests {

	private static final long PAST = 1000;

	private final Ledger ledger = new Ledger(3);

	@Test
	void isCompleteOnceEachTaskHasBeenHandledInAnyOrder() {
		handle(2, 0);
		assertThat(this.ledger.isComplete()).isFalse();
		handle(1);
		assertThat(this.ledger.isComplete()).isTrue();
		assertThat(this.ledger.counts()).isEqualTo(Counts.NONE);
	}

	@Test
	void countsWhatIsMissingAndWhatCameTwice() {
		handle(0, 1, 1, 1);
		assertThat(this.ledger.counts()).isEqualTo(new Counts(1, 2, 0));
	}

	@Test
	void countsWhatCameBeforeItsTime() {
		this.ledger.handle(Payloads.of(0, System.currentTimeMillis() + 60_000));
		assertThat(this.ledger.counts().early()).isEqualTo(1);
	}

	@Test
	void countsTasksAsEarlyThatMustNotBeHandledAtAll() {
		handle(0, 1, 2, 3);
		assertThat(this.ledger.counts()).isEqualTo(new Counts(0, 0, 1));
	}

	@Test
	void remembersWhenATaskWasFirstHandled() {
		long before = System.currentTimeMillis() * 1000;
		handle(0);
		long first = this.ledger.startedMicros(0);
		handle(0);
		assertThat(this.ledger.startedMicros(0)).isEqualTo(first).isGreaterThanOrEqualTo(before);
		assertThat(this.ledger.lastMicros()).isEqualTo(first);
	}

	private void handle(int... numbers) {
		for (int number : numbers) {
			this.ledger.handle(Payloads.of(number, PAST));
		}
	}

}
