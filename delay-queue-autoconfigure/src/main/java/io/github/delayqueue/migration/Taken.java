package io.github.delayqueue.migration;

import java.time.Instant;

/**
 * An entry that has left its source.
 *
 * @param candidate its task
 * @param dueAt when that is due
 */
record Taken(Candidate candidate, Instant dueAt) {

}
