/**
 * Moving over from other delay queues in Redis: a {@code RDelayedQueue} of Redisson, a
 * sorted set that is polled. Reads their keys by a connection of the application, and
 * schedules what they hold.
 */
@NullMarked
package io.github.delayqueue.migration;

import org.jspecify.annotations.NullMarked;
