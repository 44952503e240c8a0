package io.github.delayqueue.producer;

import java.time.Duration;
import java.util.Objects;
import java.util.function.LongSupplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.store.KnownQueues;
import io.github.delayqueue.store.TaskStore;

/**
 * Makes the names of queues known, when they are first used and now and then again, in
 * case the store was emptied. Only for overviews, so a failure does not matter.
 */
final class Announcements {

	private static final Logger logger = LoggerFactory.getLogger(Announcements.class);

	static final Duration EVERY = Duration.ofMinutes(1);

	private final TaskStore store;

	private final LongSupplier nanoTime;

	private final ConsumerCheck consumerCheck;

	private final KnownQueues<Long> announced = new KnownQueues<>();

	Announcements(TaskStore store, LongSupplier nanoTime) {
		this.store = store;
		this.nanoTime = nanoTime;
		this.consumerCheck = new ConsumerCheck(store, nanoTime);
	}

	/** Every name is new again. */
	void forget() {
		this.announced.all().clear();
	}

	void announce(String queue) {
		long now = this.nanoTime.getAsLong();
		Long last = this.announced.get(queue);
		if (last != null && now - last < EVERY.toNanos()) {
			return;
		}
		if (!Objects.equals(this.announced.put(queue, now), last)) {
			return;
		}
		try {
			this.store.announce(queue);
		}
		catch (RuntimeException ex) {
			logger.debug("The name of queue '{}' could not be announced; its tasks are not affected", queue, ex);
		}
		this.consumerCheck.check(queue);
	}

}
