package io.github.delayqueue.options;

import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.util.unit.DataSize;

import io.github.delayqueue.partition.Partitions;
import io.github.delayqueue.InvalidOptionException;
import io.github.delayqueue.convert.TaskOptions;
import io.github.delayqueue.retry.RedeliveryPolicy;
import io.github.delayqueue.retry.RetryOptions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Tests for {@link QueueOptions}.
 */
class QueueOptionsTests {

	private static final Duration TOO_LONG = QueueOptions.MAX_DURATION.plusNanos(1);

	private static final Duration LEAST = Duration.ofSeconds(Long.MIN_VALUE);

	static Stream<Arguments> impossible() {
		return Stream.of(refused((options) -> options.concurrency(0), "concurrency is 0, but it must be between 1 and"),
				refused((options) -> options.concurrency(10_001), "concurrency is 10001, but it must be between 1 and"),
				refused((options) -> options.leaseDuration(Duration.ofMillis(99)),
						"leaseDuration is 99ms, but it must be between 100"),
				refused((options) -> options.leaseDuration(TOO_LONG), "and 36500 days"),
				refused((options) -> options.handlerTimeout(Duration.ZERO),
						"handlerTimeout is 0s, but it must be between a milli"),
				refused((options) -> options.handlerTimeout(TOO_LONG), "and 36500 days"),
				refused((options) -> options.shutdownTimeout(Duration.ofMillis(-1)), "shutdownTimeout is -1ms"),
				refused((options) -> options.shutdownTimeout(TOO_LONG), "and 36500 days"),
				refused((options) -> options.batchSize(0), "batchSize is 0, but it must be between 1 and 500"),
				refused((options) -> options.batchSize(501), "batchSize is 501, but it must be between 1 and 500"),
				refused((options) -> options.maxLeaseLosses(0), "maxLeaseLosses is 0, but it must be at least 1"),
				refused((options) -> options.retry(new RetryOptions(0, null, null, null, null, null, null)),
						"maxAttempts is 0, but it must be at least 1"),
				refused((options) -> options.pollInterval(Duration.ZERO), "pollInterval is 0s, but it must be longer"),
				refused((options) -> options.pollInterval(TOO_LONG), "and at most 36500 days"),
				refused((options) -> options.leaseDuration(LEAST), "leaseDuration is -"),
				refused((options) -> options.handlerTimeout(LEAST), "handlerTimeout is -"),
				refused((options) -> options.shutdownTimeout(LEAST), "shutdownTimeout is -"),
				refused((options) -> options.pollInterval(LEAST), "pollInterval is -"),
				refused((options) -> options.expiresAfter(LEAST), "expiresAfter is -"),
				refused((options) -> options.completedRetention(LEAST), "completedRetention is -"),
				refused((options) -> options.deadLetterRetention(LEAST), "deadLetterRetention is -"),
				refused((options) -> options.prefetch(501), "prefetch is 501, but it must be between 1 and 500"),
				refused((options) -> options.expiresAfter(Duration.ZERO), "expiresAfter is 0s, but it must be longer"),
				refused((options) -> options.with(Partitions.COUNT, 0),
						"partitions is 0, but it must be between 1 and 256"),
				refused((options) -> options.with(Partitions.COUNT, 257),
						"partitions is 257, but it must be between 1 and 256"),
				refused((options) -> options.completedRetention(Duration.ofMillis(-1)), "completedRetention is -1ms"),
				refused((options) -> options.deadLetterRetention(Duration.ZERO), "deadLetterRetention is 0s, but it"),
				refused((options) -> options.deadLetterMaxSize(0L),
						"deadLetterMaxSize is 0, but it must be at least 1"),
				refused((options) -> options.maxPayloadSize(DataSize.ofBytes(0)),
						"maxPayloadSize is 0B, but it must be"));
	}

	private static Arguments refused(Function<QueueOptions.Builder, QueueOptions.Builder> option, String message) {
		return arguments(option, message);
	}

