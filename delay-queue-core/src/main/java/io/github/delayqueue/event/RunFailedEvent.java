package io.github.delayqueue.event;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.TaskFailure;

/**
 * A run of a recurring task was given up by this instance, where another task would have
 * died: its attempts were used up, it is not to be repeated, or it came too late. The
 * task goes on at its next time. Published to the listeners of the application context.
 */
public record RunFailedEvent(String queue, String taskId, @Nullable TaskFailure failure) {

}
