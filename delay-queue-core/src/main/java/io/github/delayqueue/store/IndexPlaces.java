package io.github.delayqueue.store;

import java.util.List;

/**
 * Single tasks of one index of a partition, by their places in it.
 *
 * @param size how many tasks the index has behind those that are skipped
 * @param tasks those that were asked for, without what their records say; at the end, the
 * last of the index stands for all places behind it
 */
public record IndexPlaces(int size, List<StoredTask> tasks) {

}
