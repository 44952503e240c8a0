package io.github.delayqueue.config;

import java.time.Duration;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.delayqueue.limits.GlobalConcurrency;
import io.github.delayqueue.limits.RateLimit;
import io.github.delayqueue.replication.ReplicatedScripts;
import io.github.delayqueue.partition.Partitions;
import io.github.delayqueue.InvalidOptionException;
import io.github.delayqueue.options.QueueOptions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Tests for {@link DelayQueueSettings}.
 */
class DelayQueueSettingsTests {

	private final DelayQueueSettings settings = DelayQueueSettings.defaults();

	@Test
	void deadLettersAreKeptAsSafeAsTheTasksOfTheirQueue() {
		DelayQueueSettings settings = this.settings
			.withQueue("a",
					QueueOptions.builder()
						.journal(true)
						.with(ReplicatedScripts.MIN_REPLICAS, 2)
						.with(Partitions.COUNT, 3)
						.build())
			.withQueue("a:dead-letters",
					QueueOptions.builder().concurrency(2).with(ReplicatedScripts.MIN_REPLICAS, 1).build());
		assertThat(settings.forQueue("a:dead-letters")).returns(true, QueueOptions::journal)
			.returns(2, (options) -> options.get(ReplicatedScripts.MIN_REPLICAS))
			.returns(2, QueueOptions::concurrency)
			.returns(1, (options) -> options.get(Partitions.COUNT));
		assertThat(settings.journal("a:dead-letters:dead-letters")).isTrue();
		assertThat(settings.forQueue("b:dead-letters")).isEqualTo(this.settings.general());
		assertThat(settings.journal(":dead-letters")).isFalse();
	}

	@Test
	void queueTakesWhatItDoesNotSetFromTheGeneralOptions() {
		QueueOptions own = QueueOptions.builder().pollInterval(Duration.ofSeconds(7)).with(Partitions.COUNT, 3).build();
		DelayQueueSettings changed = this.settings.withQueue("a", own);
		assertThat(changed.forQueue("a")).isEqualTo(own.withDefaults(this.settings.general()));
		assertThat(changed.partitions("a")).isEqualTo(3);
		assertThat(changed.forQueue("b")).isEqualTo(this.settings.general());
		assertThat(this.settings.queues()).isEmpty();
	}

	@Test
	void optionsThatDoNotFitEachOtherAreAnError() {
		QueueOptions own = QueueOptions.builder()
			.with(Partitions.COUNT, 8)
			.with(GlobalConcurrency.OPTION, new GlobalConcurrency(7))
			.build();
		assertThatExceptionOfType(InvalidOptionException.class).isThrownBy(() -> this.settings.withQueue("a", own))
			.withMessageContaining("globalConcurrency is 7")
			.withMessageContaining("partitions, which is 8");
	}

	@ParameterizedTest
	@ValueSource(longs = { Long.MIN_VALUE, -1, 86_401, Long.MAX_VALUE })
	void impossibleTimesAreAnError(long seconds) {
		Duration time = Duration.ofSeconds(seconds);
		assertThatExceptionOfType(InvalidOptionException.class).isThrownBy(() -> this.settings.withCommandTimeout(time))
			.withMessageContaining("at most a day");
		assertThatExceptionOfType(InvalidOptionException.class)
			.isThrownBy(() -> this.settings.withInstanceTimeout(time))
			.withMessageContaining("between 2 seconds");
	}

	@Test
	void nameOfAPropertyHasBracketsWhereTheQueueNeedsThem() {
		assertThat(DelayQueueSettings.prefixOf("order_timeout")).isEqualTo("delay-queue.queues.order_timeout.");
		assertThat(DelayQueueSettings.prefixOf("shop.orders")).isEqualTo("delay-queue.queues[shop.orders].");
	}

	static Stream<Arguments> misfits() {
		QueueOptions.Builder partitions = QueueOptions.builder().with(Partitions.COUNT, 8);
		return Stream.of(
				arguments(QueueOptions.builder().batchSize(60), QueueOptions.builder().prefetch(50),
						"batchSize is 60, but it must be at most listener.prefetch, which is 50: no claim could"),
				arguments(QueueOptions.builder().prefetch(10), QueueOptions.builder().batchSize(20),
						"prefetch is 10, but it must be at least listener.batch-size, which is 20"),
				arguments(QueueOptions.builder().with(Partitions.COUNT, 8).deadLetterMaxSize(7L),
						QueueOptions.builder(),
						"deadLetterMaxSize is 7, but it must be at least partitions, which is 8: each partition"),
				arguments(partitions, QueueOptions.builder().deadLetterMaxSize(7L),
						"partitions is 8, but it must be at most dead-letter.max-size, which is 7"),
				arguments(QueueOptions.builder().with(GlobalConcurrency.OPTION, new GlobalConcurrency(7)), partitions,
						"globalConcurrency is 7, but it must be at least partitions, which is 8: each partition gets"),
				arguments(QueueOptions.builder().with(RateLimit.OPTION, RateLimit.parse("7/m")), partitions,
						"rateLimit is 7/m, but it must be at least partitions, which is 8: each partition gets"));
	}

	@ParameterizedTest
	@MethodSource("misfits")
	void optionsOfAQueueThatDoNotFitAreRefusedUnderTheNameOfTheOneThatTheQueueSets(QueueOptions.Builder queue,
			QueueOptions.Builder general, String message) {
		QueueOptions lower = general.build().withDefaults(QueueOptions.DEFAULTS);
		assertThatExceptionOfType(InvalidOptionException.class)
			.isThrownBy(() -> DelayQueueSettings.complete(queue.build(), lower))
			.withMessageContaining(message);
	}

}
