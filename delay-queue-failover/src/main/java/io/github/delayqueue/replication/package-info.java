/** Schedules tasks so that replicas have them when the call returns. A part. */
@org.jspecify.annotations.NullMarked
package io.github.delayqueue.replication;
