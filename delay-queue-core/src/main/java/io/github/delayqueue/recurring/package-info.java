/**
 * The recurring tasks that listeners have of their own. A part: consumers run without it.
 */
@org.jspecify.annotations.NullMarked
package io.github.delayqueue.recurring;
