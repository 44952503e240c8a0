package io.github.delayqueue.run;

import java.util.function.LongSupplier;

import io.github.delayqueue.convert.TaskCodec;
import io.github.delayqueue.event.TaskEvents;
import io.github.delayqueue.store.TaskStore;

/**
 * What the runs of a queue's tasks have in common. For wiring.
 *
 * @param store where tasks are claimed and settled
 * @param codec how they are read
 * @param events whom to tell what happens
 * @param rules what holds for the queue
 * @param nanoTime the local monotonic clock
 */
public record TaskRuns(TaskStore store, TaskCodec codec, TaskEvents events, RunRules rules, LongSupplier nanoTime) {

}
