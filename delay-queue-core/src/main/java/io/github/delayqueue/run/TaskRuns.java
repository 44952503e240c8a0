package io.github.delayqueue.run;

import java.util.function.LongSupplier;

import io.github.delayqueue.convert.TaskCodec;
import io.github.delayqueue.event.TaskEvents;
import io.github.delayqueue.store.TaskStore;

/**
 * The common settings of all runs of a queue's tasks. For wiring.
 *
 * @param rules what holds for the queue
 */
public record TaskRuns(TaskStore store, TaskCodec codec, TaskEvents events, RunRules rules, LongSupplier nanoTime) {

}
