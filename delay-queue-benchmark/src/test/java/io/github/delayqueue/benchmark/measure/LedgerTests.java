package io.github.delayqueue.benchmark.measure;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import io.github.delayqueue.benchmark.Payloads;
import io.github.delayqueue.benchmark.TaskSink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class LedgerTests {

	private static final long PAST = 1000;

	private final Ledger ledger = Ledger.create(3);

	private final TaskSink sink = this.ledger.sink(0);

	@AfterEach
	void delete() {
		this.ledger.close();
	}

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
		this.sink.handle(Payloads.of(0, System.currentTimeMillis() + 60_000));
		assertThat(this.ledger.counts().early()).isEqualTo(1);
	}

	@Test
	void countsTasksAsEarlyThatMustNotBeHandledAtAll() {
		handle(0, 1, 2, 3);
		assertThat(this.ledger.counts()).isEqualTo(new Counts(0, 0, 1));
	}

	@Test
	void isWrittenByOtherProcessesAsWell() {
		Ledger.open(this.ledger.file(), 3).sink(0).handle(Payloads.of(1, PAST));
		assertThat(this.ledger.handled()).isEqualTo(1);
		assertThat(this.ledger.hasStarted(1)).isTrue();
		assertThat(this.ledger.hasStarted(2)).isFalse();
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

	@Test
	void holdsWhatWasStartedAndHasNotEnded() {
		this.ledger.sink(0).handle(Payloads.of(2, PAST));
		TaskSink killed = this.ledger.sink(60_000);
		Thread.currentThread().interrupt();
		assertThatIllegalStateException().isThrownBy(() -> killed.handle(Payloads.of(1, PAST)));
		assertThat(Thread.interrupted()).isTrue();
		assertThat(this.ledger.held()).containsExactly(1);
		long before = this.ledger.lastStartedMicros(1);
		handle(1);
		assertThat(this.ledger.held()).isEmpty();
		assertThat(this.ledger.lastStartedMicros(1)).isGreaterThanOrEqualTo(before);
	}

	private void handle(int... numbers) {
		for (int number : numbers) {
			this.sink.handle(Payloads.of(number, PAST));
		}
	}

}
