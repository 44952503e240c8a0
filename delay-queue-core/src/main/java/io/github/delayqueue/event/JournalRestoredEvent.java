package io.github.delayqueue.event;

import java.time.Duration;

/**
 * Redis had lost tasks of a queue with a journal, and this instance gave them back.
 * Published to the listeners of the application context.
 *
 * @param tasks how many tasks Redis did not have
 * @param took how long it took since the loss was noticed, zero for single tasks that
 * were found to be missing
 */
public record JournalRestoredEvent(String queue, long tasks, Duration took) {

}
