package io.github.delayqueue;

import java.time.Duration;
import java.time.Instant;

/**
 * The last run of a recurring task that went well, kept with the task until the next one
 * has gone well too.
 *
 * @param endedAt when its handler had ended, by the clock of the store
 * @param took how long the handler ran, in milliseconds; of a task that was claimed by
 * hand, how long ago that was
 */
public record CompletedRun(Instant endedAt, Duration took) {

}
