/**
 * Schedules many tasks in few calls, and tasks without waiting for the store, for the
 * methods {@code scheduleAll} and {@code scheduleAsync} of templates. A part: without it,
 * they throw.
 */
@org.jspecify.annotations.NullMarked
package io.github.delayqueue.bulk;
