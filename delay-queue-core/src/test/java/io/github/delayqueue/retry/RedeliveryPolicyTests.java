package io.github.delayqueue.retry;

import java.util.Collections;
import java.lang.reflect.InvocationTargetException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.util.backoff.BackOffExecution;
import org.springframework.util.backoff.ExponentialBackOff;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.NonRetryable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link RedeliveryPolicy} and the policies that {@link RetryOptions} describe.
 */
class RedeliveryPolicyTests {

	@Test
	void diesWhenAttemptsAreUsedUp() {
		RedeliveryPolicy policy = RedeliveryPolicy.fixed(Duration.ofSeconds(7), 4);
		assertThat(policy.nextDelay(3, null)).isNotNull();
		assertThat(policy.nextDelay(4, null)).isNull();
		assertThat(policy.nextDelay(5, null)).isNull();
	}

	@Test
	void linearDelayGrowsByTheIncrementUpToItsBound() {
		RedeliveryPolicy policy = RedeliveryPolicy.linear(Duration.ofSeconds(1), Duration.ofSeconds(5),
				Duration.ofSeconds(12), 100);
		assertThat(delays(policy, 5)).containsExactly(Duration.ofSeconds(1), Duration.ofSeconds(6),
				Duration.ofSeconds(11), Duration.ofSeconds(12), Duration.ofSeconds(12));
	}

	@ParameterizedTest
	@ValueSource(doubles = { 1, 1.5, 2, 3 })
	void exponentialDelaysAreThoseOfSpring(double multiplier) {
		ExponentialBackOff spring = new ExponentialBackOff(16_000, multiplier);
		spring.setMaxInterval(600_000);
		BackOffExecution execution = spring.start();
		List<Duration> expected = IntStream.range(0, 12)
			.mapToObj((i) -> Duration.ofMillis(execution.nextBackOff()))
			.toList();
		RedeliveryPolicy policy = RedeliveryPolicy.exponential(Duration.ofSeconds(16), multiplier,
				Duration.ofMinutes(10), 0, 100);
		assertThat(delays(policy, 12)).usingElementComparator(RedeliveryPolicyTests::compareRoughly)
			.containsExactlyElementsOf(expected);
	}

	/** Spring drops fractions of a millisecond at every step. */
	private static int compareRoughly(Duration one, Duration other) {
		return (one.minus(other).abs().toMillis() <= 3) ? 0 : one.compareTo(other);
	}

	@ParameterizedTest
	@ValueSource(ints = { 5_000, 1_000_000, Integer.MAX_VALUE - 1 })
	void anyNumberOfFailuresStaysWithinTheBound(int failures) {
		Duration max = Duration.ofHours(1);
		assertThat(RedeliveryPolicy.exponential(Duration.ofSeconds(1), 10, max, 0, Integer.MAX_VALUE)
			.nextDelay(failures, null)).isEqualTo(max);
		assertThat(RedeliveryPolicy.linear(Duration.ofSeconds(1), Duration.ofDays(1), max, Integer.MAX_VALUE)
			.nextDelay(failures, null)).isEqualTo(max);
		assertThat(
				RedeliveryPolicy.exponential(Duration.ZERO, 10, max, 0.5, Integer.MAX_VALUE).nextDelay(failures, null))
			.isEqualTo(Duration.ofSeconds(1));
	}

	@Test
	void jitterVariesADelayInBothDirectionsAndKeepsTheBound() {
		RedeliveryPolicy policy = RedeliveryPolicy.exponential(Duration.ofSeconds(10), 2, Duration.ofSeconds(20), 0.1,
				100);
		List<Duration> first = IntStream.range(0, 500).mapToObj((i) -> policy.nextDelay(1, null)).toList();
		assertThat(first)
			.allSatisfy((delay) -> assertThat(delay).isBetween(Duration.ofSeconds(9), Duration.ofSeconds(11)))
			.anySatisfy((delay) -> assertThat(delay).isLessThan(Duration.ofMillis(9_800)))
			.anySatisfy((delay) -> assertThat(delay).isGreaterThan(Duration.ofMillis(10_200)));
		List<Duration> bounded = IntStream.range(0, 500).mapToObj((i) -> policy.nextDelay(50, null)).toList();
		assertThat(bounded)
			.allSatisfy((delay) -> assertThat(delay).isBetween(Duration.ofSeconds(18), Duration.ofSeconds(20)))
			.anySatisfy((delay) -> assertThat(delay).isLessThan(Duration.ofSeconds(19)));
		assertThat(bounded.stream().distinct().count()).isGreaterThan(100);
	}

	@Test
	void ladderGivesOneRungAfterTheOtherAndThenDies() {
		RedeliveryPolicy policy = RedeliveryPolicy.ladder(Duration.ZERO, Duration.ZERO, Duration.ofMinutes(2),
				Duration.ofMinutes(10), Duration.ofMinutes(10), Duration.ofHours(1), Duration.ofHours(2),
				Duration.ofHours(6), Duration.ofHours(15));
		assertThat(delays(policy, 9)).containsExactly(Duration.ZERO, Duration.ZERO, Duration.ofMinutes(2),
				Duration.ofMinutes(10), Duration.ofMinutes(10), Duration.ofHours(1), Duration.ofHours(2),
				Duration.ofHours(6), Duration.ofHours(15));
		assertThat(policy.maxAttempts()).isEqualTo(10);
		assertThat(policy.nextDelay(10, null)).isNull();
	}

