/** The store in Redis: keys, one Lua script for each atomic step, and its replies. */
@NullMarked
package io.github.delayqueue.store.redis;

import org.jspecify.annotations.NullMarked;
