/**
 * The delay queue itself, what it is measured against, and the bare commands of Redis.
 */
@NullMarked
package io.github.delayqueue.benchmark.systems;

import org.jspecify.annotations.NullMarked;
