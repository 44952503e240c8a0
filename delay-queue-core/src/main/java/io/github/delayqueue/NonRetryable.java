package io.github.delayqueue;

/**
 * Implemented by exceptions that no retry can help: a task whose handler throws one goes
 * to {@link TaskState#DEAD} at once, with {@link DeadReason#NOT_RETRYABLE}.
 */
public interface NonRetryable {

}
