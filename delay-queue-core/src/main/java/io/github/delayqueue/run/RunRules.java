package io.github.delayqueue.run;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.store.FlowLimits;
import io.github.delayqueue.store.Retention;

/**
 * Rules for all tasks that are claimed from a queue, by listeners or by hand. For wiring.
 *
 * @param maxLeaseLosses how many leases a task may lose before it dies
 * @param expiresAfter overdue by more than this a task dies instead of running,
 * {@code null} for never
 * @param retention what is kept of tasks that are over
 * @param limits what all who claim may do together
 */
public record RunRules(int maxLeaseLosses, @Nullable Duration expiresAfter, Retention retention, FlowLimits limits) {

}
