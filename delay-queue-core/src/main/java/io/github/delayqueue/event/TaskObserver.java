package io.github.delayqueue.event;

import java.util.List;

import io.github.delayqueue.DelayedTask;

/**
 * Looks on while tasks are scheduled and handled, from the beginning to the end, and may
 * give headers to tasks: tracing does. An application has one at most. Public for wiring.
 * To be told only what happens, implement {@link TaskEventListener}.
 * <p>
 * <b>Exception safety</b>: neither an observer nor the objects that it returns may throw.
 * Calls are not guarded.
 * <p>
 * <b>Threading</b>: called on the threads of producers and handlers, many at a time.
 */
public interface TaskObserver {

	/** Looks at nothing. */
	TaskObserver NONE = new TaskObserver() {
	};

	/**
	 * Whether to call the other methods. Asked for each call that schedules and each that
	 * handles, so that an inactive observer costs nothing else.
	 */
	default boolean isActive() {
		return false;
	}

	/**
	 * Tasks are about to be handled by one call.
	 * @param tasks the tasks, several where the handler takes batches
	 */
	default ObservedDelivery deliver(String queue, List<DelayedTask<?>> tasks) {
		throw new IllegalStateException("Not active");
	}

}
