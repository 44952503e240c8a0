package io.github.delayqueue.deadletter;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.TaskFailure;
import io.github.delayqueue.event.DeliveryOutcome;
import io.github.delayqueue.event.TaskEventListener;
import io.github.delayqueue.listener.ConsumerPart;
import io.github.delayqueue.listener.DelayQueueListenerEndpoint;
import io.github.delayqueue.options.OptionTable;
import io.github.delayqueue.options.QueueOptions;
import io.github.delayqueue.store.ClaimResult;

/**
 * Gives each running listener of dead letters what moves them to it. Public for wiring.
 */
public final class DeadLetterMovers implements ConsumerPart, TaskEventListener {

	/**
	 * Dead letters that have been handled are known for some time: their tasks may still
	 * be dead, because they could not be removed, or have been read by another mover.
	 */
	private static final Duration REMEMBERED = Duration.ofHours(1);

	private final Map<Consumer, DeadLetterMover> movers = new ConcurrentHashMap<>();

	private Scope scope;

	/**
	 * Move the dead letters that running listeners of dead letters wait for, now and on
	 * this thread. They see to it themselves; needed only where no time passes.
	 */
	public void move() {
		this.movers.values().forEach(DeadLetterMover::move);
	}

	@Override
	public void join(Scope scope) {
		this.scope = scope;
	}

	@Override
	public QueueOptions register(DelayQueueListenerEndpoint endpoint, QueueOptions options) {
		Duration completed = options.get(OptionTable.COMPLETED_RETENTION);
		return (endpoint.deadLettersOf() == null || completed.compareTo(REMEMBERED) >= 0) ? options
				: options.toBuilder().completedRetention(REMEMBERED).build();
	}

	@Override
	public void started(Consumer consumer) {
		String source = consumer.endpoint().deadLettersOf();
		if (source != null) {
			this.movers.put(consumer, new DeadLetterMover(source, consumer.endpoint().queue(), consumer.options(),
					this.scope, consumer::isRunning));
		}
	}

	@Override
	public void claimed(Consumer consumer, String source, @Nullable ClaimResult result) {
		DeadLetterMover mover = this.movers.get(consumer);
		if (mover != null && source.equals(consumer.endpoint().queue())) {
			mover.polled();
		}
	}

	@Override
	public void stopped(Consumer consumer) {
		this.movers.remove(consumer);
	}

	@Override
	public void onEnd(String queue, String taskId, DeliveryOutcome outcome, Duration took,
			@Nullable TaskFailure failure) {
		if (outcome == DeliveryOutcome.DEAD) {
			this.movers.values().forEach((mover) -> mover.died(queue));
		}
	}

}
