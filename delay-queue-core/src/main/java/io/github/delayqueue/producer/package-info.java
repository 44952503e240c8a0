/** Scheduling, cancelling and looking up tasks, and claiming them by hand. */
@NullMarked
package io.github.delayqueue.producer;

import org.jspecify.annotations.NullMarked;
