package io.github.delayqueue.benchmark.report;

import org.junit.jupiter.api.Test;

import static io.github.delayqueue.benchmark.report.TestRuns.result;
import static org.assertj.core.api.Assertions.assertThat;

class KnownRatiosTests {

	@Test
	void peerThatIsMuchSlowerThanItCanBeIsAFault() {
		assertThat(KnownRatios.faults(
				TestRuns.of(result("drain", "redisson", "rate", 1600), result("enqueue-1", "bare", "rate", 15_000))))
			.singleElement()
			.asString()
			.contains("redisson, drain: 50 %");
	}

	@Test
	void slowerMachineIsNone() {
		assertThat(KnownRatios
			.faults(TestRuns.of(result("drain", "redisson", "rate", 320), result("enqueue-1", "bare", "rate", 1500))))
			.isEmpty();
	}

	@Test
	void peerThatNeedsMuchMoreThanItShouldIsAFault() {
		assertThat(KnownRatios.faults(TestRuns.of(result("memory-100k", "redisson", "bytes", 816),
				result("memory-100k", "bare", "bytes", 256))))
			.hasSize(1);
		assertThat(KnownRatios.faults(TestRuns.of(result("memory-100k", "redisson", "bytes", 204),
				result("memory-100k", "bare", "bytes", 256))))
			.isEmpty();
	}

}
