package io.github.delayqueue.migration;

/**
 * How far a migration has come. A snapshot.
 *
 * @param from what is moved
 * @param to the queue it is moved to
 * @param moved how many entries have become tasks, by all instances since it was begun
 * @param known how many were dropped because the queue had a task of their id already,
 * likewise
 * @param left how many are still where they were, including what cannot be read
 * @param moving how many have left the source and have not arrived; these are resumed
 * @param unreadable how many of those that are left, or moving, could not be read when
 * this instance looked at them last
 */
public record MigrationProgress(String from, String to, long moved, long known, long left, long moving,
		long unreadable) {

}
