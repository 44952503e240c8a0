package io.github.delayqueue.listener;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.TaskFailure;
import io.github.delayqueue.event.DeliveryOutcome;
import io.github.delayqueue.event.TaskEventListener;
import io.github.delayqueue.options.QueueOptions;

/**
 * Lets dead tasks be moved for the listeners of dead letters: when one has died in this
 * application, and as often as its listener polls. Always apart from claims and
 * settlements, which do not wait for it.
 */
final class DeadLetterMovers implements TaskEventListener {

	private static final Duration REMEMBERED = Duration.ofHours(1);

	/** By id of the container. */
	private final Map<String, DeadLetterMover> movers = new ConcurrentHashMap<>();

	/**
	 * Dead letters that have been handled are known for some time: their tasks may still
	 * be dead, because they could not be removed, or have been read by another mover.
	 */
	static QueueOptions optionsOf(DelayQueueListenerEndpoint endpoint, QueueOptions options) {
		Duration completed = options.retention().completed();
		return (endpoint.deadLettersOf() == null || completed.compareTo(REMEMBERED) >= 0) ? options
				: options.toBuilder().completedRetention(REMEMBERED).build();
	}

	void add(String id, DeadLetterMover mover) {
		this.movers.put(id, mover);
	}

	void remove(String id) {
		this.movers.remove(id);
	}

	void polled(String id) {
		DeadLetterMover mover = this.movers.get(id);
		if (mover != null) {
			mover.polled();
		}
	}

	/** On this thread. */
	void moveNow() {
		this.movers.values().forEach(DeadLetterMover::move);
	}

	@Override
	public void onEnd(String queue, String taskId, DeliveryOutcome outcome, Duration took,
			@Nullable TaskFailure failure) {
		if (outcome == DeliveryOutcome.DEAD) {
			this.movers.values().forEach((mover) -> mover.died(queue));
		}
	}

}
