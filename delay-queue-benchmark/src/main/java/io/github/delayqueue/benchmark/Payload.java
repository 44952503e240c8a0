package io.github.delayqueue.benchmark;

/**
 * What a task carries: 128 bytes as JSON.
 *
 * @param number of the task, counted from zero in each run
 * @param dueAt when it is due, in milliseconds since the epoch
 * @param order some text
 * @param note some text
 */
public record Payload(int number, long dueAt, String order, String note) {

}
