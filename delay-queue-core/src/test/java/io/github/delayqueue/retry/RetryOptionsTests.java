package io.github.delayqueue.retry;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.github.delayqueue.InvalidOptionException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link RetryOptions}.
 */
class RetryOptionsTests {

	private static final List<Duration> LADDER = List.of(Duration.ZERO, Duration.ofMinutes(2), Duration.ofHours(1));

	private static final RetryOptions GENERAL = RetryOptions.DEFAULTS;

	private static final RetryOptions WITH_LADDER = ladder(null);

	private static final RetryOptions WITH_DELAY = delay(Duration.ofSeconds(5));

	@Test
	void delayAfterFalseIsForFailuresWithoutAnExceptionAndComesFromTheLevelThatSetsIt() {
		RetryOptions lower = new RetryOptions(null, null, null, null, null, null, null, Duration.ofSeconds(1));
		for (RetryOptions level : List.of(RetryOptions.NONE, WITH_DELAY, WITH_LADDER)) {
			RedeliveryPolicy policy = level.withDefaults(lower).toPolicy(List.of());
			assertThat(policy.nextDelay(2, null)).isEqualTo(Duration.ofSeconds(1));
			assertThat(policy.nextDelay(2, new IllegalStateException())).isNotEqualTo(Duration.ofSeconds(1));
			assertThat(policy.nextDelay(100, null)).isNull();
			assertThat(policy).hasToString(level.toPolicy(List.of()) + ", after 1s if it returns false");
			assertThat(lower.withDefaults(level).delays()).isEqualTo(level.delays());
		}
		RetryOptions higher = new RetryOptions(null, null, null, null, null, null, null, Duration.ZERO);
		assertThat(higher.withDefaults(lower).toPolicy(List.of()).nextDelay(1, null)).isEqualTo(Duration.ZERO);
	}

	@Test
	void takesWhatIsNotSetFromTheLowerLevel() {
		RetryOptions merged = WITH_DELAY.withDefaults(GENERAL);
		assertThat(merged.delay()).isEqualTo(Duration.ofSeconds(5));
		assertThat(merged.maxAttempts()).isEqualTo(10);
		assertThat(merged.multiplier()).isEqualTo(2);
		assertThat(merged.maxDelay()).isEqualTo(Duration.ofHours(1));
		assertThat(merged.jitter()).isEqualTo(0.1);
	}

	@Test
	void defaultsOutliveADatabaseThatIsAwayForAnHour() {
		RedeliveryPolicy policy = new RetryOptions(null, null, null, null, null, 0.0, null).toPolicy(List.of());
		Duration all = Duration.ZERO;
		Duration delay = policy.nextDelay(1, null);
		for (int failures = 1; delay != null; failures++) {
			all = all.plus(delay);
			delay = policy.nextDelay(failures + 1, null);
		}
		assertThat(all).isEqualTo(Duration.ofSeconds(10 * 511));
	}

	@Test
	void ladderAllowsOneAttemptMoreThanRungsWhateverLowerLevelsSay() {
		RetryOptions merged = WITH_LADDER.withDefaults(GENERAL);
		assertThat(merged.delays()).isEqualTo(LADDER);
		assertThat(merged.maxAttempts()).isEqualTo(4);
		assertThat(WITH_LADDER.withDefaults(attempts(9)).maxAttempts()).isEqualTo(4);
	}

	@Test
	void attemptsOfAHigherLevelOutrankTheLadderAndKeepIt() {
		RetryOptions merged = attempts(7).withDefaults(WITH_LADDER).withDefaults(GENERAL);
		assertThat(merged.maxAttempts()).isEqualTo(7);
		assertThat(merged.delays()).isEqualTo(LADDER);
	}

	@Test
	void shapeOfAHigherLevelDoesAwayWithTheLadderAndItsAttempts() {
		RetryOptions merged = WITH_DELAY.withDefaults(WITH_LADDER.withDefaults(attempts(9)));
		assertThat(merged.delays()).isNull();
		assertThat(merged.delay()).isEqualTo(Duration.ofSeconds(5));
		assertThat(merged.maxAttempts()).isEqualTo(9);
	}

