package io.github.delayqueue.event;

import java.time.Duration;

/**
 * A handler of this instance ended when the task was no longer its own: it had been
 * claimed again, replaced or cancelled meanwhile, and the handler's result had no effect.
 * If it was claimed again, it has been handled twice. Published to the listeners of the
 * application context.
 *
 * @param took how long the handler ran, zero if it was not called
 */
public record StaleSettlementEvent(String queue, String taskId, Duration took) {

}
