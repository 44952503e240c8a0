package io.github.delayqueue.interrupts;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

import io.github.delayqueue.listener.ConsumerPart;
import io.github.delayqueue.listener.DelayQueueListenerEndpoint;
import io.github.delayqueue.listener.Delivery;
import io.github.delayqueue.listener.DeliveryHandler;
import io.github.delayqueue.listener.TaskResult;
import io.github.delayqueue.options.Option;
import io.github.delayqueue.options.QueueOptions;

/**
 * Interrupts a handler once all tasks that it works on were taken from it: they were
 * cancelled, replaced or cleared. Not if it goes on elsewhere. Thread-safe.
 */
public final class CancelInterrupts implements ConsumerPart {

	/** Whether the handlers of a listener are interrupted, by default not. */
	public static final Option<Boolean> INTERRUPT = Option.flag("listener.interrupt-on-cancel", false);

	/** What runs, by listeners. */
	private final Map<String, Set<InterruptibleCall>> calls = new ConcurrentHashMap<>();

	@Override
	public DelayQueueListenerEndpoint around(DelayQueueListenerEndpoint endpoint, QueueOptions options) {
		if (!options.get(INTERRUPT)) {
			return endpoint;
		}
		Set<InterruptibleCall> calls = this.calls.computeIfAbsent(endpoint.id(), (id) -> ConcurrentHashMap.newKeySet());
		return endpoint.withHandler((deliveries) -> call(calls, endpoint.handler(), deliveries));
	}

	private static CompletionStage<List<TaskResult>> call(Set<InterruptibleCall> calls, DeliveryHandler handler,
			List<Delivery<?>> deliveries) throws Exception {
		InterruptibleCall call = new InterruptibleCall(deliveries);
		calls.add(call);
		try {
			return handler.handle(deliveries);
		}
		finally {
			call.end();
			calls.remove(call);
		}
	}

	@Override
	public void ticked(Consumer consumer) {
		this.calls.getOrDefault(consumer.endpoint().id(), Set.of()).forEach(InterruptibleCall::interruptIfCancelled);
	}

}
