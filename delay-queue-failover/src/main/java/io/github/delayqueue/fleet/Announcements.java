package io.github.delayqueue.fleet;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.roles.QueueControl;
import io.github.delayqueue.store.TaskStore;

/** Makes the names of queues known, for overviews: a failure does not matter. */
final class Announcements {

	private static final Logger logger = LoggerFactory.getLogger(Announcements.class);

	/** After a failure. */
	static final Duration AGAIN_AFTER = Duration.ofSeconds(30);

	private final TaskStore store;

	private final LongSupplier nanoTime;

	private final Duration every;

	private final int most;

	/** When each is to be announced again. */
	private final Map<String, Long> announceAt = new ConcurrentHashMap<>();

	Announcements(TaskStore store, LongSupplier nanoTime, Duration every, int most) {
		this.store = store;
		this.nanoTime = nanoTime;
		this.every = every;
		this.most = most;
	}

	/** Every name is new again. */
	void forget() {
		this.announceAt.clear();
	}

	void forget(String queue) {
		this.announceAt.remove(queue);
	}

	/** A queue is used. Says whether it was time to announce it. */
	boolean announce(String queue) {
		long now = this.nanoTime.getAsLong();
		Long at = this.announceAt.get(queue);
		if (at != null && now - at < 0) {
			return false;
		}
		if (at == null && this.announceAt.size() >= this.most) {
			this.announceAt.clear();
		}
		if (!Objects.equals(this.announceAt.put(queue, now + this.every.toNanos()), at)) {
			return false;
		}
		try {
			QueueControl.of(this.store).announce(queue);
		}
		catch (RuntimeException ex) {
			this.announceAt.put(queue, now + AGAIN_AFTER.toNanos());
			logger.debug("The name of queue '{}' could not be announced; its tasks are not affected", queue, ex);
		}
		return true;
	}

}
