package io.github.delayqueue.config;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import io.github.delayqueue.listener.ListenerOptions;
import io.github.delayqueue.listener.QueueSettings;
import io.github.delayqueue.producer.ProducerSettings;
import io.github.delayqueue.store.Retention;

import static org.assertj.core.api.Assertions.assertThat;

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

	@Test
	void changesOneThingAtATime() {
		assertThat(this.settings.withKeyPrefix("p:").withCommandTimeout(Duration.ofSeconds(1)).withVirtualThreads(true))
			.isEqualTo(new DelayQueueSettings("p:", Duration.ofSeconds(1), true, this.settings.general(),
					this.settings.queues()));
	}

	@Test
	void everyDefaultOfAListenerIsSet() {
		assertThat(this.settings.general().consumer().listener()).hasNoNullFieldsOrPropertiesExcept("id",
				"redeliveryPolicy");
	}

}
