/**
 * A summary every morning: a task that schedules its successor.
 */
@NullMarked
package io.github.delayqueue.sample.digest;

import org.jspecify.annotations.NullMarked;
