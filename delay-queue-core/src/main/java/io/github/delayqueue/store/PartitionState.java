package io.github.delayqueue.store;

/**
 * The state of a partition: the counts that it knows, and whether it is paused.
 *
 * @param counts the counts, {@link PartitionCounts#UNCHECKED} if it knows none
 * @param paused whether this partition is paused
 */
public record PartitionState(PartitionCounts counts, boolean paused) {

}