	@Test
	void shapeOfAHigherLevelKeepsAttemptsThatWereSetBesideTheLadder() {
		assertThat(WITH_DELAY.withDefaults(ladder(12)).withDefaults(GENERAL).maxAttempts()).isEqualTo(12);
		assertThat(WITH_DELAY.withDefaults(ladder(12).withDefaults(GENERAL)).maxAttempts()).isEqualTo(12);
	}

	@Test
	void ladderOfATaskOutranksEverythingBelow() {
		RetryOptions merged = ladder(null).withDefaults(WITH_DELAY)
			.withDefaults(ladder(12))
			.withDefaults(attempts(9))
			.withDefaults(GENERAL);
		assertThat(merged.delays()).isEqualTo(LADDER);
		assertThat(merged.maxAttempts()).isEqualTo(4);
	}

	@Test
	void incrementMakesDelaysLinearWhateverTheLowerMultiplier() {
		RetryOptions merged = new RetryOptions(null, null, null, Duration.ofSeconds(3), null, null, null)
			.withDefaults(GENERAL);
		assertThat(merged.multiplier()).isEqualTo(1);
		assertThat(merged.increment()).isEqualTo(Duration.ofSeconds(3));
	}

	@Test
	void multiplierDoesAwayWithTheLowerIncrement() {
		RetryOptions linear = new RetryOptions(null, null, null, Duration.ofSeconds(3), null, null, null);
		RetryOptions merged = new RetryOptions(null, null, 1.5, null, null, null, null).withDefaults(linear);
		assertThat(merged.multiplier()).isEqualTo(1.5);
		assertThat(merged.increment()).isEqualTo(Duration.ZERO);
	}

	@Test
	void delayIsNotCutShortByTheBoundOfALowerLevel() {
		RetryOptions merged = delay(Duration.ofHours(2)).withDefaults(GENERAL);
		assertThat(merged.maxDelay()).isEqualTo(Duration.ofHours(2));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			0 |       |     |       |       |      |       | maxAttempts is 0, but it must be at least 1
			  | PT-1S |     |       |       |      |       | delay is -1s, but it must be zero or longer
			  |       | 0.5 |       |       |      |       | multiplier is 0.5, but it must be at least 1
			  |       | NaN |       |       |      |       | multiplier is NaN, but it must be at least 1
			  |       |     | PT-1S |       |      |       | increment is -1s, but it must be zero or longer
			  |       |     |       | PT-1S |      |       | maxDelay is -1s, but it must be zero or longer
			  |       |     |       |       | 1.1  |       | jitter is 1.1, but it must be between 0 and 1
			  |       |     |       |       | -0.1 |       | jitter is -0.1, but it must be between 0 and 1
			  |       |     |       |       |      | PT-1S | delays is -1s, but it must be zero or longer, each
			""")
	void refusesWhatIsNotPossible(Integer maxAttempts, Duration delay, Double multiplier, Duration increment,
			Duration maxDelay, Double jitter, Duration rung, String message) {
		RetryOptions options = new RetryOptions(maxAttempts, delay, multiplier, increment, maxDelay, jitter,
				(rung != null) ? List.of(Duration.ZERO, rung) : null);
		assertThatExceptionOfType(InvalidOptionException.class).isThrownBy(options::validate).withMessage(message);
	}

	@Test
	void refusesMultiplierTogetherWithIncrement() {
		RetryOptions options = new RetryOptions(null, null, 2.0, Duration.ofSeconds(1), null, null, null);
		assertThatExceptionOfType(InvalidOptionException.class).isThrownBy(options::validate)
			.withMessage("increment is 1s, but it must be zero if there is a multiplier (2.0): remove one of the two");
	}

	private static RetryOptions ladder(Integer maxAttempts) {
		return new RetryOptions(maxAttempts, null, null, null, null, null, LADDER);
	}

	private static RetryOptions delay(Duration delay) {
		return new RetryOptions(null, delay, null, null, null, null, null);
	}

	private static RetryOptions attempts(int maxAttempts) {
		return new RetryOptions(maxAttempts, null, null, null, null, null, null);
	}

}