	@ParameterizedTest
	@MethodSource("impossible")
	void valueThatIsNotPossibleIsRefusedByTheMethodThatSetsIt(
			Function<QueueOptions.Builder, QueueOptions.Builder> option, String message) {
		QueueOptions.Builder builder = QueueOptions.builder();
		assertThatExceptionOfType(InvalidOptionException.class).isThrownBy(() -> option.apply(builder))
			.withMessageContaining(message);
	}

	@Test
	void refusalSaysWhatTheOptionIsCalledInProperties() {
		assertThatExceptionOfType(InvalidOptionException.class).isThrownBy(() -> QueueOptions.builder().batchSize(501))
			.satisfies((ex) -> {
				assertThat(ex.getProperty()).isEqualTo("listener.batch-size");
				assertThat(ex).hasMessageStartingWith("batchSize is 501, but ");
				assertThat(ex.getValue()).isEqualTo("501");
				assertThat(ex.getReason()).isEqualTo("it must be between 1 and 500");
			});
	}

	@Test
	void levelTakesFromTheLowerOneWhatItDoesNotSet() {
		QueueOptions lower = QueueOptions.builder()
			.concurrency(3)
			.leaseDuration(Duration.ofSeconds(7))
			.journal(true)
			.build();
		QueueOptions both = QueueOptions.builder()
			.concurrency(1)
			.expiresAfter(Duration.ofHours(1))
			.build()
			.withDefaults(lower);
		assertThat(both).isEqualTo(lower.toBuilder().concurrency(1).expiresAfter(Duration.ofHours(1)).build());
		assertThat(both.withDefaults(QueueOptions.DEFAULTS).prefetch()).isEqualTo(500);
	}

	@Test
	void valueThatIsTheDefaultReplacesThatOfTheLowerLevelAllTheSame() {
		QueueOptions lower = QueueOptions.builder().concurrency(3).journal(true).build();
		QueueOptions both = QueueOptions.builder().concurrency(8).journal(false).build().withDefaults(lower);
		assertThat(both.concurrency()).isEqualTo(8);
		assertThat(both.journal()).isFalse();
	}

	@Test
	void policyOfALevelReplacesTheSettingsOfLowerOnesAndIsReplacedByHigherOnes() {
		RedeliveryPolicy policy = RedeliveryPolicy.fixed(Duration.ofSeconds(1), 9);
		QueueOptions queue = QueueOptions.builder()
			.redeliveryPolicy(policy)
			.build()
			.withDefaults(QueueOptions.DEFAULTS);
		assertThat(queue.policy()).isSameAs(policy);
		assertThat(QueueOptions.builder().leaseDuration(Duration.ofSeconds(1)).build().withDefaults(queue).policy())
			.isSameAs(policy);
		RetryOptions retry = new RetryOptions(2, null, null, null, null, null, null);
		assertThat(QueueOptions.builder().retry(retry).build().withDefaults(queue).policy().maxAttempts()).isEqualTo(2);
	}

	/** Its own delays would be lost with the policy. */
	@Test
	void taskWithItsOwnNumberOfAttemptsKeepsThePolicyThatWasSet() {
		RedeliveryPolicy own = (failures, cause) -> (failures < 5) ? Duration.ofHours(failures) : null;
		QueueOptions options = QueueOptions.builder().redeliveryPolicy(own).build();
		RedeliveryPolicy ofTask = options.policy(new TaskOptions(null, 3, null, null, null));
		assertThat(ofTask.maxAttempts()).isEqualTo(3);
		assertThat(ofTask.nextDelay(2, null)).isEqualTo(Duration.ofHours(2));
		assertThat(ofTask.nextDelay(3, null)).isNull();
		RedeliveryPolicy ofMany = options.policy(new TaskOptions(null, 9, null, null, null));
		assertThat(ofMany.nextDelay(4, null)).isEqualTo(Duration.ofHours(4));
		assertThat(ofMany.nextDelay(5, null)).isNull();
		assertThat(options.policy(new TaskOptions(null, null, List.of(Duration.ofMinutes(1)), null, null))
			.nextDelay(1, null)).isEqualTo(Duration.ofMinutes(1));
	}

}
