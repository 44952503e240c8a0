package io.github.delayqueue.run;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.TaskFailure;
import io.github.delayqueue.event.DeliveryOutcome;
import io.github.delayqueue.store.Settlement;

/**
 * How a run is to end. For wiring.
 *
 * @param settlement what the store is told
 * @param outcome what listeners for events are told, {@code null} for nothing: the task
 * was released, or its run skipped
 * @param failure what went wrong, {@code null} for a success
 */
public record RunEnd(Settlement settlement, @Nullable DeliveryOutcome outcome, @Nullable TaskFailure failure) {

}
