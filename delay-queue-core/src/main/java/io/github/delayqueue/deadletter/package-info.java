/**
 * Listeners of dead letters: what moves the dead letters of a queue to where they are
 * handled. A part: consumers run without it.
 */
@org.jspecify.annotations.NullMarked
package io.github.delayqueue.deadletter;
