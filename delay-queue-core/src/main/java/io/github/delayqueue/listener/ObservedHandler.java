package io.github.delayqueue.listener;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.IntFunction;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.DelayedTask;
import io.github.delayqueue.event.DeliveryOutcome;
import io.github.delayqueue.event.ObservedDelivery;
import io.github.delayqueue.event.ObservedScope;
import io.github.delayqueue.event.TaskObserver;

/**
 * A handler that is looked at for the time of one call: it runs in the scope of the
 * observation, and so does what follows from its results.
 */
final class ObservedHandler implements DeliveryHandler {

	private final DeliveryHandler handler;

	private final ObservedDelivery observed;

	private ObservedHandler(DeliveryHandler handler, ObservedDelivery observed) {
		this.handler = handler;
		this.observed = observed;
	}

	static ObservedHandler begin(TaskObserver observer, DelayQueueListenerEndpoint endpoint,
			List<Delivery<?>> deliveries) {
		List<DelayedTask<?>> tasks = deliveries.stream().<DelayedTask<?>>map(Delivery::task).toList();
		return new ObservedHandler(endpoint.handler(), observer.deliver(endpoint.queue(), tasks));
	}

	@Override
	public CompletionStage<List<TaskResult>> handle(List<Delivery<?>> deliveries) throws Exception {
		ObservedScope scope = this.observed.open();
		try {
			return this.handler.handle(deliveries);
		}
		finally {
			scope.close();
		}
	}

	/**
	 * The call has ended.
	 * @param end draws the consequences for the task at an index, and answers what the
	 * store is going to be told, {@code null} if the task is handed back
	 */
	void end(List<TaskResult> results, IntFunction<@Nullable DeliveryOutcome> end) {
		Set<DeliveryOutcome> outcomes = EnumSet.noneOf(DeliveryOutcome.class);
		Throwable error = null;
		ObservedScope scope = this.observed.open();
		try {
			for (int i = 0; i < results.size(); i++) {
				DeliveryOutcome outcome = end.apply(i);
				if (outcome != null) {
					outcomes.add(outcome);
				}
				if (error == null && results.get(i) instanceof TaskResult.Failed failed) {
					error = failed.cause();
				}
			}
		}
		finally {
			scope.close();
			this.observed.end(outcomes, error);
		}
	}

}
