package io.github.delayqueue.actuate;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.listener.ContainerStatus;
import io.github.delayqueue.listener.DelayQueueListenerContainer;
import io.github.delayqueue.listener.DelayQueueListenerContainerRegistry;

import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.willAnswer;
import static org.mockito.Mockito.mock;

/**
 * A registry whose containers are in the state that a test sets.
 */
class StubContainers {

	static final Duration POLL_INTERVAL = Duration.ofSeconds(1);

	private final Map<String, ContainerStatus> states = new LinkedHashMap<>();

	private final DelayQueueListenerContainerRegistry registry = mock();

	StubContainers() {
		willAnswer((invocation) -> new ArrayList<>(this.states.keySet().stream().map(this::container).toList()))
			.given(this.registry)
			.getContainers();
	}

	DelayQueueListenerContainerRegistry registry() {
		return this.registry;
	}

	void set(ContainerStatus status) {
		this.states.put(status.id(), status);
	}

	void remove(String id) {
		this.states.remove(id);
	}

	private DelayQueueListenerContainer container(String id) {
		ContainerStatus status = this.states.get(id);
		DelayQueueListenerContainer container = mock();
		given(container.getId()).willReturn(id);
		given(container.getQueue()).willReturn(status.queue());
		given(container.status()).willReturn(status);
		return container;
	}

	static ContainerStatus running(String id, @Nullable Instant lastPollAt) {
		return status(id, true, false, lastPollAt, null, POLL_INTERVAL);
	}

	static ContainerStatus consuming(String queue, Instant lastPollAt) {
		return new ContainerStatus(queue, queue, true, false, 8, 1, 0, lastPollAt, null, POLL_INTERVAL, 0, 0);
	}

	/** With two workers that handlers keep beyond their time-out. */
	static ContainerStatus stuck(String id, Instant lastPollAt) {
		return new ContainerStatus(id, "order_timeout", true, false, 8, 3, 2, lastPollAt, null, POLL_INTERVAL, 0, 0);
	}

	static ContainerStatus stopped(String id, @Nullable Instant lastPollAt) {
		return status(id, false, false, lastPollAt, null, POLL_INTERVAL);
	}

	static ContainerStatus status(String id, boolean running, boolean paused, @Nullable Instant lastPollAt,
			@Nullable Throwable lastError, Duration pollInterval) {
		return new ContainerStatus(id, "order_timeout", running, paused, 8, 1, 0, lastPollAt, lastError, pollInterval,
				0, 0);
	}

}
