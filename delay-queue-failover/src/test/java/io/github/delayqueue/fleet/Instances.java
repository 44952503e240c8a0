package io.github.delayqueue.fleet;

import java.time.Duration;
import java.util.List;

import io.github.delayqueue.event.TaskEventListener;
import io.github.delayqueue.listener.ListenerFixture;
import io.github.delayqueue.store.TaskStore;

/**
 * Instances that are part of a fleet.
 */
final class Instances {

	private Instances() {
	}

	static ListenerFixture open(TaskStore store, TaskEventListener... listeners) {
		return open(store, Fleet.INSTANCE_TIMEOUT, listeners);
	}

	static ListenerFixture open(TaskStore store, Duration instanceTimeout, TaskEventListener... listeners) {
		return new ListenerFixture(store, ListenerFixture.defaults(), ListenerFixture.threads(),
				List.of(new Fleet("shop", "", instanceTimeout)), listeners);
	}

}
