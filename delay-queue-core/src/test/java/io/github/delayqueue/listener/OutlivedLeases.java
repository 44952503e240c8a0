package io.github.delayqueue.listener;

import java.time.Duration;
import java.time.Instant;

import io.github.delayqueue.TaskState;
import io.github.delayqueue.roles.QueueView;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.testsupport.MutableClock;

import static org.awaitility.Awaitility.await;

/**
 * Lets the leases of a queue be outlived by their tasks: turns the clock of its store by
 * a part of the lease duration, waits until all leases have been extended, and so on.
 * However slow the machine is, a lease runs out only if nobody extends it.
 */
public final class OutlivedLeases {

	/** Two lease durations. */
	private static final int HALVES = 4;

	private OutlivedLeases() {
	}

	public static void outlive(TaskStore store, String queue, MutableClock clock, Duration leaseDuration) {
		awaitLeasesUntil(store, queue, clock.instant().plus(leaseDuration));
		for (int i = 0; i < HALVES; i++) {
			clock.advance(leaseDuration.dividedBy(2));
			awaitLeasesUntil(store, queue, clock.instant().plus(leaseDuration));
		}
	}

	/**
	 * Neither longer, which they are before they get the lease duration of their task.
	 */
	private static void awaitLeasesUntil(TaskStore store, String queue, Instant end) {
		await("leases until " + end).until(() -> QueueView.of(store)
			.list(queue, TaskState.IN_FLIGHT, 0, TaskStore.MAX_BATCH)
			.stream()
			.allMatch((task) -> task.at().equals(end)));
	}

}
