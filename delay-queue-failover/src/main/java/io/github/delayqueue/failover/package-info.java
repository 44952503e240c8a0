/**
 * Connections of the delay queue's own to Redis, by either driver: they find a new
 * primary, and notice a server that is silent. A part: without it, the connections of the
 * application are used as they are.
 */
@org.jspecify.annotations.NullMarked
package io.github.delayqueue.failover;
