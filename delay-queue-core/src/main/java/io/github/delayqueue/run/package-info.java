/**
 * The run of a task that has been claimed, by a listener or by hand: whether it may take
 * place, what ends it, and how that is told.
 */
@org.jspecify.annotations.NullMarked
package io.github.delayqueue.run;
