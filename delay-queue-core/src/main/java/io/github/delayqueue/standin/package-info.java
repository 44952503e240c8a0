/**
 * Keeps many consumers of a queue from claiming at the same moment. A part: without it,
 * all claim when a task is due, and all but one in vain.
 */
@org.jspecify.annotations.NullMarked
package io.github.delayqueue.standin;
