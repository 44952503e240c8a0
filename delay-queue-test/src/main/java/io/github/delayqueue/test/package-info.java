/**
 * The test kit: applications that use the delay queue are tested without Redis and
 * without waiting, by a clock that the test turns. Begin with
 * {@link io.github.delayqueue.test.DelayQueueTest}.
 */
@NullMarked
package io.github.delayqueue.test;

import org.jspecify.annotations.NullMarked;
