package io.github.delayqueue.journal;

/**
 * Which rows the loader takes.
 *
 * @param queue the queue
 * @param state the state they are in
 * @param dueUntilMillis until when they are due, in milliseconds since the epoch
 * @param untouchedSinceMillis until when they were written
 * @param limit how many at most
 */
record Taking(String queue, RowState state, long dueUntilMillis, long untouchedSinceMillis, int limit) {

}
