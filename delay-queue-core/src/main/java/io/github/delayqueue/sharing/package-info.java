/**
 * Threads that schedule at the same time share calls of the server. A part: without it,
 * each makes calls of its own.
 */
@org.jspecify.annotations.NullMarked
package io.github.delayqueue.sharing;
