/**
 * Subscribes to wake messages, so that consumers come as soon as a task is due earlier
 * than they know. A part: without it, they find tasks by polling.
 */
@org.jspecify.annotations.NullMarked
package io.github.delayqueue.wake;
