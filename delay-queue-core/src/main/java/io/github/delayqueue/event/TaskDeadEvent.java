package io.github.delayqueue.event;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.TaskFailure;

/**
 * A task was given up by this instance: it is not delivered again until it is redriven.
 * Published to the listeners of the application context.
 *
 * @param failure why; {@code null} for an id that was found without a record of the task
 */
public record TaskDeadEvent(String queue, String taskId, @Nullable TaskFailure failure) {

}
