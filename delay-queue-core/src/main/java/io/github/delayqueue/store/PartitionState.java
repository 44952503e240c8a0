package io.github.delayqueue.store;

/**
 * What a partition knows of the partitions of its queue.
 *
 * @param counts the counts, {@link PartitionCounts#UNCHECKED} if it knows none
 * @param paused whether this partition is paused
 */
public record PartitionState(PartitionCounts counts, boolean paused) {

}
