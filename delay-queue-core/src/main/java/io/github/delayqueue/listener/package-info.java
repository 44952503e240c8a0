/**
 * From a handler to a running consumer: containers, their claim loop, leases and
 * settlements.
 */
@NullMarked
package io.github.delayqueue.listener;

import org.jspecify.annotations.NullMarked;
