package io.github.delayqueue.event;

/**
 * This instance has taken over a task whose lease another delivery had lost: its consumer
 * died, was cut off, or took longer than the lease duration without renewing. Published
 * to the listeners of the application context.
 *
 * @param leasesLost how often that has happened to the task
 */
public record LeaseLostEvent(String queue, String taskId, int leasesLost) {

}
