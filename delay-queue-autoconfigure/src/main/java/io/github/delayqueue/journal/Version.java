package io.github.delayqueue.journal;

import org.jspecify.annotations.Nullable;

/**
 * As much of a row as says whether a task may be delivered.
 *
 * @param generation its generation
 * @param dueMillis when it is due, in milliseconds since the epoch
 * @param dead whether the task was given up
 * @param failure its last failure, {@code null} if there is none
 */
record Version(long generation, long dueMillis, boolean dead, byte @Nullable [] failure) {

}