	@Test
	void ladderRepeatsItsLastRungWhileThereAreAttempts() {
		RedeliveryPolicy policy = new RetryOptions(6, null, null, null, null, null,
				List.of(Duration.ofSeconds(1), Duration.ofSeconds(2)))
			.toPolicy(List.of());
		assertThat(delays(policy, 5)).containsExactly(Duration.ofSeconds(1), Duration.ofSeconds(2),
				Duration.ofSeconds(2), Duration.ofSeconds(2), Duration.ofSeconds(2));
		assertThat(policy.nextDelay(6, null)).isNull();
	}

	@Test
	void ladderIsNeitherVariedNorBounded() {
		RedeliveryPolicy policy = new RetryOptions(null, null, null, null, Duration.ofSeconds(1), 1.0,
				List.of(Duration.ofHours(15)))
			.toPolicy(List.of());
		assertThat(policy.nextDelay(1, null)).isEqualTo(Duration.ofHours(15));
	}

	@Test
	void impossibleValuesAreRefusedWithTheirName() {
		assertThatExceptionOfType(DelayQueueException.class)
			.isThrownBy(() -> RedeliveryPolicy.fixed(Duration.ofSeconds(-1), 4))
			.withMessage("delay is -1s, but it must be zero or longer");
		assertThatExceptionOfType(DelayQueueException.class)
			.isThrownBy(() -> RedeliveryPolicy.fixed(Duration.ofSeconds(1), 0))
			.withMessage("maxAttempts is 0, but it must be at least 1");
		assertThatExceptionOfType(DelayQueueException.class).isThrownBy(RedeliveryPolicy::ladder)
			.withMessage("Retry delays must not be empty");
	}

	@Test
	void diesAtOnceAfterAnExceptionThatIsNotToBeRetried() {
		RedeliveryPolicy policy = RetryOptions.NONE.toPolicy(List.of(IllegalArgumentException.class));
		assertThat(policy.nextDelay(1, new IllegalArgumentException())).isNull();
		assertThat(policy.nextDelay(1, new NumberFormatException())).isNull();
		assertThat(policy.nextDelay(1, new IllegalStateException())).isNotNull();
		assertThat(policy.nextDelay(1, new IllegalStateException(new IllegalArgumentException()))).isNotNull();
		assertThat(RedeliveryPolicy.ladder(Duration.ZERO).nextDelay(1, new Hopeless())).isNull();
	}

	@Test
	void looksThroughTheWrappersOfConcurrentAndReflectiveCalls() {
		List<Class<? extends Throwable>> noRetryFor = List.of(IllegalArgumentException.class);
		assertThat(RedeliveryPolicy.isRetryable(new CompletionException(new IllegalArgumentException()), noRetryFor))
			.isFalse();
		assertThat(RedeliveryPolicy.isRetryable(
				new ExecutionException(new CompletionException(new InvocationTargetException(new Hopeless()))),
				List.of()))
			.isFalse();
		assertThat(RedeliveryPolicy.isRetryable(new CompletionException(new IllegalStateException()), noRetryFor))
			.isTrue();
		assertThat(RedeliveryPolicy.isRetryable(new CompletionException("no cause", null), noRetryFor)).isTrue();
		assertThat(RedeliveryPolicy.isRetryable(null, noRetryFor)).isTrue();
	}

	@Test
	void causesThatFormACircleEnd() {
		ExecutionException one = new ExecutionException("one", null) {

			private static final long serialVersionUID = 1L;

			@Override
			public synchronized Throwable getCause() {
				return this;
			}

		};
		assertThat(RedeliveryPolicy.isRetryable(one, List.of(IllegalArgumentException.class))).isTrue();
	}

	private static List<Duration> delays(RedeliveryPolicy policy, int count) {
		return IntStream.rangeClosed(1, count).mapToObj((failures) -> policy.nextDelay(failures, null)).toList();
	}

	private static final class Hopeless extends RuntimeException implements NonRetryable {

		private static final long serialVersionUID = 1L;

	}

	@Test
	void whatHasFailedAHundredTimesWaitsAtLeastASecond() {
		RedeliveryPolicy policy = new RetryOptions(Integer.MAX_VALUE, Duration.ZERO, null, null, null, null, null)
			.toPolicy(List.of());
		assertThat(policy.nextDelay(99, null)).isEqualTo(Duration.ZERO);
		assertThat(policy.nextDelay(100, null)).isEqualTo(Duration.ofSeconds(1));
		assertThat(policy.nextDelay(Integer.MAX_VALUE - 1, null)).isEqualTo(Duration.ofSeconds(1));
	}

	@Test
	void ladderOfMoreThanAHundredDelaysIsRefused() {
		List<Duration> rungs = Collections.nCopies(101, Duration.ZERO);
		assertThatExceptionOfType(DelayQueueException.class)
			.isThrownBy(() -> new RetryOptions(null, null, null, null, null, null, rungs).validate())
			.withMessage("delays is 101 delays, but it must be at most 100 of them");
	}

}
