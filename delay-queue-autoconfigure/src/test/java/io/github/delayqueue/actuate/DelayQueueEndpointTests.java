package io.github.delayqueue.actuate;

import java.time.Duration;
import java.util.Set;

import org.junit.jupiter.api.Test;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.QueueStats;
import io.github.delayqueue.store.TaskStore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;

/**
 * Tests for {@link DelayQueueEndpoint}. What it looks like over the web is in
 * {@link DelayQueueEndpointWebTests}.
 */
class DelayQueueEndpointTests {

	private static final QueueStats EMPTY = new QueueStats(0, 0, 0, 0, 0, 0, 0, Duration.ZERO, null, false,
			new QueueStats.Totals(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));

	private final TaskStore store = mock();

	private final StubContainers containers = new StubContainers();

	private final DelayQueueEndpoint endpoint = new DelayQueueEndpoint(this.store, this.containers.registry());

	@Test
	void listsAnnouncedAndConsumedQueuesInOrder() {
		given(this.store.queues()).willReturn(Set.of("webhook", "booking"));
		given(this.store.stats(anyString())).willReturn(EMPTY);
		this.containers.set(StubContainers.running("a", null));
		assertThat(this.endpoint.queues().queues().keySet()).containsExactly("booking", "order_timeout", "webhook");
	}

	@Test
	void asksTheStoreOncePerQueue() {
		given(this.store.queues()).willReturn(Set.of("order_timeout"));
		given(this.store.stats(anyString())).willReturn(EMPTY);
		this.containers.set(StubContainers.running("a", null));
		this.containers.set(StubContainers.running("b", null));
		this.endpoint.queues();
		then(this.store).should(times(1)).stats("order_timeout");
	}

	@Test
	void queueIsTheSameAsInTheListOfAll() {
		given(this.store.queues()).willReturn(Set.of("order_timeout"));
		given(this.store.stats("order_timeout")).willReturn(EMPTY);
		this.containers.set(StubContainers.running("a", null));
		assertThat(this.endpoint.queue("order_timeout")).isNotNull()
			.isEqualTo(this.endpoint.queues().queues().get("order_timeout"));
	}

	@Test
	void queueHasOnlyItsOwnListeners() {
		given(this.store.queues()).willReturn(Set.of("webhook"));
		given(this.store.stats("webhook")).willReturn(EMPTY);
		this.containers.set(StubContainers.running("a", null));
		QueueDescriptor queue = this.endpoint.queue("webhook");
		assertThat(queue).isNotNull();
		assertThat(queue.listeners()).isEmpty();
	}

	@Test
	void consumedQueueIsKnownBeforeItIsAnnounced() {
		given(this.store.queues()).willReturn(Set.of());
		given(this.store.stats("order_timeout")).willReturn(EMPTY);
		this.containers.set(StubContainers.running("a", null));
		assertThat(this.endpoint.queue("order_timeout")).isNotNull();
	}

	@Test
	void unknownQueueIsNullAndTheStoreIsNotAskedForIt() {
		given(this.store.queues()).willReturn(Set.of("webhook"));
		assertThat(this.endpoint.queue("no such {queue}")).isNull();
		then(this.store).should(never()).stats(anyString());
	}

	@Test
	void storeErrorIsNotHidden() {
		given(this.store.queues()).willThrow(new DelayQueueException(null, null, "Redis is gone"));
		assertThatExceptionOfType(DelayQueueException.class).isThrownBy(this.endpoint::queues)
			.withMessage("Redis is gone");
	}

}
