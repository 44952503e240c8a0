/**
 * What the shop knows: records and counts in Redis, so that every instance answers the
 * same. Only its orders are in a database.
 */
@NullMarked
package io.github.delayqueue.sample.state;

import org.jspecify.annotations.NullMarked;
