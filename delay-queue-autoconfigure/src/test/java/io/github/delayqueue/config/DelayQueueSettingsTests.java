package io.github.delayqueue.config;

import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.listener.ListenerOptions;
import io.github.delayqueue.listener.QueueSettings;
import io.github.delayqueue.producer.ProducerSettings;
import io.github.delayqueue.store.FlowLimits;
import io.github.delayqueue.store.Retention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link DelayQueueSettings}.
 */
class DelayQueueSettingsTests {

	private final DelayQueueSettings settings = DelayQueueSettings.defaults();

	@Test
	void queueWithoutSettingsOfItsOwnGetsTheGeneralOnes() {
		assertThat(this.settings.forQueue("a")).isEqualTo(this.settings.general().consumer());
		assertThat(this.settings.producer("a")).isEqualTo(this.settings.general().producer());
	}

	@Test
	void queueWithSettingsOfItsOwnGetsThose() {
		DelayQueueSettings.Queue queue = new DelayQueueSettings.Queue(
				new QueueSettings(ListenerOptions.defaults(), Retention.NONE, null, Duration.ofSeconds(7), 1),
				new ProducerSettings(9, Retention.NONE));
		DelayQueueSettings changed = this.settings.withQueue("a", queue);
		assertThat(changed.forQueue("a")).isEqualTo(queue.consumer());
		assertThat(changed.producer("a")).isEqualTo(queue.producer());
		assertThat(changed.forQueue("b")).isEqualTo(this.settings.general().consumer());
		assertThat(this.settings.queues()).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 257 })
	void numberOfPartitionsThatIsNotPossibleIsAnError(int partitions) {
		DelayQueueSettings.Queue general = this.settings.general();
		assertThatExceptionOfType(DelayQueueException.class)
			.isThrownBy(() -> new DelayQueueSettings.Queue(general.consumer(), general.producer(), partitions))
			.withMessageContaining("1 to 256 partitions, not " + partitions);
	}

	@Test
	void fewerDeadTasksThanPartitionsAreAnError() {
		ProducerSettings producer = new ProducerSettings(9, new Retention(Duration.ZERO, null, 7L));
		assertThatExceptionOfType(DelayQueueException.class)
			.isThrownBy(() -> new DelayQueueSettings.Queue(this.settings.general().consumer(), producer, 8))
			.withMessageContaining("At most 7 dead tasks");
	}

	@Test
	void limitBelowTheNumberOfPartitionsIsAnError() {
		QueueSettings consumer = new QueueSettings(ListenerOptions.defaults(), Retention.NONE, null,
				Duration.ofSeconds(1), 1, new FlowLimits(null, 7));
		assertThatExceptionOfType(DelayQueueException.class)
			.isThrownBy(() -> new DelayQueueSettings.Queue(consumer, this.settings.general().producer(), 8))
			.withMessageContaining("inFlight=7")
			.withMessageContaining("8 partitions");
	}

	@Test
	void changesOneThingAtATime() {
		assertThat(this.settings.withKeyPrefix("p:").withCommandTimeout(Duration.ofSeconds(1)).withVirtualThreads(true))
			.isEqualTo(new DelayQueueSettings("p:", Duration.ofSeconds(1), true, this.settings.general(),
					this.settings.queues()));
	}

	@Test
	void everyDefaultOfAListenerIsSet() {
		assertThat(this.settings.general().consumer().listener()).hasNoNullFieldsOrPropertiesExcept("id",
				"redeliveryPolicy", "recurrence");
	}

}
