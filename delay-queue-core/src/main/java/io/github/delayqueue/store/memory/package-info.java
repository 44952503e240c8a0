/**
 * The store's contract in memory, with a clock that can be turned: the model for tests.
 */
@NullMarked
package io.github.delayqueue.store.memory;

import org.jspecify.annotations.NullMarked;
