/**
 * The contract of a store of tasks: every atomic step, independent of where the tasks are
 * kept.
 */
@NullMarked
package io.github.delayqueue.store;

import org.jspecify.annotations.NullMarked;
