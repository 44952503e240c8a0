package io.github.delayqueue.store;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.roles.SourceNames;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link Sources}.
 */
class SourcesTests {

	@Test
	void firstSourceHasTheNameOfTheQueue() {
		assertThat(SourceNames.names("q", 1)).containsExactly("q");
		assertThat(SourceNames.names("q", 3)).containsExactly("q", "q#1", "q#2");
		assertThat(SourceNames.names("q", 3)).extracting(Sources::queue).containsOnly("q");
	}

	@ParameterizedTest
	@ValueSource(strings = { "q", "q#1", "q#255", "a.b:c#10" })
	void nameOfASourceIsAccepted(String name) {
		assertThat(Sources.requireName(name)).isEqualTo(name);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "#1", "q#", "q#0", "q#01", "q#1000", "q#1#2", "q#-1", "q}#1", "q#a" })
	void nameThatIsNoneOfASourceIsRefused(String name) {
		assertThatExceptionOfType(DelayQueueException.class).isThrownBy(() -> Sources.requireName(name));
	}

	@ParameterizedTest
	@CsvSource({ "8, 8", "1, 1", "256, 256", "unknown, 1", "'8,4', 8", "0, 1", "257, 1" })
	void whatIsNoNumberOfSourcesCountsAsOne(String known, int count) {
		assertThat(SourceNames.count(known)).isEqualTo(count);
	}

}
