/**
 * Removes completed tasks and dead letters that are kept for long enough. A part: without
 * it, they stay until somebody removes them.
 */
@org.jspecify.annotations.NullMarked
package io.github.delayqueue.retention;
