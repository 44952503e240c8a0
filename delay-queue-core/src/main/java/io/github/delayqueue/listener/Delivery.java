package io.github.delayqueue.listener;

import io.github.delayqueue.DelayedTask;

/**
 * A task together with what can be asked and done about its delivery.
 *
 * @param <T> type of the payload
 */
public record Delivery<T>(DelayedTask<T> task, TaskContext context) {

}
