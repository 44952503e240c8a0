package io.github.delayqueue.benchmark.measure;

import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import io.github.delayqueue.benchmark.Payloads;

import static org.assertj.core.api.Assertions.assertThat;

class FleetTests {

	private final Ledger first = Ledger.create(3);

	private final Ledger second = Ledger.create(3);

	private final Fleet fleet = new Fleet(List.of(this.first, this.second));

	@AfterEach
	void close() {
		this.fleet.close();
	}

	@Test
	void isCompleteWhenEachTaskWasHandledBySomeProcess() {
		handle(this.first, 0);
		handle(this.second, 2);
		assertThat(this.fleet.isComplete(1)).isTrue();
		assertThat(this.fleet.isComplete(3)).isFalse();
		assertThat(this.fleet.counts()).isEqualTo(new Counts(1, 0, 0));
		handle(this.second, 1);
		assertThat(this.fleet.isComplete(3)).isTrue();
		assertThat(this.fleet.counts()).isEqualTo(Counts.NONE);
		assertThat(this.fleet.shares()).containsExactly(1, 2);
	}

	@Test
	void whatTwoProcessesHandledIsDoubled() {
		handle(this.first, 0);
		handle(this.second, 0);
		handle(this.second, 1);
		handle(this.second, 1);
		assertThat(this.fleet.counts()).isEqualTo(new Counts(1, 2, 0));
	}

	@Test
	void theLastStartIsThatOfAnyProcess() {
		handle(this.second, 0);
		handle(this.first, 1);
		assertThat(this.fleet.lastMicros(0, 2)).isEqualTo(this.first.startedMicros(1));
		assertThat(this.fleet.lastMicros(0, 1)).isEqualTo(this.second.startedMicros(0));
	}

	private static void handle(Ledger ledger, int number) {
		ledger.sink(0).handle(Payloads.of(number, 1_000_000_000_000L));
	}

}
