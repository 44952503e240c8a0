/**
 * A booking with three tasks of its own, which depend on what the guest does.
 */
@NullMarked
package io.github.delayqueue.sample.booking;

import org.jspecify.annotations.NullMarked;
