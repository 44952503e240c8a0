package io.github.delayqueue.benchmark.report;

import org.junit.jupiter.api.Test;

import static io.github.delayqueue.benchmark.report.TestRuns.result;
import static org.assertj.core.api.Assertions.assertThat;

class KnownRatiosTests {

	@Test
	void peerThatIsMuchSlowerThanItCanBeIsAFault() {
		assertThat(KnownRatios
			.faults(TestRuns.of(result("drain", "redisson", "rate", 1600), result("drain", "loop", "rate", 134_000))))
			.singleElement()
			.asString()
			.contains("redisson, drain: 50 % of the ratio to 'loop'");
	}

	@Test
	void peerBelowSeventyPercentIsAFaultAndOneAtSeventyIsNot() {
		assertThat(KnownRatios.faults(TestRuns.of(result("enqueue-bulk", "redisson", "rate", 16_230),
				result("enqueue-bulk", "bare", "rate", 261_000))))
			.hasSize(1);
		assertThat(KnownRatios.faults(TestRuns.of(result("enqueue-bulk", "redisson", "rate", 16_250),
				result("enqueue-bulk", "bare", "rate", 261_000))))
			.isEmpty();
	}

	@Test
	void slowerMachineIsNone() {
		assertThat(KnownRatios
			.faults(TestRuns.of(result("drain", "redisson", "rate", 320), result("drain", "loop", "rate", 13_400))))
			.isEmpty();
	}

	@Test
	void faultSaysWhichOfTheTwoSidesHasMoved() {
		assertThat(KnownRatios.faults(TestRuns.of(result("drain", "redisson", "rate", 1600),
				result("drain", "loop", "rate", 134_000), result("enqueue-1", "bare", "rate", 7500))))
			.singleElement()
			.asString()
			.endsWith("by a single ZADD, redisson is at 100 % of what is known of it and loop at 200 %");
	}

	@Test
	void peerThatNeedsMuchMoreThanItShouldIsAFault() {
		assertThat(KnownRatios.faults(TestRuns.of(result("memory-100k", "redisson", "bytes", 816),
				result("memory-100k", "bare", "bytes", 256))))
			.singleElement()
			.asString()
			.doesNotContain("ZADD");
		assertThat(KnownRatios.faults(TestRuns.of(result("memory-100k", "redisson", "bytes", 204),
				result("memory-100k", "bare", "bytes", 256))))
			.isEmpty();
	}

}
