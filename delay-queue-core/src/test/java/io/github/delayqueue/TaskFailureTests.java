package io.github.delayqueue;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link TaskFailure}.
 */
class TaskFailureTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
			503 from https://partner/hooks/17          | 504 from https://partner/hooks/9
			order-1 was refused at attempt 10          | order-22 was refused at attempt 3
			No user "anna" is known                    | No user "bob, the builder" is known
			The key 'a b' is taken                     | The key 'c' is taken
			Payment 5f2b7c1a-0d3e-4f5a-8b6c-7d8e9f0a1b2c failed | Payment 00000000-0000-4000-8000-00000000000f failed
			Hash 9f2be913ab of x                       | Hash 00ffaa of x
			""")
	void failuresThatDifferInNumbersIdsAndQuotedPartsHaveOneCause(String message, String other) {
		assertThat(failure("a.B", message).cause()).matches("[0-9a-f]{16}").isEqualTo(failure("a.B", other).cause());
	}

	@Test
	void failuresOfOtherReasonTypeOrWordsHaveAnotherCause() {
		String cause = failure("a.B", "It can't be done, don't try").cause();
		assertThat(failure("a.C", "It can't be done, don't try").cause()).isNotEqualTo(cause);
		assertThat(failure("a.B", "It can't be undone, don't try").cause()).isNotEqualTo(cause);
		assertThat(failure("a.B", null).cause()).isNotEqualTo(cause);
		assertThat(new TaskFailure(null, "a.B", "It can't be done, don't try", Instant.EPOCH).cause())
			.isNotEqualTo(cause);
	}

	/** Instances of different versions must agree. */
	@Test
	void causeOfAFailureDoesNotChangeFromVersionToVersion() {
		assertThat(failure("a.B", "503 from https://partner/hooks/17").cause()).isEqualTo("3f526908a20f5c33");
	}

	@Test
	void lastThreeFailuresAreKeptTheEarlierOnesShort() {
		TaskFailure last = null;
		for (int attempt = 1; attempt <= 5; attempt++) {
			last = failure("a.B", "x".repeat(300) + attempt).traced("trace")
				.after(Duration.ofMillis(attempt))
				.ofAttempt(null, attempt, last);
		}
		assertThat(last.attempt()).isEqualTo(5);
		assertThat(last.trace()).isEqualTo("trace");
		assertThat(last.earlier()).extracting(TaskFailure::attempt).containsExactly(4, 3);
		assertThat(last.earlier()).allSatisfy((earlier) -> {
			assertThat(earlier.message()).hasSize(200);
			assertThat(earlier.trace()).isNull();
			assertThat(earlier.earlier()).isNull();
			assertThat(earlier.took()).isEqualTo(Duration.ofMillis(earlier.attempt()));
		});
		assertThat(last.alone().earlier()).isNull();
	}

	private static TaskFailure failure(String type, @Nullable String message) {
		return new TaskFailure(DeadReason.ATTEMPTS_EXHAUSTED, type, message, Instant.EPOCH);
	}

}
