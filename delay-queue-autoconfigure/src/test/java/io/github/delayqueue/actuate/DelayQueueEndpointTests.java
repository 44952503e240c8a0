package io.github.delayqueue.actuate;

import java.time.Duration;
import java.util.List;
import java.util.Set;

import org.junit.jupiter.api.Test;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.QueueCheck;
import io.github.delayqueue.QueueStats;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.store.TaskStore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
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

	private static final QueueCheck CLEAN = new QueueCheck(null, 3, List.of(), new QueueCheck.Sums(1, 1, 1, 1, 0));

	private final TaskStore store = mock();

	private final DelayQueueOperations operations = mock();

	private final StubContainers containers = new StubContainers();

	private final DelayQueueEndpoint endpoint = new DelayQueueEndpoint(this.store, this.containers.registry(),
			this.operations);

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
	void checkLooksAt500EntriesUnlessToldOtherwise() {
		given(this.store.queues()).willReturn(Set.of("webhook"));
		given(this.operations.check("webhook", null, 500)).willReturn(CLEAN);
		given(this.operations.check("webhook", "tasks:7", 1000)).willReturn(CLEAN);
		assertThat(this.endpoint.view("webhook", "check", null, null)).isEqualTo(CheckDescriptor.of(CLEAN));
		assertThat(this.endpoint.view("webhook", "check", "tasks:7", 1000)).isEqualTo(CheckDescriptor.of(CLEAN));
	}

	@Test
	void unknownQueuesAndViewsAreNullAndNothingIsLookedAt() {
		given(this.store.queues()).willReturn(Set.of("webhook"));
		assertThat(this.endpoint.view("other", "check", null, null)).isNull();
		assertThat(this.endpoint.view("webhook", "other", null, null)).isNull();
		then(this.operations).shouldHaveNoInteractions();
	}

	@Test
	void checkDoesNotRepairAndRepairIsDoneOnlyOnRequest() {
		given(this.store.queues()).willReturn(Set.of("webhook"));
		given(this.operations.check(anyString(), any(), anyInt())).willReturn(CLEAN);
		given(this.operations.repair("webhook", null, 500)).willReturn(CLEAN);
		this.endpoint.view("webhook", "check", null, null);
		this.endpoint.perform("webhook", null, null, null);
		this.endpoint.perform("webhook", "REPAIR", null, null);
		this.endpoint.perform("other", "repair", null, null);
		then(this.operations).should(never()).repair(anyString(), any(), anyInt());
		assertThat(this.endpoint.perform("webhook", "repair", null, null)).isEqualTo(CheckDescriptor.of(CLEAN));
	}

	@Test
	void storeErrorOfACheckIsNotHidden() {
		given(this.store.queues()).willReturn(Set.of("webhook"));
		given(this.operations.check(anyString(), any(), anyInt()))
			.willThrow(new DelayQueueException("webhook", null, "Redis is gone", new IllegalStateException()));
		assertThatExceptionOfType(DelayQueueException.class)
			.isThrownBy(() -> this.endpoint.view("webhook", "check", null, null))
			.withMessage("Redis is gone");
	}

	@Test
	void storeErrorIsNotHidden() {
		given(this.store.queues()).willThrow(new DelayQueueException(null, null, "Redis is gone"));
		assertThatExceptionOfType(DelayQueueException.class).isThrownBy(this.endpoint::queues)
			.withMessage("Redis is gone");
	}

}
