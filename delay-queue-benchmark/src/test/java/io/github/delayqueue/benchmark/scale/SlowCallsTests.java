package io.github.delayqueue.benchmark.scale;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SlowCalls}.
 */
class SlowCallsTests {

	@Test
	void aStepIsToldOfByTheNumberOfSlowCallsAndTheLongest() {
		SlowCalls calls = new SlowCalls();
		calls.add("fill 10", List.of());
		calls.add("fill 100", List.of(new SlowCall("ZADD", 10.4)));
		calls.add("check 100", List.of(new SlowCall("HSCAN", 11), new SlowCall("HEXISTS", 16.3)));
		assertThat(calls.count()).isEqualTo(3);
		assertThat(calls.text()).isEqualTo("fill 100: ZADD 10.4 ms; check 100: 2, the longest HEXISTS 16.3 ms");
	}

	@Test
	void whereNothingIsSlowThereIsNothingToSay() {
		assertThat(new SlowCalls().text()).isEmpty();
	}

}
