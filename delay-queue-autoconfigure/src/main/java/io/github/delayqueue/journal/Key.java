package io.github.delayqueue.journal;

/**
 * A row as it was: none of the same id that has been written since.
 *
 * @param taskId the task's id
 * @param generation its generation
 */
record Key(String taskId, long generation) {

}
