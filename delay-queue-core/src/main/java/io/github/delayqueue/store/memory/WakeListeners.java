package io.github.delayqueue.store.memory;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.store.WakeListener;
import io.github.delayqueue.store.WakeSubscription;

/**
 * Who is to be told when the earliest event of a queue has become earlier. Safe for use
 * by several threads.
 */
final class WakeListeners {

	private static final Logger logger = LoggerFactory.getLogger(WakeListeners.class);

	/** By identity: the same listener may be subscribed twice. */
	private final Map<String, List<AtomicReference<WakeListener>>> subscriptions = new ConcurrentHashMap<>();

	WakeSubscription subscribe(String queue, WakeListener listener) {
		List<AtomicReference<WakeListener>> ofQueue = this.subscriptions.computeIfAbsent(queue,
				(name) -> new CopyOnWriteArrayList<>());
		AtomicReference<WakeListener> subscribed = new AtomicReference<>(listener);
		ofQueue.add(subscribed);
		return () -> ofQueue.remove(subscribed);
	}

	/** Nobody if there is no time to wake them for. */
	void wake(String queue, @Nullable Duration in) {
		if (in != null) {
			tell(queue, (listener) -> listener.wake(in));
		}
	}

	void tell(String queue, Consumer<WakeListener> message) {
		for (AtomicReference<WakeListener> subscribed : this.subscriptions.getOrDefault(queue, List.of())) {
			try {
				message.accept(subscribed.get());
			}
			catch (RuntimeException ex) {
				logger.warn("Wake listener of queue '{}' failed, it learns of the task at its next poll", queue, ex);
			}
		}
	}

}
