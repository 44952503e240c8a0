package io.github.delayqueue.journal;

import java.util.List;

/**
 * What there is to do for a queue.
 *
 * @param claimed epochs that nobody else has
 * @param loads whether rows are to be taken
 */
record QueueWork(String queue, List<RememberedEpoch> claimed, boolean loads) {

}
