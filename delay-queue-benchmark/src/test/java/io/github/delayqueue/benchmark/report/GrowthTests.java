package io.github.delayqueue.benchmark.report;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import io.github.delayqueue.benchmark.measure.Counts;
import io.github.delayqueue.benchmark.measure.Result;
import io.github.delayqueue.benchmark.measure.Sample;

import static org.assertj.core.api.Assertions.assertThat;

class GrowthTests {

	private final List<Result> results = new ArrayList<>();

	@Test
	void whatWasNotMeasuredIsNeitherShownNorMissed() {
		Growth growth = growth();
		assertThat(growth.checks()).isNotEmpty().allMatch((check) -> check.verdict().equals("not measured"));
		assertThat(growth.processes().lines()).hasSize(2);
		assertThat(growth.queues().lines()).hasSize(2);
	}

	@Test
	void theSlowestNumberOfProcessesIsComparedWithTheFastest() {
		result("processes-1", Map.of("rate", 90_000.0, "claims", 0.3, "empty", 0.1), null);
		result("processes-4", Map.of("rate", 120_000.0, "claims", 2.0, "empty", 1.5), null);
		assertThat(growth().processes()).contains("| 1 | 90,000 | 0.3 | 0.1 |", "| 4 | 120,000 | 2.0 | 1.5 |");
		assertThat(check("Drain by").measured()).isEqualTo("0.75");
		assertThat(check("Drain by").passed()).isFalse();
		assertThat(check("Empty claims").measured()).isEqualTo("1.50");
		assertThat(check("Empty claims").passed()).isFalse();
	}

	@Test
	void costIsComparedWithThatOfTheSmallestQueue() {
		result("size", Map.of("enqueue-10000", 100.0, "enqueue-100000", 160.0, "enqueue-1000000", 120.0, "claim-10000",
				200.0, "claim-100000", 210.0, "claim-1000000", 220.0), null);
		assertThat(check("Cost of a call").measured()).isEqualTo("1.60");
		assertThat(check("Cost of a call").passed()).isFalse();
		assertThat(growth().size()).contains("10,000 pending, µs | 100,000 pending, µs | 1,000,000 pending, µs");
	}

	@Test
	void whatIsSlowIsComparedWithWhatIsWithoutAQueue() {
		result("size", Map.of("enqueue-10000", 100.0, "slow", 3.0, "slowControl", 1.0),
				"fill: 3, the longest ZADD 12.0 ms");
		assertThat(growth().size()).endsWith("the longest ZADD 12.0 ms; of the control: 1.");
		assertThat(check("Commands of more than 10 ms").passed()).isFalse();
		assertThat(check("Commands of more than 10 ms").required()).isEqualTo("at most 1");
	}

	@Test
	void manyQueuesAreComparedWithOne() {
		result("queues-1", Map.of("threads", 20.0, "subscriptions", 1.0), null);
		result("queues-1000", Map.of("threads", 28.0, "subscriptions", 1.0), null);
		assertThat(check("Threads more").measured()).isEqualTo("8");
		assertThat(check("Threads more").passed()).isTrue();
		assertThat(check("Subscription").passed()).isTrue();
	}

	@Test
	void tasksInTheTableHaveALineForEachSize() {
		this.results.add(TestRuns.result("journal-stored", "journal", "tasks", 100_000));
		this.results.add(TestRuns.result("journal-stored-large", "journal", "tasks", 5_000_000));
		assertThat(growth().stored()).contains("\n| 100,000 | – |", "\n| 5,000,000 | – |");
	}

	private Check check(String name) {
		return growth().checks().stream().filter((check) -> check.name().startsWith(name)).findFirst().orElseThrow();
	}

	private Growth growth() {
		return new Growth(new Run(Instant.EPOCH, 1, Map.of(), List.of(), this.results));
	}

	private void result(String measure, Map<String, Double> values, @Nullable String note) {
		this.results.add(new Result(measure, "ours", List.of(new Sample(values, Counts.NONE, false, 1)), note));
	}

}
