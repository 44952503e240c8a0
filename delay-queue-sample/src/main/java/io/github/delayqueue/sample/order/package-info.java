/**
 * An order that nobody pays is cancelled.
 */
@NullMarked
package io.github.delayqueue.sample.order;

import org.jspecify.annotations.NullMarked;
