package io.github.delayqueue.listener;

import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * The handler that a container calls. For wiring: annotated methods and handlers
 * registered in code are adapted to it. Called on many threads at once.
 */
@FunctionalInterface
public interface DeliveryHandler {

	/**
	 * Handle deliveries that are due together: one, or up to the batch size.
	 * @param deliveries the deliveries, never empty, not modifiable
	 * @return completes with a result for each, in the same order; completing
	 * exceptionally is the same as throwing
	 * @throws Exception if all of them failed
	 */
	CompletionStage<List<TaskResult>> handle(List<Delivery<?>> deliveries) throws Exception;

}
