/**
 * An order that nobody pays is cancelled. Order and time-out are one transaction in the
 * shop's database.
 */
@NullMarked
package io.github.delayqueue.sample.order;

import org.jspecify.annotations.NullMarked;
