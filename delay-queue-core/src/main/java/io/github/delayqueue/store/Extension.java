package io.github.delayqueue.store;

import java.time.Duration;

/**
 * A lease to be moved.
 *
 * @param taskId the task
 * @param token the token it was claimed with
 * @param leaseDuration from now, how long the lease is to last
 */
public record Extension(String taskId, String token, Duration leaseDuration) {

}
