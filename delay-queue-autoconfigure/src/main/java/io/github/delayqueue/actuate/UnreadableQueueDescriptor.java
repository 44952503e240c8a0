package io.github.delayqueue.actuate;

import java.util.List;

/**
 * A queue whose figures could not be read, as the endpoint shows it. Public because the
 * endpoint returns it.
 *
 * @param error why, in a sentence
 * @param listeners the containers of this instance
 */
public record UnreadableQueueDescriptor(String error, List<QueueDescriptor.Listener> listeners) implements QueueEntry {

}
