/**
 * The contract of a store of tasks as tests that every store passes.
 */
@NullMarked
package io.github.delayqueue.store;

import org.jspecify.annotations.NullMarked;
