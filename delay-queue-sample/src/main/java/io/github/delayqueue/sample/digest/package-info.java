/**
 * A summary every morning: a recurring task.
 */
@NullMarked
package io.github.delayqueue.sample.digest;

import org.jspecify.annotations.NullMarked;
