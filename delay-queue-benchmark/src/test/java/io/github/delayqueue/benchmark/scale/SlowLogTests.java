package io.github.delayqueue.benchmark.scale;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class SlowLogTests {

	@Test
	void anEntryIsACommandAndWhatItTook() {
		assertThat(SlowLog.describe(List.of(1L, 1795275000L, 12345L, List.of("PING")))).hasToString("PING 12.3 ms");
	}

	@Test
	void aScriptThatIsNoneOfOursIsACommand() {
		assertThat(SlowLog.describe(List.of(1L, 1795275000L, 12345L, List.of("EVALSHA", "0".repeat(40)))))
			.hasToString("EVALSHA 12.3 ms");
	}

}
