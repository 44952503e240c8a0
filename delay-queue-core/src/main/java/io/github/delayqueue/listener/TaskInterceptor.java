package io.github.delayqueue.listener;

import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Stands around each call of a handler, to set what belongs to its thread: a tenant, a
 * security context, the MDC of the log.
 *
 * <pre class="code">
 * &#64;Component
 * class TenantInterceptor implements TaskInterceptor {
 *
 *     &#64;Override
 *     public CompletionStage&lt;List&lt;TaskResult&gt;&gt; intercept(List&lt;Delivery&lt;?&gt;&gt; deliveries, DeliveryHandler handler)
 *             throws Exception {
 *         try (var tenant = MDC.putCloseable("tenant", deliveries.get(0).task().headers().get("tenant"))) {
 *             return handler.handle(deliveries);
 *         }
 *     }
 *
 * }
 * </pre>
 *
 * Each bean of this type stands around all listeners of the registry, annotated or
 * registered in code; the first in Spring's order is the outermost. They are around the
 * listener's work with a payload, such as its validation, and within the trace of the
 * task, its timeout and its lease. They are not around tasks that are polled by hand.
 * Called on many threads at once.
 */
@FunctionalInterface
public interface TaskInterceptor {

	/**
	 * Stand around a call.
	 * @param deliveries what the handler is called with: one, or the tasks of a batch;
	 * never empty, not modifiable
	 * @param handler calls the next interceptor, or the handler; if it is not called, the
	 * results returned are those of the tasks
	 * @return completes with a result for each delivery, in the same order. With an
	 * asynchronous handler it completes later, on another thread, on which nothing is set
	 * @throws Exception if all of them failed, as an exception of the handler does
	 */
	CompletionStage<List<TaskResult>> intercept(List<Delivery<?>> deliveries, DeliveryHandler handler) throws Exception;

}
