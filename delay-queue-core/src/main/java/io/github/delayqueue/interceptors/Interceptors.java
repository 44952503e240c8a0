package io.github.delayqueue.interceptors;

import java.util.List;
import java.util.function.Supplier;

import org.springframework.util.function.SingletonSupplier;

import io.github.delayqueue.listener.ConsumerPart;
import io.github.delayqueue.listener.DelayQueueListenerEndpoint;
import io.github.delayqueue.listener.DeliveryHandler;
import io.github.delayqueue.listener.TaskInterceptor;
import io.github.delayqueue.options.QueueOptions;

/** The interceptors that stand around each call of a handler. For wiring. Thread-safe. */
public final class Interceptors implements ConsumerPart {

	private final Supplier<List<TaskInterceptor>> interceptors;

	/**
	 * Put interceptors around handlers.
	 * @param interceptors returns them, the outermost first; asked once, at the start, so
	 * that they may depend on anything
	 */
	public Interceptors(Supplier<List<TaskInterceptor>> interceptors) {
		this.interceptors = SingletonSupplier.of(interceptors);
	}

	@Override
	public DelayQueueListenerEndpoint around(DelayQueueListenerEndpoint endpoint, QueueOptions options) {
		return endpoint.withHandler((deliveries) -> {
			DeliveryHandler handler = endpoint.handler();
			List<TaskInterceptor> around = this.interceptors.get();
			for (int i = around.size() - 1; i >= 0; i--) {
				TaskInterceptor interceptor = around.get(i);
				DeliveryHandler inner = handler;
				handler = (tasks) -> interceptor.intercept(tasks, inner);
			}
			return handler.handle(deliveries);
		});
	}

	/** An interceptor that cannot be created fails the start, and no attempt. */
	@Override
	public void starting() {
		this.interceptors.get();
	}

}
