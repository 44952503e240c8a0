package io.github.delayqueue.listener;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.TaskFailure;
import io.github.delayqueue.convert.TaskCodec;
import io.github.delayqueue.event.DeliveryOutcome;
import io.github.delayqueue.event.TaskEventListener;
import io.github.delayqueue.event.TaskEvents;
import io.github.delayqueue.options.QueueOptions;
import io.github.delayqueue.store.TaskStore;

/**
 * Lets dead tasks be moved for the listeners of dead letters: when one has died in this
 * application, and as often as its listener polls. Always apart from claims and
 * settlements, which do not wait for it.
 */
final class DeadLetterMovers implements TaskEventListener {

	private static final Duration REMEMBERED = Duration.ofHours(1);

	private final TaskStore store;

	private final TaskCodec codec;

	private final TaskEvents events;

	private final ContainerThreads threads;

	/** By id of the container. */
	private final Map<String, DeadLetterMover> movers = new ConcurrentHashMap<>();

	DeadLetterMovers(TaskStore store, TaskCodec codec, TaskEvents events, ContainerThreads threads) {
		this.store = store;
		this.codec = codec;
		this.events = events;
		this.threads = threads;
	}

	/**
	 * Dead letters that have been handled are known for some time: their tasks may still
	 * be dead, because they could not be removed, or have been read by another mover.
	 */
	static QueueOptions optionsOf(DelayQueueListenerEndpoint endpoint, QueueOptions options) {
		Duration completed = options.retention().completed();
		return (endpoint.deadLettersOf() == null || completed.compareTo(REMEMBERED) >= 0) ? options
				: options.toBuilder().completedRetention(REMEMBERED).build();
	}

	void add(DelayQueueListenerEndpoint endpoint, QueueOptions options, DelayQueueListenerContainer container) {
		String source = endpoint.deadLettersOf();
		if (source != null) {
			this.movers.put(endpoint.id(), new DeadLetterMover(source, endpoint.queue(), options, this.store,
					this.codec, this.events, this.threads, container::isRunning));
		}
	}

	void remove(String id) {
		this.movers.remove(id);
	}

	/** A container has asked for tasks. */
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
