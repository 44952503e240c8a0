package io.github.delayqueue.run;

import java.time.Duration;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.convert.TaskCodec;
import io.github.delayqueue.event.TaskEvents;
import io.github.delayqueue.store.TaskStore;

/**
 * The common settings of all runs of a queue's tasks. Their rules hold for tasks that are
 * claimed by listeners or by hand. For wiring.
 *
 * @param maxLeaseLosses how many leases a task may lose before it dies
 * @param expiresAfter overdue by more than this a task dies instead of running,
 * {@code null} for never
 * @param keepsCompleted whether tasks are kept when they have been handled
 */
public record TaskRuns(TaskStore store, TaskCodec codec, TaskEvents events, int maxLeaseLosses,
		@Nullable Duration expiresAfter, boolean keepsCompleted, LongSupplier nanoTime) {

}
