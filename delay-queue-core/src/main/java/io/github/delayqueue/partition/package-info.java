/**
 * A part: spreads a queue over partitions, which are its sources. Each is a queue of its
 * own in the store.
 */
@NullMarked
package io.github.delayqueue.partition;

import org.jspecify.annotations.NullMarked;
