package io.github.delayqueue.event;

import java.util.List;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.DelayedTask;

/**
 * Looks at nothing.
 */
final class NoTaskObserver implements TaskObserver {

	@Override
	public boolean isActive() {
		return false;
	}

	@Override
	public ObservedSchedule schedule(@Nullable String queue, int tasks) {
		throw new IllegalStateException("Not active");
	}

	@Override
	public ObservedDelivery deliver(String queue, List<DelayedTask<?>> tasks) {
		throw new IllegalStateException("Not active");
	}

}
