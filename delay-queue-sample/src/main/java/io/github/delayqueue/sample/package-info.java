/**
 * A small shop that uses the delay queue. Each case is a package of its own with a
 * listener, which does what is due, and a controller, which schedules it.
 */
@NullMarked
package io.github.delayqueue.sample;

import org.jspecify.annotations.NullMarked;
