package io.github.delayqueue.store.memory;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
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

	private final Map<String, List<Subscription>> subscriptions = new ConcurrentHashMap<>();

	WakeSubscription subscribe(String queue, WakeListener listener) {
		List<Subscription> ofQueue = this.subscriptions.computeIfAbsent(queue, (name) -> new CopyOnWriteArrayList<>());
		Subscription subscription = new Subscription(listener, ofQueue);
		ofQueue.add(subscription);
		return subscription;
	}

	/** Nobody if there is no time to wake them for. */
	void wake(String queue, @Nullable Duration in) {
		if (in != null) {
			tell(queue, (listener) -> listener.wake(in));
		}
	}

	void tell(String queue, Consumer<WakeListener> message) {
		for (Subscription subscription : this.subscriptions.getOrDefault(queue, List.of())) {
			try {
				message.accept(subscription.listener);
			}
			catch (RuntimeException ex) {
				logger.warn("Wake listener of queue '{}' failed, it learns of the task at its next poll", queue, ex);
			}
		}
	}

	/** Compared by identity: the same listener may be subscribed twice. */
	private static final class Subscription implements WakeSubscription {

		private final WakeListener listener;

		private final List<Subscription> siblings;

		private Subscription(WakeListener listener, List<Subscription> siblings) {
			this.listener = listener;
			this.siblings = siblings;
		}

		@Override
		public void close() {
			this.siblings.remove(this);
		}

	}

}
