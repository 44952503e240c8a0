/**
 * Simulation: containers, producers and a store by a clock that jumps from one event to
 * the next, one step at a time. The same seed gives the same run, byte for byte.
 */
@NullMarked
package io.github.delayqueue.simulation;

import org.jspecify.annotations.NullMarked;
