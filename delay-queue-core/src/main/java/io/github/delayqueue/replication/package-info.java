/**
 * Schedules tasks so that replicas have them when the call returns. A part: without it, a
 * call that asks for replicas is refused.
 */
@org.jspecify.annotations.NullMarked
package io.github.delayqueue.replication;
