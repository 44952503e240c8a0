package io.github.delayqueue.listener;

import io.github.delayqueue.DelayedTask;

/**
 * A task together with the context of its delivery.
 *
 * @param <T> type of the payload
 */
public record Delivery<T>(DelayedTask<T> task, TaskContext context) {

}
