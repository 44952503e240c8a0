package io.github.delayqueue.store.redis;

import org.jspecify.annotations.Nullable;
import org.springframework.util.ObjectUtils;

/** Those who keep queues in their own way. Thread-safe. */
final class QueueHomes {

	private volatile QueueHome[] homes = {};

	void add(QueueHome home) {
		this.homes = ObjectUtils.addObjectToArray(this.homes, home);
	}

	/** Who keeps a queue, {@code null} for the store. */
	@Nullable QueueHome of(String queue) {
		for (QueueHome home : this.homes) {
			if (home.owns(queue)) {
				return home;
			}
		}
		return null;
	}

}
