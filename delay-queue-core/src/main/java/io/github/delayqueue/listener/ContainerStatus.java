package io.github.delayqueue.listener;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * How a container is doing; where its queue has several sources, at the one that does
 * worst.
 *
 * @param running whether it claims
 * @param paused whether the store said at the last claim that the queue is paused
 * @param concurrency how many tasks it handles at a time, of a batch listener batches
 * @param active how many tasks are in handlers now
 * @param stuck how many workers are kept by handlers that took no notice when they were
 * interrupted because their {@code timeout} was over. A part of those that are occupied
 * @param lastPollAt when a claim last succeeded, empty or not; {@code null} if none has
 * @param lastError why the last claim failed, {@code null} if it did not
 * @param pollInterval how long it waits at most between claims
 * @param claims how often it has asked the store for tasks since it was registered
 * @param emptyClaims how often it got none
 */
public record ContainerStatus(String id, String queue, boolean running, boolean paused, int concurrency, int active,
		int stuck, @Nullable Instant lastPollAt, @Nullable Throwable lastError, Duration pollInterval, long claims,
		long emptyClaims) {

}
